import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Replay } from '../../src/history/replay.js';
import type { TerminalLog } from '../../src/history/terminal-log.js';
import { MAX_MARKERS } from '../../src/protocol/limits.js';
import type { LogMoment } from '../../src/protocol/moment.js';
import { bytesOf, openScreen } from '../vt/screens.js';
import { choppedInput } from '../vt/terminal-input.js';
import { runsOf } from '../support/trial.js';
import { logged, replayed, settled, shownBy, unpack } from './logged-screens.js';

const step = fc.oneof(
  { weight: 5, arbitrary: choppedInput.map((pieces) => ({ pieces })) },
  {
    weight: 1,
    arbitrary: fc.record({ cols: fc.integer({ min: 2, max: 30 }), rows: fc.integer({ min: 1, max: 8 }) }),
  },
  { weight: 1, arbitrary: fc.record({ forgotten: fc.nat(5), count: fc.integer({ min: 1, max: 3 }) }) },
);

test('each revision of any output that is not forgotten can be replayed, and shows what the live screen showed then', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const screen = openScreen({ scrollback: 6 });
      const log = logged(screen);
      // Numbers of lines may change and nothing that is shown, as by a reset of a blank screen.
      const seen = new Map<number, object[]>([[0, [shownBy(screen)]]]);
      screen.onParsed.on(() => {
        seen.set(screen.rev, [...(seen.get(screen.rev) ?? []), shownBy(screen)]);
      });
      for (const each of steps) {
        if ('pieces' in each) for (const piece of each.pieces) screen.write(piece);
        else if ('forgotten' in each) log.forget(log.chunks.slice(each.forgotten, each.forgotten + each.count));
        else await screen.resize(each.cols, each.rows);
        await screen.settle(60_000);
      }
      const isWhole = !steps.some((each) => 'forgotten' in each);
      for (const [rev, shown] of seen) {
        const moment: LogMoment = { kind: 'rev', number: rev, before: false };
        // A sequence that goes on across a change of size leaves a gap until its end.
        const isKept = log.chunks.some((chunk) => chunk.start.rev <= rev && rev <= chunk.rev && !chunk.isForgotten);
        if (!isKept) {
          expect(() => replayed(log, moment)).toThrow(/history|not there yet/);
          continue;
        }
        const replay = replayed(log, moment);
        expect(isWhole ? shown.slice(0, 1) : shown).toContainEqual(shownBy(replay.screen));
        replay.dispose();
      }
      const closed = log.chunks.reduce((bytes, { heldBytes }) => bytes + heldBytes, 0);
      expect(log.heldBytes).toBe(closed);
      screen.dispose();
    }),
    { numRuns: runsOf({ suite: 30, trial: 150 }) },
  );
});

test('a flood of plain lines makes longer chunks than output that is slow to parse', async () => {
  const lengths = async (text: string, length: number): Promise<number[]> => {
    const screen = openScreen({ cols: 80, rows: 24 });
    const log = logged(screen);
    const entries: number[] = [];
    screen.write(bytesOf(text.repeat(Math.ceil(length / text.length))));
    await screen.settle(60_000);
    for (const chunk of log.chunks.slice(0, -1)) {
      entries.push([...chunk.entries(unpack)].at(-1)?.end ?? 0);
    }
    return entries;
  };
  const plain = await lengths(`${'a line of a log '.repeat(5)}\r\n`, 1_200_000);
  const slow = await lengths(`\x1b[H${'\x1b[2Jx'.repeat(20)}\r\n`, 600_000);
  expect(Math.min(...plain)).toBeGreaterThanOrEqual(512 * 1024);
  expect(slow).not.toEqual([]);
  expect(Math.max(...slow)).toBeLessThan(384 * 1024);
});

test('a long log is made of chunks, each of which is replayed from its own keyframe', async () => {
  const screen = openScreen();
  const log = logged(screen);
  const seen: object[] = [];
  for (let i = 0; i < 1200; i++) {
    await settled(screen, `\x1b[3${i % 8}mline ${i}\r\n`);
    if (i % 100 === 50) seen.push(shownBy(screen));
  }
  expect(log.chunks.length).toBe(3);
  for (const shown of seen) {
    const { rev } = shown as { rev: number };
    const replay = replayed(log, { kind: 'rev', number: rev, before: false });
    expect(shownBy(replay.screen)).toEqual(shown);
    replay.dispose();
  }
  expect(log.dropOldest()).toBe(true);
  expect(() => replayed(log, { kind: 'start', before: false })).toThrow(
    expect.objectContaining({ code: 'moment_lost' }),
  );
});

test('of what is forgotten in the middle no moment is left, and those before and after it are as they were', async () => {
  const screen = openScreen();
  let now = 0;
  const log = logged(screen, () => now);
  const shown = new Map<number, object>();
  for (let i = 1; i <= 1600; i++) {
    now = i;
    await settled(screen, `line ${i}\r\n`);
    if (i % 100 === 50) shown.set(screen.rev, shownBy(screen));
  }
  const [, second, third] = log.chunks;
  if (second === undefined || third === undefined) throw new Error('there are fewer chunks');
  const before = log.heldBytes;
  log.forget([second]);
  expect(log.heldBytes).toBeLessThan(before);
  const lost = expect.objectContaining({ code: 'moment_lost' }) as Error;
  let kept = 0;
  for (const [rev, state] of shown) {
    const moment: LogMoment = { kind: 'rev', number: rev, before: false };
    if (rev > second.start.rev && rev < second.rev) expect(() => replayed(log, moment)).toThrow(lost);
    else {
      const replay = replayed(log, moment);
      expect(shownBy(replay.screen)).toEqual(state);
      replay.dispose();
      kept++;
    }
  }
  expect(kept).toBeLessThan(shown.size);
  expect(() => replayed(log, { kind: 'ts', number: second.start.ms + 5, before: false }, 9000)).toThrow(lost);
  expect(topRow(log, { kind: 'ts', number: third.start.ms + 5, before: false }, 9000)).toMatch(/^line/);
  // Behind the oldest that is kept nothing is left of it, not even that it was there.
  log.dropOldest();
  expect(log.chunks[0]).toBe(third);
  log.forget(log.chunks);
  expect(log.chunks).toHaveLength(1);
  now = 2000;
  await settled(screen, 'the end');
  const last = replayed(log, { kind: 'end', before: false }, 9000);
  expect(shownBy(last.screen)).toEqual(shownBy(screen));
});

function topRow(log: TerminalLog, moment: LogMoment, nowMs: number): string | undefined {
  const replay = replayed(log, moment, nowMs);
  const text = replay.screen.lineText(replay.screen.scrollbackLines);
  replay.dispose();
  return text;
}

test('moments are found by time, event, input, marker and command', async () => {
  const screen = openScreen();
  let now = 1000;
  const log = logged(screen, () => now);
  const at = (point: object, nowMs = 6000): string | undefined =>
    topRow(log, { before: false, ...point } as LogMoment, nowMs);
  now = 2000;
  await settled(screen, 'one');
  log.event(7);
  log.input();
  now = 3000;
  await settled(screen, '\rtwo');
  log.marker('half');
  log.event(9, 'started', 1);
  now = 4000;
  await settled(screen, '\x1b[?2026h\rXXX');
  now = 4001;
  await settled(screen, '\rthree\x1b[?2026l');
  log.event(10, 'ended', 1);
  log.input();
  expect(at({ kind: 'ts', number: 2500 })).toBe('one');
  expect(at({ kind: 'before_end', ms: 2000 })).toBe('two');
  expect(at({ kind: 'since_start', ms: 2999 })).toBe('two');
  expect(at({ kind: 'end' })).toBe('three');
  expect(at({ kind: 'end', before: true })).toBe('XXX');
  expect(at({ kind: 'start' })).toBe('');
  expect(at({ kind: 'seq', number: 7 })).toBe('one');
  expect(at({ kind: 'seq', number: 7, before: true })).toBe('');
  expect(at({ kind: 'input', back: 1 })).toBe('three');
  expect(at({ kind: 'input', back: 2 })).toBe('one');
  expect(at({ kind: 'marker', name: 'half' })).toBe('two');
  expect(at({ kind: 'command', command: 1, point: 'start' })).toBe('two');
  expect(at({ kind: 'command', command: 1, point: 'end' })).toBe('three');
});

test('of more markers than the bound the oldest are no moments any more, and a name that comes again is one', async () => {
  const screen = openScreen();
  const log = logged(screen);
  await settled(screen, 'one');
  for (let i = 0; i < MAX_MARKERS + 10; i++) log.marker(`m${i}`);
  for (let i = 0; i < 100; i++) log.marker('m20');
  const at = (name: string): Replay => replayed(log, { kind: 'marker', name, before: false });
  for (const name of ['m10', 'm20', `m${MAX_MARKERS + 9}`]) expect(at(name).screen.rev).toBe(screen.rev);
  for (const name of ['m0', 'm9']) expect(() => at(name)).toThrow(`marker`);
  expect(log.chunks.reduce((count, { markers }) => count + markers, 0)).toBe(MAX_MARKERS);
});

test('a log to which no output comes is made of chunks, too, which count what the names of its markers take', async () => {
  const screen = openScreen();
  const log = logged(screen);
  await settled(screen, 'one');
  const before = log.heldBytes;
  for (let i = 0; i < 9000; i++) log.marker(`${i} ${'x'.repeat(190)}`);
  expect(log.chunks.length).toBeGreaterThan(2);
  // Two bytes a character at most.
  expect(log.heldBytes - before).toBeGreaterThan(9000 * 400);
  const sum = (): number => log.chunks.reduce((bytes, { heldBytes }) => bytes + heldBytes, 0);
  expect(log.heldBytes).toBe(sum());
  while (log.dropOldest());
  expect(log.heldBytes).toBe(sum());
  expect(log.heldBytes).toBeLessThan(2.2 * 1024 * 1024);
  for (let i = 0; i < 500_000; i++) log.event(i);
  expect(log.chunks.length).toBeGreaterThan(2);
});

test('moments by time are never within a synchronized update, revisions may be', async () => {
  const screen = openScreen();
  let now = 1000;
  const log = logged(screen, () => now);
  await settled(screen, 'whole');
  now = 2000;
  screen.write(bytesOf('\x1b[?2026h\rhalf'));
  await screen.settle(0);
  await screen.settle(200);
  const { rev } = screen;
  expect(topRow(log, { kind: 'ts', number: 2000, before: false }, 9000)).toBe('whole');
  expect(topRow(log, { kind: 'rev', number: rev, before: false }, 9000)).toBe('halfe');
});

test.each([
  [{ kind: 'rev', number: 99 }, 'revision_unknown'],
  [{ kind: 'seq', number: 99 }, 'moment_unknown'],
  [{ kind: 'ts', number: 99_999 }, 'moment_unknown'],
  [{ kind: 'input', back: 1 }, 'moment_unknown'],
  [{ kind: 'marker', name: 'none' }, 'moment_unknown'],
  [{ kind: 'command', command: 3, point: 'end' }, 'moment_unknown'],
  [{ kind: 'rev', number: 0, before: true }, 'moment_lost'],
])('a moment that is not there is refused: %j is %s', async (point, code) => {
  const screen = openScreen();
  const log = logged(screen);
  await settled(screen, 'one');
  expect(() => replayed(log, { before: false, ...point } as LogMoment)).toThrow(expect.objectContaining({ code }));
});

test('a terminal that prints little keeps little', async () => {
  const screen = openScreen({ cols: 80, rows: 24 });
  const log = logged(screen);
  await settled(screen, '$ ');
  expect(log.heldBytes).toBeLessThan(4096);
});
