import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Grid } from '../../../src/vt/parsing/cost.js';
import { OutputParser } from '../../../src/vt/parsing/output-parser.js';
import { ParseQueue } from '../../../src/vt/parsing/queue.js';
import { ParseSchedule, type ParseTask } from '../../../src/vt/parsing/schedule.js';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import { bytesOf, openScreen } from '../screens.js';
import { onEffect } from '../../support/screen-effects.js';

const GRID = { cols: 80, rows: 24 };

function emulatorOf(grid: Grid): Emulator {
  const emulator = new Emulator({ ...grid, scrollback: 100 });
  onTestFinished(() => emulator.dispose());
  return emulator;
}

/** Bytes that one slice takes. */
function slice(bytes: Uint8Array, grid: Grid): number {
  return new OutputParser(emulatorOf(grid)).parse(bytes, []).taken;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('a short command in one terminal is parsed long before the floods of twenty others', async () => {
  const schedule = new ParseSchedule();
  const flood = bytesOf('y\r\n'.repeat(200_000));
  const floods = Array.from({ length: 20 }, () => openScreen({ schedule }));
  for (const screen of floods) screen.write(flood);
  const small = openScreen({ schedule });
  small.write(bytesOf('$ '));
  await small.settle(60_000);
  expect(floods.filter((screen) => screen.pendingBytes < flood.length / 2)).toEqual([]);
  for (const screen of floods) screen.dispose();
});

test('a bell is reported long before twenty floods are parsed, even without a waiting reader', async () => {
  const schedule = new ParseSchedule();
  const flood = bytesOf('y\r\n'.repeat(200_000));
  const floods = Array.from({ length: 20 }, () => openScreen({ schedule }));
  const parsedFirst: number[] = [];
  for (const screen of floods) {
    screen.onParsed.on(({ bytes }) => parsedFirst.push(bytes));
    screen.write(flood);
  }
  const small = openScreen({ schedule });
  // Others' slices may follow in the same run, before whoever waits goes on.
  const parsedBefore = new Promise<number>((resolve) => {
    onEffect(small, 'bell', () => resolve(parsedFirst.length));
  });
  small.write(bytesOf('\x07'));
  // At most the slice that is under way, and the one of four that is theirs.
  expect(await parsedBefore).toBeLessThanOrEqual(2);
  for (const screen of floods) screen.dispose();
});

test('the event loop turns between the slices of a flood', async () => {
  const screen = openScreen();
  screen.write(bytesOf('y\r\n'.repeat(500_000)));
  let turns = 0;
  for (; screen.pendingBytes > 0 && turns < 10; turns++) await turn();
  expect(turns).toBe(10);
  screen.dispose();
});

test('urgent tasks go first, but the others are parsed too', async () => {
  const schedule = new ParseSchedule();
  const parsed: string[] = [];
  const task = (name: string, urgent: boolean, slices: number): ParseTask => ({
    isUrgent: () => urgent,
    parseSlice() {
      parsed.push(name);
      return --slices > 0;
    },
  });
  schedule.add(task('a', false, 2));
  schedule.add(task('b', false, 2));
  schedule.add(task('waited for', true, 6));
  // No time passes: all has room in one turn, on a busy machine too.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());
  await turn();
  expect(parsed.slice(0, 4)).toEqual(['waited for', 'waited for', 'waited for', 'a']);
  expect(parsed.filter((name) => name === 'b')).toHaveLength(2);
  expect(parsed).toHaveLength(10);
});

test('a listener that throws loses no slice of its own screen or of another', async () => {
  const schedule = new ParseSchedule();
  const parsed: string[] = [];
  let failing = true;
  const uncaught = new Promise<unknown>((resolve) => {
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => {
      for (const listener of listeners) process.on('uncaughtException', listener);
      resolve(error);
    });
  });
  schedule.add({
    isUrgent: () => false,
    parseSlice() {
      parsed.push('a');
      if (!failing) return false;
      failing = false;
      throw new Error('listener');
    },
  });
  schedule.add({ isUrgent: () => false, parseSlice: () => parsed.push('b') < 0 });
  expect(String(await uncaught)).toContain('listener');
  await turn();
  expect(parsed).toEqual(['a', 'b', 'a']);
});

test.each([
  ['text', 'x', 30_000, 70_000],
  ['coloured text', '\x1b[31mred\x1b[0m ', 30_000, 70_000],
  ['short lines', 'y\r\n', 4000, 20_000],
  ['erasures', '\x1b[2J', 400, 4000],
  ['full resets', '\x1bc', 20, 400],
  ['scrolls', '\x1b[9999S', 20, 400],
  ['inserted lines', '\x1b[9999L', 20, 400],
])('one slice of %s is limited to a few milliseconds of parsing', (_name, unit, least, most) => {
  const taken = slice(bytesOf(unit.repeat(70_000 / unit.length)), GRID);
  expect(taken).toBeGreaterThanOrEqual(least);
  expect(taken).toBeLessThanOrEqual(most);
});

test('on the largest grid a slice is as small as one sequence, but never empty', () => {
  const piece = bytesOf('\x1b[9999L'.repeat(100));
  expect(slice(piece, { cols: 1000, rows: 1000 })).toBe('\x1b[9999L'.length);
});

test('joined slices equal the written bytes, even if they split sequences', () => {
  const chunk = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 30 }),
    fc.constantFrom(
      ...['\x1b[9999S', '\x1bc', '\u009b2J', '\x1b[', '\x1b', 'text\r\n', '\x1b#8'].map((s) => bytesOf(s)),
    ),
  );
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 60 }), fc.integer({ min: 1, max: 200 }), (chunks, maxBytes) => {
      const queue = new ParseQueue();
      for (const bytes of chunks) queue.push({ kind: 'bytes', bytes });
      const slices: Uint8Array[] = [];
      const parser = new OutputParser(emulatorOf(GRID));
      for (let next = queue.next(maxBytes); next?.kind === 'bytes'; next = queue.next(maxBytes)) {
        const { taken } = parser.parse(next.bytes, []);
        expect(taken).toBeGreaterThan(0);
        expect(taken).toBeLessThanOrEqual(maxBytes);
        slices.push(Uint8Array.from(next.bytes.subarray(0, taken)));
        queue.consume(taken);
        queue.release();
      }
      expect(Buffer.concat(slices).equals(Buffer.concat(chunks))).toBe(true);
      expect([queue.pendingBytes, queue.taken]).toEqual([0, queue.accepted]);
    }),
    { numRuns: 300 },
  );
});
