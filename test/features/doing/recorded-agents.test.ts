/**
 * `doing` over the recorded sessions of real agents (scripts/record-agents.mjs): two prompts, each with a question for permission, of which
 * the first is approved and the second refused. However fast its frames come, and wherever they are cut, there is one change for each turn.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CLAUDE } from '../../../src/activity/profiles/claude.js';
import { CODEX } from '../../../src/activity/profiles/codex.js';
import { GEMINI } from '../../../src/activity/profiles/gemini.js';
import { type Profile } from '../../../src/activity/rule.js';
import { parseRules } from '../../../src/activity/rules-file.js';
import { decide, type DoingState, type Signal } from '../../../src/events/status/doing.js';
import { StatusRecords } from '../../../src/events/status/records.js';
import { parseStatusReport } from '../../../src/events/status/report.js';
import { wireEntry } from '../../../src/features/rules/wire-entry.js';
import { RuleSignals } from '../../../src/features/doing/rule-signals.js';
import { recordSignal } from '../../../src/features/doing/signals.js';
import { watched } from '../../activity/watched.js';
import { show } from '../../vt/screens.js';

/** Ends of frames, and begins of those of Ink without marks. */
const FRAMES = /(?<=\x1b\[\?2026l)|(?<!\x1b\[1A)(?=\x1b\[2K\x1b\[1A)/; // oxlint-disable-line no-control-regex
const REPORTS = /\x1b\]7501;([^\x07\x1b]*)/g; // oxlint-disable-line no-control-regex
const BY = { pid: 1, process: 'agent', isShell: false };
/** Between two looks at what the program does. */
const LOOK_MS = 20;
/** After the last frame. */
const REST_MS = 4000;

/** Without what the kernel knows of a reader: a recording has none. */
async function statesOf(fixture: string, rules: object, frameMs: number, parts: number): Promise<DoingState[]> {
  const [profile] = parseRules('shipped', JSON.stringify(rules)).profiles as [Profile];
  const output = readFileSync(new URL(`../../activity/fixtures/${fixture}.out`, import.meta.url), 'utf8');
  const { screen, look } = watched(profile, { cols: 80, rows: 40, scrollback: 1000 });
  const ruled = new RuleSignals();
  const reported = new StatusRecords();
  const states: DoingState[] = [];
  let nowMs = 0;
  let printedMs = 0;
  const tellUntil = (endMs: number): void => {
    for (; nowMs < endMs; nowMs += LOOK_MS) {
      const says = reported.all().map((record) => recordSignal({ record, stale: undefined }, '7501'));
      const { is } = decide([...says, ...ruled.all, printed(printedMs)], nowMs).doing;
      if (states.at(-1) !== is) states.push(is);
    }
  };
  for (const frame of output.split(FRAMES)) {
    for (const piece of piecesOf(frame, parts)) {
      await show(screen, piece);
      printedMs = nowMs;
      for (const { op, entry } of look()) ruled.take(op, { ...wireEntry(entry), ts: nowMs }, nowMs);
      tellUntil(nowMs + frameMs / parts);
    }
    for (const [, body = ''] of frame.matchAll(REPORTS)) {
      const report = parseStatusReport(body, 1);
      if (report !== undefined) reported.apply(report, BY, nowMs);
    }
  }
  tellUntil(nowMs + REST_MS);
  return states;
}

function piecesOf(frame: string, parts: number): string[] {
  const length = Math.max(1, Math.ceil(frame.length / parts));
  return Array.from({ length: parts }, (_, at) => frame.slice(at * length, (at + 1) * length)).filter(
    (piece) => piece !== '',
  );
}

function printed(at: number): Signal {
  const says = 'has printed';
  return { source: 'kernel', is: 'working', kind: null, since: null, at, by: null, says, isProven: false };
}

const FIRST: readonly DoingState[] = ['working', 'idle', 'working', 'waiting', 'working', 'done'];

/** Frames of gemini have no marks, so that a look may find one half drawn. They are few: its questions stand for two of them. In the end it reports nothing, and a recording has no reader. */
const AGENTS = [
  {
    fixture: 'claude-2.1.332',
    rules: CLAUDE,
    isCut: false,
    paces: [20, 100, 300],
    states: [...FIRST, 'working', 'waiting', 'idle'],
  },
  {
    fixture: 'codex-0.171.0',
    rules: CODEX,
    isCut: false,
    paces: [20, 100, 300],
    states: [...FIRST, 'idle', 'working', 'waiting', 'working', 'idle'],
  },
  {
    fixture: 'gemini',
    rules: GEMINI,
    isCut: true,
    paces: [400, 900],
    states: ['working', 'waiting', 'working', 'waiting', 'working', 'unknown'],
  },
] as const;

it.each(
  AGENTS.flatMap(({ paces, ...agent }) =>
    paces.flatMap((frameMs) => (agent.isCut ? [1, 3] : [1]).map((parts) => ({ ...agent, frameMs, parts }))),
  ),
)('$fixture, with a frame in $frameMs ms and in $parts parts, turns as its session does', async (given) => {
  const { fixture, rules, frameMs, parts, states } = given;
  expect(await statesOf(fixture, rules, frameMs, parts)).toEqual(states);
});
