import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { PastScreen } from '../../src/vt/past-screen.js';
import { keyframeOf, keyframeParts } from '../../src/history/keyframe-bytes.js';
import type { ReadableScreen } from '../../src/vt/readable-screen.js';
import type { Screen } from '../../src/vt/screen.js';
import { bytesOf, contentOf, openScreen, rowContent, show } from './screens.js';
import { choppedInput } from './terminal-input.js';
import { heldBytes } from '../support/held-memory.js';
import { runsOf } from '../support/trial.js';

const step = fc.oneof(
  { weight: 3, arbitrary: choppedInput.map((pieces) => ({ pieces })) },
  {
    weight: 1,
    arbitrary: fc.record({ cols: fc.integer({ min: 2, max: 30 }), rows: fc.integer({ min: 1, max: 8 }) }),
  },
);

/** What later output depends on, too; colours and links through the snapshot. */
function stateOf(screen: ReadableScreen): object {
  const { rev, cols, rows, modes, firstShownNumber, scrollbackLines } = screen;
  const snapshot = screen.snapshot();
  const lines = snapshot.lines.map((row) => rowContent(row));
  return { rev, cols, rows, modes, top: firstShownNumber + scrollbackLines, ...contentOf(snapshot), lines };
}

function thawed(screen: Screen): PastScreen | undefined {
  const keyframe = screen.freeze();
  if (keyframe === undefined) return undefined;
  return new PastScreen(keyframeOf(Buffer.concat(keyframeParts(keyframe))), 1000);
}

/** As the log of a terminal has it. */
test('a screen that was frozen and thawed shows the same, and does so after any further output', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 5 }), choppedInput, async (before, rest) => {
      const screen = openScreen({ scrollback: 8 });
      const slices: { bytes: Uint8Array; changed: boolean }[] = [];
      screen.onSlice.on((slice) => {
        if (slice.kind === 'output') slices.push({ bytes: Buffer.from(slice.bytes), changed: false });
      });
      screen.onParsed.on(({ changed }) => {
        const last = slices.at(-1);
        if (last !== undefined) last.changed = changed;
      });
      for (const each of before) {
        if ('pieces' in each) for (const piece of each.pieces) screen.write(piece);
        else await screen.resize(each.cols, each.rows);
        await screen.settle(60_000);
      }
      const past = thawed(screen);
      fc.pre(past !== undefined);
      if (past === undefined) return;
      expect(stateOf(past)).toEqual(stateOf(screen));
      slices.length = 0;
      for (const piece of rest) {
        screen.write(piece);
        await screen.settle(60_000);
        for (const slice of slices.splice(0)) expect(past.apply(slice.bytes)).toBe(slice.changed);
        expect(stateOf(past)).toEqual(stateOf(screen));
      }
      past.dispose();
      screen.dispose();
    }),
    { numRuns: runsOf({ suite: 60, trial: 300 }) },
  );
});

test.each([
  ['a saved cursor', '\x1b[3;4H\x1b7\x1b[H', '\x1b8X'],
  ['a saved pen', '\x1b[1;4:3;38;5;9m\x1b7\x1b[m', '\x1b8X'],
  ['margins and origin', '\x1b[2;4r\x1b[?6h', '\x1b[3;1HX\n\n\nY'],
  ['tab stops', '\x1b[3g\x1b[1;5H\x1bH\r', '\tX'],
  ['character sets', '\x1b(0', 'qqq\x0eq\x0fq'],
  ['a shifted character set', '\x1b)0\x0e', 'qqq\x0fq'],
  ['insert mode', 'abc\x1b[4h\r', 'X'],
  ['new line mode', '\x1b[20h', 'a\nb'],
  ['no wrapping', '\x1b[?7l', 'x'.repeat(30)],
  ['a pending wrap', 'x'.repeat(20), 'y'],
  ['an open link', '\x1b]8;;http://a.example/\x1b\\a', 'b'],
  ['a half emoji', '\u{1f468}\u200d', '\u{1f469}'],
  ['a repeated character', 'ab', '\x1b[3b'],
  ['titles that are kept', '\x1b]2;one\x07\x1b[22t\x1b]2;two\x07', '\x1b[23t'],
  ['the kitty stack', '\x1b[>1u\x1b[>5u', '\x1b[<u'],
  ['the alternate screen', 'normal\x1b[?1049halt', '\x1b[?1049lX'],
  ['double lines', '\x1b#6wide\r\n\x1b#3top', '\r\n\n\n\n\nX'],
  ['a blinking cursor', '\x1b[?12h\x1b[5 q', 'X'],
  ['mouse modes', '\x1b[?1002;1006h', 'X'],
  ['colours of the program', '\x1b]4;1;#010203\x07\x1b]11;#040506\x07', '\x1b]104;1\x07'],
])('a keyframe keeps %s', async (_name, before, rest) => {
  const screen = openScreen();
  screen.write(bytesOf(before));
  await screen.settle(60_000);
  const past = thawed(screen);
  expect(past && stateOf(past)).toEqual(stateOf(screen));
  screen.write(bytesOf(rest));
  await screen.settle(60_000);
  past?.apply(bytesOf(rest));
  expect(past && stateOf(past)).toEqual(stateOf(screen));
});

test('no keyframe is taken within a sequence', async () => {
  const screen = openScreen();
  screen.write(bytesOf('a\x1b[3'));
  await screen.settle(60_000);
  expect(screen.freeze()).toBeUndefined();
  screen.write(bytesOf('1m'));
  await screen.settle(60_000);
  expect(screen.freeze()).toBeDefined();
});

test.each([
  ['e2', '82ac', 'the first byte of three'],
  ['e282', 'ac', 'two bytes of three'],
  ['f09f98', '80', 'three bytes of four'],
])('within a character there is no keyframe: %s, %s', async (part, rest) => {
  const screen = openScreen({ cols: 10, rows: 2 });
  screen.write(Buffer.from(`61${part}`, 'hex'));
  await screen.settle(60_000);
  expect(screen.freeze()).toBeUndefined();
  screen.write(Buffer.from(rest, 'hex'));
  await screen.settle(60_000);
  expect(screen.freeze()).toBeDefined();
});

test.each(['e282ac', '80', 'e080', 'ff', 'f0808080', 'e28061', 'c3a9', 'eda0'])(
  'behind whole characters and bytes that are none, %s, there is one',
  async (bytes) => {
    const screen = openScreen({ cols: 10, rows: 2 });
    for (const byte of Buffer.from(bytes, 'hex')) {
      screen.write(Buffer.from([byte]));
      await screen.settle(60_000);
    }
    expect(screen.freeze()).toBeDefined();
  },
);

test('a keyframe is the same from its bytes: lines that wrap, of double size, with links, clusters and two buffers', async () => {
  const screen = openScreen({ cols: 12, rows: 5 });
  const link = '\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\';
  screen.write(bytesOf(`plain\r\ne\u0301 ${link}\r\n\x1b#6wide\r\na line that wraps\x1b[?1049h\x1b[4:3malt`));
  await screen.settle(60_000);
  const keyframe = screen.freeze();
  if (keyframe === undefined) throw new Error('the screen is within a sequence');
  const { normal, alt } = keyframe.state.emulator;
  expect([normal.lines.length, alt.lines.length]).toEqual([5, 5]);
  expect(normal.lines.some(({ wrapped }) => wrapped)).toBe(true);
  expect(keyframeOf(Buffer.concat(keyframeParts(keyframe)))).toEqual(keyframe);
});

test('the first screen that is frozen may have a title', async () => {
  // What the library has is checked once in a process.
  vi.resetModules();
  const { openScreen: open } = await import('./screens.js');
  const screen = open();
  screen.write(bytesOf('\x1b]0;a title\x07'));
  await screen.settle(60_000);
  expect(screen.freeze()?.state.emulator.titles).toEqual(['a title', 'a title']);
});

test('a screen that begins late has the revisions of its own lines, and makes none for those before', async () => {
  const screen = openScreen({ scrollback: 8 });
  await show(screen, 'old\r\n'.repeat(20));
  const keyframe = screen.freeze();
  if (keyframe === undefined) throw new Error('the screen is within a sequence');
  const later = 5_000_000;
  heldBytes();
  const { heapUsed } = process.memoryUsage();
  const past = new PastScreen({ ...keyframe, firstLine: keyframe.firstLine + later }, 8);
  // A number for each line before would be 40 MB, if only for a moment.
  expect(process.memoryUsage().heapUsed - heapUsed).toBeLessThan(16_000_000);
  const begun = screen.rev;
  const top = screen.firstLineNumber + screen.scrollbackLines;
  for (const text of ['one\r\n', 'two\r\n']) {
    await show(screen, text);
    past.apply(bytesOf(text));
  }
  const numbers = Array.from({ length: 7 }, (_, row) => top + row);
  expect(past.revisionFloor).toBe(begun);
  expect(numbers.map((number) => past.lineRevision(number + later))).toEqual(
    numbers.map((number) => (screen.lineRevision(number) > begun ? screen.lineRevision(number) : 0)),
  );
  past.dispose();
});
