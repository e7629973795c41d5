/** Rules that are run through the log of a terminal: they find what they have found then, byte for byte. */
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { changesIn, lineOfChange, replayEntries } from '../../../src/protocol/entry-lines.js';
import type { Profile } from '../../../src/activity/rule.js';
import { FakeClock } from '../../../src/base/clock.js';
import { ActivityFile } from '../../../src/features/rules/activity-file.js';
import { ActivityWatch } from '../../../src/features/rules/activity-watch.js';
import { Budget } from '../../../src/features/rules/budget.js';
import { PastLooks } from '../../../src/features/rules/past-looks.js';
import { readToEnd, replayRules } from '../../../src/features/rules/replay-rules.js';
import { Histories } from '../../../src/features/past/histories.js';
import type { TerminalLog } from '../../../src/history/terminal-log.js';
import { finish } from '../../../src/search/work.js';
import { WorkSchedule } from '../../../src/search/work-schedule.js';
import { profileOf } from '../../activity/watched.js';
import { ownTerminal } from '../../support/own-terminal.js';
import { tempDir } from '../../support/temp-dir.js';
import { runsOf } from '../../support/trial.js';
import { bytesOf } from '../../vt/screens.js';
import { choppedInput } from '../../vt/terminal-input.js';

const RULES = [
  { start: '^ERROR (?P<what>.*)', emit: { kind: 'error' } },
  { start: '^(?P<word>[a-z]+)', continue: '^ ', emit: { kind: 'word', confidence: 0.5 } },
  { start: '(?P<percent>\\d+)%', unfinished: true, emit: { kind: 'progress', key: 'p', numbers: ['percent'] } },
  { start: '.', end: '^end', max_lines: 3, emit: { kind: 'any' } },
  { on: 'region', region: { top: -2 }, start: '(?P<question>\\S+)\\?', emit: { kind: 'question' } },
  { on: 'title', start: '.+', emit: { kind: 'title' } },
];

const rules = fc.subarray(
  RULES.map((rule, index) => ({ id: `r${index}`, ...rule })),
  { minLength: 1 },
);
const line = fc.constantFrom(
  'ERROR one',
  'ERROR two',
  'word',
  ' more',
  '7%\r',
  '50%\r',
  'Overwrite?',
  'end',
  '\x1b]0;busy\x07',
);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(line, { maxLength: 12 }).map((lines) => ({ pieces: [`${lines.join('\r\n')}\r\n`] })),
  },
  { weight: 1, arbitrary: choppedInput.map((pieces) => ({ pieces })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\x1b[?1049h', '\x1b[?1049l', '\x1b[2J\x1b[H').map((text) => ({ pieces: [text] })),
  },
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 400 }).map((ms) => ({ ms })) },
  { weight: 1, arbitrary: fc.record({ cols: fc.integer({ min: 5, max: 30 }), rows: fc.integer({ min: 2, max: 8 }) }) },
  { weight: 1, arbitrary: fc.constant({ now: true }) },
);

/** A terminal with a log, whose rules write a file. */
function watched(profile: Profile) {
  const clock = new FakeClock();
  const limits = () => ({ history_bytes: 1 << 24, history_total_bytes: 1 << 26 });
  const histories = new Histories({ clock, limits, memoryLimit: () => 1 << 30 });
  const terminal = ownTerminal({ clock, scrollback: 200 });
  terminal.feed.add(histories.observe(terminal));
  const work = new WorkSchedule();
  const file = new ActivityFile(tempDir().join('1.jsonl'), (message) => expect.fail(message));
  onTestFinished(() => file.close());
  const watch = new ActivityWatch(terminal, { clock, work, budget: new Budget(clock) }, file);
  watch.use(profile);
  const log = histories.of(terminal) as TerminalLog;
  const { signal } = new AbortController();
  return {
    clock,
    terminal,
    watch,
    log,
    /** The lines of changes of its file. */
    lines: async (): Promise<string> => {
      await file.written();
      const lines = readFileSync(file.path, 'utf8').split('\n');
      return lines.filter((text) => !text.includes('"checkpoint"')).join('\n');
    },
    /** As a file, what these rules find in the log. */
    replayed: (by: Profile): string => {
      const looks = new PastLooks(by, terminal.id);
      finish(readToEnd(log, looks, terminal));
      return looks.changes.map((change, index) => lineOfChange({ ...change, n: index + 1 })).join('');
    },
    apply: (by: Profile, fromRev = 0) => replayRules(watch, terminal, by, { log, fromRev, work, signal }),
    print: async (text: string, ms = 0): Promise<void> => {
      terminal.screen.write(bytesOf(text));
      await terminal.screen.settle(60_000);
      clock.advance(ms);
      await setImmediate();
    },
  };
}

type Step = { pieces: string[] } | { ms: number } | { cols: number; rows: number } | { now: boolean };

async function run(
  { terminal, watch, clock, print }: ReturnType<typeof watched>,
  steps: readonly Step[],
): Promise<void> {
  for (const each of steps) {
    if ('pieces' in each) for (const piece of each.pieces) await print(piece);
    else if ('ms' in each) clock.advance(each.ms);
    else if ('now' in each) watch.lookNow();
    else await terminal.screen.resize(each.cols, each.rows);
    await setImmediate();
  }
}

it('has the lines of the file, under any output and any rules', async () => {
  await fc.assert(
    fc.asyncProperty(rules, fc.array(step, { maxLength: 40 }), async (chosen, steps) => {
      const profile = profileOf(...chosen);
      const own = watched(profile);
      await run(own, steps as Step[]);
      own.watch.lookNow();
      own.watch.dispose();
      expect(own.replayed(profile)).toBe(await own.lines());
      own.terminal.killAtOnce();
    }),
    { numRuns: runsOf({ suite: 9, trial: 60 }) },
  );
}, 120_000);

it('corrects a feed to what the rules of now would have found, and then corrects nothing', async () => {
  await fc.assert(
    fc.asyncProperty(rules, rules, fc.array(step, { maxLength: 30 }), async (before, after, steps) => {
      const own = watched(profileOf(...before));
      await run(own, steps as Step[]);
      const profile = profileOf(...after);
      const kept = await own.lines();
      await own.apply(profile);
      const lines = await own.lines();
      expect(lines.startsWith(kept)).toBe(true);
      const says = (text: string) =>
        replayEntries(changesIn(text))
          .map(({ id, kind, rule, open, data }) => JSON.stringify({ id, kind, rule, open, data }))
          .toSorted();
      expect(says(lines)).toEqual(says(own.replayed(profile)));
      expect(await own.apply(profile)).toBe(0);
      own.watch.dispose();
      own.terminal.killAtOnce();
    }),
    { numRuns: runsOf({ suite: 8, trial: 40 }) },
  );
}, 120_000);
