import { expect, onTestFinished, test } from 'vitest';
import { MAX_CLUSTER_LENGTH } from '../../../src/vt/xterm/cluster-limit.js';
import { checkSize, Emulator } from '../../../src/vt/xterm/emulator.js';
import { openScreen, show, textOf } from '../screens.js';

function openEmulator(cols = 20, rows = 2): Emulator {
  const emulator = new Emulator({ cols, rows, scrollback: 0 });
  onTestFinished(() => emulator.dispose());
  return emulator;
}

function firstLine(emulator: Emulator): string {
  return emulator.buffer.lines.get(emulator.buffer.ybase)?.translateToString(true) ?? '';
}

test('written text and written bytes are on the grid at once', () => {
  const emulator = openEmulator();
  emulator.parse('one ');
  expect(firstLine(emulator)).toBe('one ');
  emulator.parse(Buffer.from('two'));
  expect(firstLine(emulator)).toBe('one two');
});

test('handlers receive the parameters and payloads of their own sequences only', () => {
  const emulator = openEmulator();
  const seen: unknown[] = [];
  emulator.onCsi({ prefix: '>', intermediates: '!', final: 'y' }, (params) => seen.push(['csi', params]) > 0);
  emulator.onEsc({ intermediates: '%', final: '9' }, () => seen.push(['esc']) > 0);
  emulator.onOsc(5555, (payload) => seen.push(['osc', payload]) > 0);
  emulator.onDcs({ prefix: '=', final: 'y' }, (payload, params) => seen.push(['dcs', payload, params]) > 0);
  emulator.parse(
    '\x1b[>1;2:3!y\x1b[>1y\x1b[!y\x1b%9\x1b%7\x1b]5555;a;b\x07\x1b]555;c\x07\x1bP=4;5ydata\x1b\\\x1bPyx\x1b\\',
  );
  expect(seen).toEqual([['csi', [1, 2, [3]]], ['esc'], ['osc', 'a;b'], ['dcs', 'data', [4, 5]]]);
});

test.each([
  ['a sequence that began in an earlier piece', 'a\x1b[', '5ylost'],
  ['a string that began in an earlier piece', 'a\x1b]5555;long', ' payload\x07lost'],
  ['a device control string', 'a\x1bPy', 'payload\x1b\\lost'],
])('the screen continues after the handler of %s has thrown', (_, before, throwing) => {
  const emulator = openEmulator();
  const fail = (): boolean => {
    throw new Error('handler');
  };
  emulator.onCsi({ final: 'y' }, fail);
  emulator.onOsc(5555, fail);
  emulator.onDcs({ final: 'y' }, fail);
  emulator.parse(before);
  expect(() => emulator.parse(throwing)).toThrow('handler');
  emulator.parse('b');
  expect(firstLine(emulator)).toBe('ab');
});

test('the alternate screen is the active buffer until it is left', () => {
  const emulator = openEmulator();
  emulator.parse('normal');
  expect([emulator.altScreen, emulator.buffer === emulator.normalBuffer]).toEqual([false, true]);
  emulator.parse('\x1b[?1049h\x1b[Halternate');
  expect([emulator.altScreen, emulator.buffer === emulator.normalBuffer]).toEqual([true, false]);
  expect(firstLine(emulator)).toBe('alternate');
  emulator.parse('\x1b[?1049l');
  expect([emulator.altScreen, firstLine(emulator)]).toEqual([false, 'normal']);
});

test('the lines of the alternate screen are as wide as the grid after every resize', () => {
  const emulator = openEmulator(20, 4);
  emulator.parse('normal\x1b[?1049h\x1b[Halternate');
  for (const [cols, rows] of [
    [10, 4],
    [30, 2],
    [5, 6],
  ] as const) {
    emulator.resize(cols, rows);
    expect([emulator.terminal.cols, emulator.terminal.rows]).toEqual([cols, rows]);
    for (let row = 0; row < rows; row++)
      expect(emulator.buffer.lines.get(emulator.buffer.ybase + row)?.length).toBe(cols);
  }
  expect(firstLine(emulator)).toBe('alter');
});

test('a saved title is restored', async () => {
  const screen = openScreen();
  await show(screen, '\x1b]2;one\x07\x1b[22t\x1b]2;two\x07');
  expect(screen.title).toBe('two');
  await show(screen, '\x1b[23t');
  expect(screen.title).toBe('one');
});

test.each([
  ['\x1b[1J', ''],
  ['\x1b[?1J', 'ab'],
])('erasing above the last column with %j leaves %j of the protected cells', async (erase, left) => {
  const screen = openScreen({ cols: 4, rows: 2 });
  const written = `\x1b[1"qab\x1b[0"qcd\r\n1234`;
  expect(textOf(await show(screen, `${written}\x1b[2;4H${erase}`))).toEqual([left, '']);
  const other = openScreen({ cols: 4, rows: 2 });
  expect(textOf(await show(other, `${written}\x1b[2;2H${erase}`))).toEqual([left, '  34']);
});

test('endless combining marks are cut in every column', async () => {
  const { lines } = await show(openScreen(), `12345a${'\u0301'.repeat(1000)}b${'\u0302'.repeat(1000)}c`);
  expect(lines[0]?.clusters).toEqual([
    `a${'\u0301'.repeat(MAX_CLUSTER_LENGTH - 1)}`,
    `b${'\u0302'.repeat(MAX_CLUSTER_LENGTH - 1)}`,
  ]);
});

test.each([
  [2, 1],
  [2, 24],
  [80, 1],
  [1000, 1000],
])('a grid of %ix%i is accepted', (cols, rows) => {
  expect(() => checkSize(cols, rows)).not.toThrow();
});

test.each([
  [1, 1],
  [2, 0],
  [80.5, 24],
  [80, 24.5],
  [Number.NaN, 24],
  [80, Number.NaN],
  [Infinity, 24],
  [80, Infinity],
  [-80, 24],
  [80, -24],
])('a grid of %dx%d is refused', (cols, rows) => {
  expect(() => checkSize(cols, rows)).toThrow(RangeError);
});
