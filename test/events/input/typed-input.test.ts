import { expect, test } from 'vitest';
import { dropsLine, leavesText, submittedLines } from '../../../src/events/input/typed-input.js';

const KITTY_CTRL_C = '\x1b[99;5u';

test.each([
  ['\x03', true],
  [KITTY_CTRL_C, true],
  ['\x1b[99;5:1u', true],
  ['\x1b[99::99;5u', true],
  ['\x1b[27;5;99~', true],
  ['typed\x03', true],
  ['one\r\x03', true],
  ['\x03one\r', false],
  ['\x1b[99;5:3u', false],
  ['\x1b[100;5u', false],
  ['c', false],
])('%j drops the line: %j', (input, expected) => {
  expect(dropsLine(input)).toBe(expected);
});

test.each([
  [KITTY_CTRL_C, true, false],
  [`text${KITTY_CTRL_C}`, false, false],
  [`${KITTY_CTRL_C}more`, false, true],
  ['', true, true],
  ['', false, false],
  ['ls\r', true, false],
])('%j after a line that holds text (%j) leaves text: %j', (input, before, expected) => {
  expect(leavesText(input, before)).toBe(expected);
});

test('submitted lines are counted once for each line break, and not within a paste', () => {
  expect(['a\rb\r\nc\n', '\x1b[200~a\rb\x1b[201~\r', 'a'].map(submittedLines)).toEqual([3, 1, 0]);
});
