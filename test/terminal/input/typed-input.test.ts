import { expect, test } from 'vitest';
import {
  dropsLine,
  type EditorMode,
  editorModeAfter,
  leavesText,
  submittedLines,
} from '../../../src/terminal/input/typed-input.js';

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

const CTRL_C = '\x03';

test.each<[string, EditorMode, string[]]>([
  ['text', 'text', ['echo hi']],
  ['cursor keys and erased text', 'text', ['\x1b[A\x1bOB\x15\x7f']],
  ['an Escape', 'unknown', ['\x1b']],
  ['an Escape and a letter', 'unknown', ['\x1bf']],
  ['an Escape, then text', 'unknown', ['\x1b', 'ihello']],
  ['an Escape, then Enter', 'text', ['\x1b', '\r']],
  ['a search, then Ctrl+C', 'interrupted', ['\x12', CTRL_C]],
  ['an Escape and Ctrl+C, then text', 'interrupted', ['\x1b\x03', 'a']],
  ['an Escape and Ctrl+C, then Enter', 'text', ['\x1b', CTRL_C, '\r']],
  ['a prefix', 'unknown', ['\x18']],
  ['a whole paste', 'text', ['\x1b[200~a\x1bb\x1b[201~']],
  ['a paste without its end', 'unknown', ['\x1b[200~a']],
  ['the next key as it is', 'quote', ['\x16']],
  ['a Ctrl+C that is taken as it is', 'unknown', ['\x16', CTRL_C]],
  ['a key as it is, in one write', 'text', ['\x16\x03']],
  ['a Ctrl+C after a key as it is', 'interrupted', ['\x16', 'x', CTRL_C]],
])('after %s a line editor takes keys for %s', (_, expected, inputs) => {
  let mode: EditorMode = 'text';
  for (const input of inputs) mode = editorModeAfter(input, mode);
  expect(mode).toBe(expected);
});
