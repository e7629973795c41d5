import { expect, onTestFinished, test } from 'vitest';
import { Emulator } from '../../src/vt/xterm/emulator.js';
import { screenWeight } from '../../src/vt/screen-weight.js';

const COLS = 100;
const ROWS = 10;
const LINE = 'plain';
const JOINED = 'e\u0301\u0302'.repeat(90);
const UNDERLINED = `\x1b[4:3;58;5;1m${'x'.repeat(90)}\x1b[m`;

/** Of a screen in which so many lines were printed. */
function weightOf(lines: readonly string[], { cols = COLS, rows = ROWS, before = '' } = {}): number {
  const emulator = new Emulator({ cols, rows, scrollback: 10_000 });
  onTestFinished(() => emulator.dispose());
  emulator.parse(before);
  emulator.parse(lines.join('\r\n'));
  return screenWeight(emulator);
}

const repeated = (line: string, count: number): string[] => Array.from({ length: count }, () => line);

test('a line weighs the words of its cells and less than 1,000 bytes more', () => {
  const [few, many] = [100, 1100].map((count) => weightOf(repeated(LINE, count)));
  const line = (many! - few!) / 1000;
  expect(line).toBeGreaterThan(COLS * 12);
  expect(line).toBeLessThan(COLS * 12 + 1000);
  const wider = (weightOf(repeated(LINE, 1100), { cols: 200 }) - weightOf(repeated(LINE, 100), { cols: 200 })) / 1000;
  expect(wider - line).toBeCloseTo(100 * 12, 0);
});

test('the viewport weighs more than the lines above it, since its rows are built', () => {
  const lines = repeated(LINE, 100);
  const [low, high] = [10, 60].map((rows) => weightOf(lines, { rows }));
  expect((high! - low!) / 50).toBeGreaterThan(COLS * 12);
  expect((high! - low!) / 50).toBeLessThan(COLS * 50);
});

test('the weight includes the lines of both screens', () => {
  const normal = weightOf(repeated(LINE, 500));
  const both = weightOf(repeated(LINE, ROWS), { before: `${repeated(LINE, 500).join('\r\n')}\x1b[?1049h` });
  expect(both - normal).toBeGreaterThan(ROWS * COLS * 12);
});

test.each([
  ['joined characters', JOINED],
  ['extended attributes', UNDERLINED],
])('lines with %s weigh several times more than plain ones, in proportion to their number', (_, heavy) => {
  const [plain, half, whole] = [
    repeated(LINE, 400),
    [...repeated(LINE, 200), ...repeated(heavy, 200)],
    repeated(heavy, 400),
  ].map((lines) => weightOf(lines));
  expect(whole! / plain!).toBeGreaterThan(3);
  expect(whole! / plain!).toBeLessThan(30);
  expect((half! - plain!) / (whole! - plain!)).toBeGreaterThan(0.4);
  expect((half! - plain!) / (whole! - plain!)).toBeLessThan(0.6);
});
