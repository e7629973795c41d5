/** The profile "claude" on what the real program printed (scripts/record-agents.mjs records it, with a model of a script). */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { CLAUDE } from '../../src/activity/profiles/claude.js';
import type { EntryChange } from '../../src/activity/entry.js';
import { profileFor, type Profile } from '../../src/activity/rule.js';
import { parseRules } from '../../src/activity/rules-file.js';
import { show } from '../vt/screens.js';
import { entriesAfter, watched } from './watched.js';

const RULES = parseRules('claude', JSON.stringify(CLAUDE));
const PROFILE = RULES.profiles[0] as Profile;
const OUTPUT = readFileSync(fileURLToPath(new URL('fixtures/claude.out', import.meta.url)), 'utf8');

const FRAMES = OUTPUT.split(/(?<=\x1b\[\?2026l)/); // oxlint-disable-line no-control-regex

/** A look after each piece. */
async function changesOf(pieces: readonly string[]): Promise<readonly EntryChange[]> {
  const { screen, look, all, end } = watched(PROFILE, { cols: 80, rows: 40, scrollback: 1000 });
  for (const piece of pieces) {
    await show(screen, piece);
    look();
  }
  end();
  return all;
}

const COMMAND = 'rm -f build.log && ls';
const PERMISSION = { tool: 'Bash command', input: COMMAND, question: 'Do you want to proceed?' };

/** What is there for as long as it is shown: in the whole output at once it is not seen. */
const PASSING = ['permission_request', 'working'];

const HISTORY: readonly (readonly [string, object])[] = [
  ['user_message', { text: 'List the files and clean the log' }],
  ['agent_message', { text: expect.stringMatching(/^● I will look at the files first\.$/) }],
  ['tool_call', { tool: 'Bash', input: COMMAND, result: 'a.txt' }],
  ['agent_message', { text: expect.stringContaining('The build is ready.\n\n  - a.txt\n  - b.txt') }],
  ['turn_end', { took: '0s' }],
  ['user_message', { text: 'Thanks, that is all' }],
  ['agent_message', { text: expect.stringMatching(/^● I will look at the files first\.$/) }],
  ['tool_call', { tool: 'Bash', input: COMMAND, result: 'Interrupted · What should Claude do instead?' }],
];

it.each([
  ['at once', [OUTPUT]],
  ['in slices of 400 characters', OUTPUT.match(/[^]{1,400}/g) ?? []],
  ['frame by frame', FRAMES],
])('printed %s, the session has its messages, calls and ends of turns, each once', async (_, pieces) => {
  const entries = entriesAfter(await changesOf(pieces)).filter(({ kind }) => !PASSING.includes(kind));
  expect(entries.map(({ kind }) => kind)).toEqual(HISTORY.map(([kind]) => kind));
  expect(entries.map(({ data }) => data)).toMatchObject(HISTORY.map(([, data]) => data));
  expect(entries.every(({ open }) => !open)).toBe(true);
});

it('a request for permission is open while it stands, with what it is for', async () => {
  const asked = OUTPUT.indexOf('Do you want to proceed?');
  const end = OUTPUT.indexOf('amend', asked);
  const { screen, look } = watched(PROFILE, { cols: 80, rows: 40, scrollback: 1000 });
  await show(screen, OUTPUT.slice(0, end));
  const { entry } = look().find((change) => change.entry.kind === 'permission_request') ?? {};
  expect(entry).toMatchObject({ open: true, confidence: 1, data: PERMISSION });
  await show(screen, OUTPUT.slice(end));
  look();
  const all = await changesOf(OUTPUT.match(/[^]{1,400}/g) ?? []);
  const requests = entriesAfter(all).filter(({ kind }) => kind === 'permission_request');
  expect(requests).toMatchObject([
    { open: false, data: PERMISSION },
    { open: false, data: PERMISSION },
  ]);
});

it('the work is open while its row is shown, with a version for each time that it is shown and none for its seconds', async () => {
  const { screen, look, all } = watched(PROFILE, { cols: 80, rows: 40, scrollback: 1000 });
  const shown: string[] = [];
  for (const frame of FRAMES) {
    await show(screen, frame);
    look();
    const work = entriesAfter(all).find(({ kind, open }) => kind === 'working' && open);
    if (work !== undefined) shown.push(`${work.version} ${String(work.data['text'])}`);
  }
  // Before the question, and three frames after it.
  expect(shown).toEqual(['1 Skedaddling…', '2 Skedaddling…', '2 Skedaddling…', '2 Skedaddling…']);
  expect(entriesAfter(all).filter(({ kind }) => kind === 'working')).toMatchObject([{ open: false }]);
});

it('is the profile of the program by its name', () => {
  expect(profileFor(RULES, ['/opt/bin/claude', '--continue'])?.id).toBe('claude');
  expect(profileFor(RULES, ['claudette'])).toBeUndefined();
});
