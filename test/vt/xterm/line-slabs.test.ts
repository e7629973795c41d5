import { expect, test } from 'vitest';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import type { RawLine } from '../../../src/vt/xterm/internals.js';
import { LineSlabs } from '../../../src/vt/xterm/line-slabs.js';
import { bytesOf, openScreen } from '../screens.js';

const ROWS = 4;

function linesOf({ buffer }: Emulator): RawLine[] {
  return Array.from({ length: buffer.lines.length }, (_, index) => buffer.lines.get(index)).filter(
    (line) => line !== undefined,
  );
}

function emulatorOf(lines: number): Emulator {
  const emulator = new Emulator({ cols: 20, rows: ROWS, scrollback: 1000 });
  emulator.parse(Array.from({ length: lines }, (_, i) => `line ${i}`).join('\r\n'));
  return emulator;
}

const textsOf = (emulator: Emulator): string[] => linesOf(emulator).map((line) => line.translateToString(true));

test('lines of the scrollback share blocks of memory, but no words', () => {
  const emulator = emulatorOf(500);
  const words = linesOf(emulator).map((line) => line._data);
  const blocks = [...new Set(words.map(({ buffer }) => buffer))];
  expect(blocks.length).toBeLessThan(20);
  const inOrder = words.toSorted(
    (one, other) => blocks.indexOf(one.buffer) - blocks.indexOf(other.buffer) || one.byteOffset - other.byteOffset,
  );
  const overlapping = inOrder.filter(
    ({ buffer, byteOffset }, i) =>
      inOrder[i - 1]?.buffer === buffer && byteOffset < inOrder[i - 1]!.byteOffset + inOrder[i - 1]!.byteLength,
  );
  expect(overlapping).toEqual([]);
  expect(textsOf(emulator)).toEqual(Array.from({ length: 500 }, (_, i) => `line ${i}`));
});

test('two screens that print in turn share no block', () => {
  const [a, b] = [emulatorOf(5), emulatorOf(5)];
  for (let i = 0; i < 200; i++) {
    a.parse('\r\na');
    b.parse('\r\nb');
  }
  const blocks = new Set(linesOf(a).map(({ _data }) => _data.buffer));
  expect(linesOf(b).filter(({ _data }) => blocks.has(_data.buffer))).toEqual([]);
});

test.each([
  ['wider', [35]],
  ['narrower and wider again', [12, 40]],
  ['narrower in small steps', [19, 18, 17, 20]],
])('a line that becomes %s shows no text of its neighbours', (_, widths) => {
  const emulator = emulatorOf(300);
  for (const cols of widths) emulator.resize(cols, ROWS);
  expect(textsOf(emulator)).toEqual(Array.from({ length: 300 }, (_, i) => `line ${i}`));
  emulator.parse('\r\nthe last one');
  expect(textsOf(emulator).at(-1)).toBe('the last one');
});

test('lines that scroll within a region do not hold a block of the scrollback', () => {
  const emulator = emulatorOf(100);
  const before = new Set(linesOf(emulator).map(({ _data }) => _data.buffer));
  emulator.parse('\x1b[2;3r\x1b[3;1H');
  for (let i = 0; i < 50; i++) emulator.parse(`\r\nregion ${i}`);
  const after = linesOf(emulator).filter(({ _data }) => !before.has(_data.buffer));
  expect(after.length).toBeGreaterThan(0);
  for (const { _data } of after) expect(_data.byteLength).toBe(_data.buffer.byteLength);
});

test('the weight of a screen grows with its lines and with the content of their cells', async () => {
  const weigh = async (text: string): Promise<number> => {
    const screen = openScreen({ cols: 100, rows: 10, scrollback: 1000 });
    screen.write(bytesOf(text));
    await screen.settle(60_000);
    const bytes = screen.weigh();
    screen.dispose();
    return bytes;
  };
  const empty = await weigh('');
  const plain = await weigh('plain\r\n'.repeat(1000));
  const joined = await weigh(`${'e\u0301\u0302'.repeat(90)}\r\n`.repeat(1000));
  const underlined = await weigh(`\x1b[4:3;58;5;1m${'x'.repeat(90)}\x1b[m\r\n`.repeat(1000));
  expect(plain - empty).toBeGreaterThan(990 * 100 * 12);
  expect(joined).toBeGreaterThan(plain * 3);
  expect(underlined).toBeGreaterThan(plain * 3);
});

test('copies of words follow each other in a block, and share no words', () => {
  const slabs = new LineSlabs(emulatorOf(1).internals);
  const words = Uint32Array.from({ length: 300 }, (_, i) => i);
  const copies = Array.from({ length: 100 }, () => slabs.copy(words));
  words.fill(7);
  for (const [i, copy] of copies.entries()) copy[0] = i;
  for (const [i, copy] of copies.entries()) {
    expect(Array.from(copy)).toEqual(Array.from({ length: 300 }, (_, at) => (at === 0 ? i : at)));
    const before = copies[i - 1];
    if (before?.buffer === copy.buffer) expect(copy.byteOffset).toBe(before.byteOffset + before.byteLength);
    else expect(copy.byteOffset).toBe(0);
  }
  const blocks = [...new Set(copies.map(({ buffer }) => buffer.byteLength))];
  expect(blocks.length).toBeGreaterThan(1);
  expect(blocks).toEqual(blocks.toSorted((a, b) => a - b));
});

test('a block is filled to its last word', () => {
  const slabs = new LineSlabs(emulatorOf(1).internals);
  const words = new Uint32Array(1024);
  const [first, ...others] = Array.from({ length: 4 }, () => slabs.copy(words));
  expect(first?.buffer.byteLength).toBe(4 * words.byteLength);
  for (const copy of others) expect(copy.buffer).toBe(first?.buffer);
  expect(slabs.copy(words).buffer).not.toBe(first?.buffer);
});

test('words that would fill a block by themselves get a block of their own', () => {
  const slabs = new LineSlabs(emulatorOf(1).internals);
  const small = slabs.copy(new Uint32Array(8));
  const large = slabs.copy(new Uint32Array(20_000).fill(3));
  expect([large.length, large[19_999], large.byteLength]).toEqual([20_000, 3, large.buffer.byteLength]);
  expect(slabs.copy(new Uint32Array(8)).buffer).toBe(small.buffer);
});

test('a line scrolls into the scrollback unchanged, and does not change the line that it was made from', () => {
  const emulator = emulatorOf(ROWS);
  for (let i = 0; i < 10; i++) {
    const template = linesOf(emulator).map(({ length, _data }) => [length, _data.length]);
    expect(template).toEqual(template.map(() => [20, 60]));
    emulator.parse(`\r\n\x1b[4${i % 8}m${i}\x1b[K\x1b[m`);
  }
  expect(textsOf(emulator).map((text) => text.trimEnd())).toEqual([
    ...Array.from({ length: ROWS }, (_, i) => `line ${i}`),
    ...Array.from({ length: 10 }, (_, i) => `${i}`),
  ]);
});
