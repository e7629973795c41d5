import { expect, onTestFinished, test } from 'vitest';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import { LineNumbers, type LineAnchor } from '../../../src/vt/rows/line-numbers.js';

const ROWS = 4;

function open({ cols = 10, scrollback = 20 } = {}) {
  const emulator = new Emulator({ cols, rows: ROWS, scrollback });
  onTestFinished(() => emulator.dispose());
  const numbers = new LineNumbers(emulator);
  /** The text of the line that has the number now. */
  const textOf = (number: number | undefined): string | undefined =>
    number === undefined ? undefined : emulator.normalBuffer.lines.get(number - numbers.first)?.translateToString(true);
  const layOut = (width: number): void => numbers.keepAnchors(() => emulator.resize(width, ROWS));
  return { emulator, numbers, textOf, layOut };
}

const lines = (count: number, text = (i: number) => `${i}`): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('\r\n');

test('a line keeps its number while the scrollback grows, is cut and starts again', () => {
  const { emulator, numbers, textOf } = open({ scrollback: 3 });
  emulator.parse(lines(5));
  expect([numbers.first, numbers.numberOf(2), textOf(3)]).toEqual([0, 2, '3']);
  emulator.parse(`\r\n${lines(5, (i) => `${5 + i}`)}`);
  expect([numbers.first, numbers.numberOf(2), textOf(3), textOf(9)]).toEqual([3, 5, '3', '9']);
  emulator.parse('\x1bcnew');
  expect([numbers.first, textOf(10)]).toEqual([10, 'new']);
  emulator.parse('\r\n'.repeat(ROWS + 3));
  expect(numbers.first).toBe(11);
});

test('the alternate screen changes no number', () => {
  const { emulator, numbers } = open({ scrollback: 2 });
  emulator.parse(lines(8));
  const { first } = numbers;
  emulator.parse('\x1b[?1049h');
  emulator.parse(lines(30));
  expect(numbers.first).toBe(first);
  emulator.parse('\x1b[?1049l');
  expect(numbers.first).toBe(first);
});

test('an anchor stays at its line, even at the oldest, until the line is lost', () => {
  const { emulator, numbers } = open({ scrollback: 3 });
  emulator.parse(lines(7));
  const anchors = [0, 1, 6].map((line) => numbers.anchor(line));
  expect(anchors.map(({ line }) => line)).toEqual([0, 1, 6]);
  emulator.parse('\r\n');
  expect(anchors.map(({ line }) => line)).toEqual([undefined, 1, 6]);
  emulator.parse('\x1bc');
  expect(anchors.map(({ line }) => line)).toEqual([undefined, undefined, undefined]);
});

test('the layout changes with and without an anchor', () => {
  const { emulator, numbers, layOut } = open();
  layOut(20);
  expect(emulator.terminal.cols).toBe(20);
  const anchor = numbers.anchor(0);
  layOut(30);
  expect(emulator.terminal.cols).toBe(30);
  anchor.dispose();
  layOut(40);
  expect(emulator.terminal.cols).toBe(40);
});

test('an anchor follows its line through a new layout', () => {
  const { emulator, numbers, textOf, layOut } = open({ cols: 10 });
  emulator.parse(lines(6, (i) => `${'-'.repeat(14)}\r\n${i}`));
  const anchors = Array.from({ length: 6 }, (_, i) => numbers.anchor(i * 3 + 2));
  const texts = (): unknown[] => anchors.map(({ line }) => textOf(line));
  const names = ['0', '1', '2', '3', '4', '5'];
  expect(texts()).toEqual(names);
  for (const cols of [5, 20, 7, 10]) {
    layOut(cols);
    expect(texts(), `${cols} columns`).toEqual(names);
  }
});

test('an anchor in the middle of a wrapped line moves to the beginning of the line in a new layout', () => {
  const { emulator, numbers, textOf, layOut } = open({ cols: 10 });
  emulator.parse('above\r\nabcdefghijklmnopqrstuvwxyz\r\nbelow');
  const [second, third] = [numbers.anchor(2), numbers.anchor(3)];
  expect([second.line, third.line].map(textOf)).toEqual(['klmnopqrst', 'uvwxyz']);
  layOut(30);
  expect([second.line, third.line]).toEqual([1, 1]);
  expect(textOf(second.line)).toBe('abcdefghijklmnopqrstuvwxyz');
});

test('an anchor at the second row of the first line moves to the beginning of the line in a new layout', () => {
  const { emulator, numbers, textOf, layOut } = open({ cols: 10 });
  emulator.parse('abcdefghijklmno\r\nbelow');
  const anchor = numbers.anchor(1);
  layOut(30);
  expect([anchor.line, textOf(anchor.line)]).toEqual([0, 'abcdefghijklmno']);
});

test('an anchor whose line a new layout drops is lost permanently', () => {
  const { emulator, numbers, layOut } = open({ cols: 20, scrollback: 2 });
  emulator.parse(lines(ROWS + 2, (i) => `${i}${'x'.repeat(18)}`));
  const [oldest, newest] = [numbers.anchor(0), numbers.anchor(ROWS + 1)];
  layOut(10);
  expect(oldest.line).toBeUndefined();
  expect(newest.line).toBeDefined();
  layOut(20);
  expect(oldest.line).toBeUndefined();
});

test('an anchor below the last line or above the first has no line after a new layout', () => {
  const { emulator, numbers, layOut } = open({ scrollback: 2 });
  emulator.parse(lines(20));
  const anchors: LineAnchor[] = [numbers.anchor(5), numbers.anchor(1000), numbers.anchor(numbers.first + 1)];
  layOut(15);
  expect(anchors.map(({ line }) => line)).toEqual([undefined, undefined, numbers.first + 1]);
});

test('a disposed anchor keeps its old line number', () => {
  const { emulator, numbers, layOut } = open({ cols: 10 });
  emulator.parse(`${'-'.repeat(25)}\r\nx`);
  const [kept, disposed] = [numbers.anchor(3), numbers.anchor(3)];
  disposed.dispose();
  layOut(30);
  expect([kept.line, disposed.line]).toEqual([1, 3]);
});

test('a layout that fails leaves the anchors at their lines', () => {
  const { emulator, numbers, textOf } = open({ cols: 10 });
  emulator.parse(`${'-'.repeat(25)}\r\nx`);
  const anchor = numbers.anchor(3);
  expect(() =>
    numbers.keepAnchors(() => {
      emulator.resize(30, ROWS);
      throw new Error('half way');
    }),
  ).toThrow('half way');
  expect(textOf(anchor.line)).toBe('x');
});
