/** A screen that was frozen whole, at any byte, and thawed goes on as the one that was not. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Screen } from '../../src/vt/screen.js';
import type { WithBlobs } from '../../src/base/json-blobs.js';
import { LinesAhead, LinesBefore } from '../../src/vt/lines-ahead.js';
import { decodeWhole, encodeWhole } from '../../src/vt/whole-screen.js';
import { bytesOf, contentOf, openScreen, rowContent, THEME } from './screens.js';
import { choppedInput } from './terminal-input.js';
import { runsOf } from '../support/trial.js';

const OPTIONS = { colors: THEME, version: '1.2.3', answersStatus: true };

/** All that a reader, a program and later output can see. */
function stateOf(screen: Screen): object {
  const { rev, modesMoment, firstLineNumber, firstMarkedNumber, scrollbackLines, revisionFloor, totalLines } = screen;
  const { parsedBytes, resizes, pendingBytes } = screen;
  const lines = Array.from({ length: totalLines }, (_, index) => {
    const row = screen.row(index);
    const revision = screen.lineRevision(screen.firstShownNumber + index);
    return [row && rowContent(row), screen.continuesLine(index), revision];
  });
  const numbers = { rev, firstLineNumber, firstMarkedNumber, scrollbackLines, revisionFloor };
  const counts = { parsedBytes, resizes, pendingBytes };
  return { ...numbers, ...counts, modesMoment, ...contentOf(screen.snapshot()), lines };
}

function thawed(screen: Screen): Screen {
  return Screen.thaw(OPTIONS, decodeWhole(moved(encodeWhole(screen.whole()))));
}

function effectsOf(screen: Screen): unknown[] {
  const effects: unknown[] = [];
  screen.onReply.on((bytes) => void effects.push(bytes));
  screen.onEffect.on((effect) => void effects.push(effect));
  screen.onUnknownSequence.on((sequence) => void effects.push(sequence));
  return effects;
}

type Step = Uint8Array | { readonly cols: number; readonly rows: number };

function apply(screen: Screen, step: Step): void {
  if (step instanceof Uint8Array) screen.write(step);
  else void screen.resize(step.cols, step.rows);
}

const size = fc.record({ cols: fc.integer({ min: 2, max: 30 }), rows: fc.integer({ min: 1, max: 8 }) });
/** Ends of sequences and characters fall anywhere. */
const steps = fc
  .array(fc.oneof({ weight: 4, arbitrary: choppedInput }, { weight: 1, arbitrary: size.map((each) => [each]) }), {
    maxLength: 6,
  })
  .map((lists) => lists.flat() as Step[]);

test('it shows the same, to the numbers and revisions of its lines, and so does all that follows', async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, fc.boolean(), async (before, after, isWatched) => {
      const screen = openScreen({ ...OPTIONS, scrollback: 12 });
      if (isWatched) screen.watchRows();
      for (const step of before) {
        apply(screen, step);
        await screen.settle(60_000);
      }
      const other = thawed(screen);
      try {
        expect(stateOf(other)).toEqual(stateOf(screen));
        const [effects, others] = [effectsOf(screen), effectsOf(other)];
        for (const step of after) {
          apply(screen, step);
          apply(other, step);
          await Promise.all([screen.settle(60_000), other.settle(60_000)]);
          expect(stateOf(other)).toEqual(stateOf(screen));
          expect(others).toEqual(effects);
        }
      } finally {
        other.dispose();
        screen.dispose();
      }
    }),
    { numRuns: runsOf({ suite: 60, trial: 2000 }) },
  );
});

/** As over a pipe: bytes of its own. */
function moved({ json, blobs }: WithBlobs): WithBlobs {
  return { json, blobs: blobs.map((blob) => Buffer.from(blob)) };
}

test('the scrollback that went ahead is the one that it has then, after any output and sizes', async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 2, maxLength: 4 }), steps, async (rounds, after) => {
      const screen = openScreen({ ...OPTIONS, cols: 12, rows: 3, scrollback: 40 });
      screen.write(bytesOf('line\r\n'.repeat(9)));
      await screen.settle(60_000);
      const [ahead, before] = [new LinesAhead(screen), new LinesBefore()];
      for (const round of rounds) {
        for (const part of ahead.parts()) before.add(0, moved(part));
        for (const step of round) {
          apply(screen, step);
          await screen.settle(60_000);
        }
      }
      taken += ahead.count;
      const other = Screen.thaw(
        OPTIONS,
        decodeWhole(moved(encodeWhole(screen.whole(ahead))), (...lines) => before.take(0, ...lines)),
      );
      try {
        expect(stateOf(other)).toEqual(stateOf(screen));
        for (const step of after) {
          for (const each of [screen, other]) apply(each, step);
          await Promise.all([screen.settle(60_000), other.settle(60_000)]);
          expect(stateOf(other)).toEqual(stateOf(screen));
        }
      } finally {
        for (const each of [other, screen, before]) each.dispose();
      }
    }),
    { numRuns: runsOf({ suite: 60, trial: 2000 }) },
  );
  expect(taken).toBeGreaterThan(0);
});

test('a flood that pushes out what went ahead, a reset and another size leave nothing of it', async () => {
  const screen = openScreen({ ...OPTIONS, cols: 12, rows: 3, scrollback: 10 });
  const print = async (text: string): Promise<void> => {
    screen.write(bytesOf(text));
    await screen.settle(60_000);
  };
  await print('one\r\n'.repeat(9));
  const flooded = new LinesAhead(screen);
  expect([...flooded.parts()]).toHaveLength(1);
  expect(flooded.count).toBe(7);
  await print('two\r\n'.repeat(4));
  // One line for each that came beyond the ten.
  expect(flooded.count).toBe(6);
  await print('two\r\n'.repeat(40));
  expect(flooded.count).toBe(0);
  expect([[...flooded.parts()].length, flooded.count]).toEqual([1, 10]);
  await print('\x1bc');
  expect([[...flooded.parts()].length, flooded.count]).toEqual([0, 0]);
  await print('three\r\n'.repeat(9));
  const resized = new LinesAhead(screen);
  expect([...resized.parts()]).toHaveLength(1);
  await screen.resize(10, 3);
  expect([[...resized.parts()].length, resized.count]).toEqual([0, 0]);
  const missing = moved(encodeWhole(screen.whole({ count: 2, links: new Set() })));
  expect(() => decodeWhole(missing, () => [])).toThrow('are missing');
});

test.each([
  ['an escape', '\x1b', '[31mred'],
  ['an escape with a letter before its end', '\x1b(', '0qq'],
  ['a sequence without a parameter', 'ab\x1b[', '3b'],
  ['a parameter', '\x1b[3', '1mred'],
  ['parameters, some empty', '\x1b[;5', ';38;5;9mX'],
  ['a private one', '\x1b[?104', '9hX'],
  ['parts of a parameter', '\x1b[4:', '3mX'],
  ['a control within it, which was done', '\x1b[3\n', '1mred'],
  ['a letter before its end', '\x1b[3 ', 'qX'],
  ['more parameters than are taken', `\x1b[${'1;'.repeat(40)}`, '31mX'],
  ['more parts than are taken', `\x1b[4${':1'.repeat(40)}`, ':3mX'],
  ['one that is dropped', '\x1b[1<', '31mX'],
  ['a string before its number', '\x1b]', '2;title\x07'],
  ['its number', '\x1b]1', '1;#010203\x07'],
  ['its text', '\x1b]2;ti', 'tle\x07'],
  ['a text that is too long', `\x1b]2;${'x'.repeat(70_000)}`, 'x\x07y'],
  ['a string without a number', '\x1b]abc', '2;x\x07y'],
  ['the end of a string', '\x1b]2;title\x1b', '\\y'],
  ['a query', '\x1bP$', 'qm\x1b\\'],
  ['the text of one', '\x1bP$q', 'm\x1b\\'],
  ['one with parameters', '\x1bP1;2', '|0\x1b\\X'],
  ['the name of a window', '\x1bkabc', 'def\x1b\\X'],
  ['a string that is not looked at', '\x1b_Gabc', 'def\x1b\\X'],
  ['a character', Buffer.from('a\u6f22').subarray(0, 3), Buffer.from('\u6f22').subarray(2)],
  ['a character of a title', Buffer.from('\x1b]2;\u6f22').subarray(0, 6), Buffer.from('\u6f22\x07').subarray(2)],
  ['an introducer of one character', Buffer.from('c2', 'hex'), Buffer.from('9b33316d58', 'hex')],
])('within %s', async (_what, before, after) => {
  const bytes = (text: string | Uint8Array) => (typeof text === 'string' ? bytesOf(text) : new Uint8Array(text));
  const screen = openScreen(OPTIONS);
  screen.write(bytes(before));
  await screen.settle(60_000);
  const other = thawed(screen);
  const [effects, others] = [effectsOf(screen), effectsOf(other)];
  for (const each of [screen, other]) each.write(bytes(after));
  await Promise.all([screen.settle(60_000), other.settle(60_000)]);
  expect(stateOf(other)).toEqual(stateOf(screen));
  expect(others).toEqual(effects);
  other.dispose();
});

test('what waits to be parsed goes along, sizes in their place', async () => {
  const screen = openScreen({ ...OPTIONS, cols: 20, rows: 4 });
  screen.write(bytesOf('one two three four five six'));
  void screen.resize(10, 4);
  screen.write(bytesOf(' seven \u6f22'));
  const other = thawed(screen);
  await Promise.all([screen.settle(60_000), other.settle(60_000)]);
  expect(stateOf(other)).toEqual(stateOf(screen));
  expect([other.cols, other.lineText(0)]).toEqual([10, 'one two th']);
  other.dispose();
});

test('the rows of the alternate screen keep their numbers, also below lines that it has lost', async () => {
  const screen = openScreen({ ...OPTIONS, cols: 20, rows: 5 });
  void screen.resize(2, 1);
  screen.write(bytesOf('\x1b[?47h   '));
  await screen.settle(60_000);
  const other = thawed(screen);
  expect(stateOf(other)).toEqual(stateOf(screen));
  other.dispose();
});

test('a screen of another version is refused', async () => {
  const { json, blobs } = encodeWhole(openScreen().whole());
  expect(() => decodeWhole({ json: json.replace('"version":1', '"version":9'), blobs })).toThrow('version 9');
  expect(() => decodeWhole({ json, blobs: [] })).toThrow('no blob');
});
