import { expect, onTestFinished, test } from 'vitest';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import type { CountedOperation } from '../../../src/vt/xterm/internals.js';

const COLS = 20;
const ROWS = 5;

/** The counts that the library is asked to run for. */
function countsRun(operation: CountedOperation, output: string, size = { cols: COLS, rows: ROWS }): number[] {
  const emulator = new Emulator({ ...size, scrollback: 0 });
  onTestFinished(() => emulator.dispose());
  const counts: number[] = [];
  const count = ({ params }: { readonly params: ArrayLike<number> }): boolean => counts.push(Number(params[0])) > 0;
  Object.assign(emulator.internals._inputHandler, { [operation]: count });
  emulator.parse(output);
  return counts;
}

const OPERATIONS = [
  ['L', 'insertLines'],
  ['M', 'deleteLines'],
  ['S', 'scrollUp'],
  ['T', 'scrollDown'],
  [' @', 'scrollLeft'],
  [' A', 'scrollRight'],
  ["'}", 'insertColumns'],
  ["'~", 'deleteColumns'],
  ['I', 'cursorForwardTab'],
  ['Z', 'cursorBackwardTab'],
] as const;

test.each(OPERATIONS)('the count before %s is limited to a screenful', (final, operation) => {
  const counts = [1, 3, COLS - 1, COLS, COLS + 1, 100, 2_147_483_647];
  const output = counts.map((count) => `\x1b[${count}${final}`).join('');
  expect(countsRun(operation, output)).toEqual([1, 3, COLS - 1, COLS, COLS, COLS, COLS]);
  expect(countsRun(operation, output, { cols: 4, rows: 30 })).toEqual([1, 3, 19, 20, 21, 30, 30]);
});

test('a character is repeated for at most a screenful, and up to the column of the whole count', () => {
  const output = [1, COLS * ROWS, COLS * ROWS + 1, 2_147_483_647].map((count) => `x\x1b[${count}b`).join('');
  expect(countsRun('repeatPrecedingCharacter', output)).toEqual([1, 100, 101, 107]);
});

test('a sequence with another intermediate is another operation', () => {
  expect(countsRun('insertLines', "\x1b[99'L\x1b[?99L")).toEqual([]);
  expect(countsRun('scrollLeft', '\x1b[99@')).toEqual([]);
});
