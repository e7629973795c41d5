/** What a daemon keeps, and what becomes of it when another takes its place: who adds a part of a terminal, or a feature, says so here. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Rig } from '../support/rig.js';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

/** `along`: a feature or the terminal freezes it. Else why it stays behind. */
const PARTS: Readonly<Record<string, string>> = {
  ACTED: 'along',
  ANSWERS_RUN: 'along, as a run that is to go on',
  DOING: 'along',
  IDENTITY: 'along',
  IS_TO_RESUME: 'along',
  KEEPS_RUN: 'along, as a run that is to go on',
  LAST: 'a cache of one look',
  LAST_PICTURE: 'a cache',
  LAST_REQUEST: 'a cache',
  LAST_SEEN: 'the next look is a whole one',
  LINE: 'deliveries that wait go on with their requests',
  LINE_UNDER_WAY: 'along, for the run that is to go on',
  LOGGED: 'along',
  OPENER: 'of an opened recording: no connection goes along, so it counts to all',
  ORIGIN: 'along',
  PERSISTED: 'along',
  PRESENCE: 'watchers come anew, questions go along',
  RECEIPTS: 'along',
  RESTARTING: 'its request has ended',
  RESTORED: 'along, with its recording',
  SECRET_VARIABLES: 'made anew of the environment',
  STATUS_PART: 'along',
  TIE: 'along',
  WATCH: 'along',
  WATCHED: 'watchers get a complete frame',
};

const FEATURES: Readonly<Record<string, string>> = {
  past: 'along',
  persistence: 'along',
  pastSearch: 'keeps nothing',
  pictures: 'caches',
  film: 'keeps nothing',
  recording: 'along',
  rules: 'along',
  reading: 'caches',
  acting: 'along: runs that are to go on',
  control: 'along',
  asks: 'along',
  delivery: 'along: receipts; prompts in line are asked for again',
  doing: 'along',
  triggers: 'along',
};

it('each part of a terminal has its line, and so has each feature', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const parts = files.flatMap((name) =>
    Array.from(
      readFileSync(`${SRC}${name}`, 'utf8').matchAll(/^(?:export )?const (\w+) = new PartKey</gm),
      ([, key]) => key,
    ),
  );
  expect(new Set(parts)).toEqual(new Set(Object.keys(PARTS)));
  expect(parts).toHaveLength(Object.keys(PARTS).length);
  expect([...new Rig().daemon.features.keys()]).toEqual(Object.keys(FEATURES));
});
