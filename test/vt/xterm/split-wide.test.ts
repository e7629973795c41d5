import { expect, test } from 'vitest';
import { cellWidth, rowText } from '../../../src/vt/rows/row-text.js';
import { openScreen, show } from '../screens.js';

/** In front of each: 中 in the columns 0 and 1, 文 in 2 and 3, x in 4. The row is in the order of its columns afterwards. */
test.each([
  ['ICH', '\x1b[4G\x1b[@', '中   x'],
  ['ICH of two cells', '\x1b[2G\x1b[2@', '    文x'],
  ['insert mode', '\x1b[4G\x1b[4hy', '中 y x'],
  ['DECIC', "\x1b[4G\x1b['}", '中   x'],
  ['ICH at the first column', '\x1b[G\x1b[@', ' 中文x'],
  ['ICH between two wide characters', '\x1b[3G\x1b[@', '中 文x'],
  ['ICH after two wide characters', '\x1b[5G\x1b[@', '中文 x'],
])('%s leaves no half of a wide character', async (_name, sequence, text) => {
  const screen = openScreen();
  const [row] = (await show(screen, `中文x${sequence}`)).lines;
  expect(rowText(row!)).toBe(text);
  expect(screen.lineText(0)).toBe(text);
  for (let col = 1; col < 20; col++) {
    if (cellWidth(row!, col) === 0) expect(cellWidth(row!, col - 1), `column ${col}`).toBe(2);
  }
});

/** As in tmux and xterm. */
test.each([
  ['at once', '\x1b[?7l\x1b[15G漢字文y'],
  ['later', '\x1b[?7l\x1b[15G漢字文\x1b[32my'],
  ['and again', '\x1b[?7l\x1b[15G漢字文xy'],
])('without wrapping, a letter over the last wide character of a row leaves no half of it: %s', async (_when, text) => {
  const screen = openScreen();
  await show(screen, text);
  expect(screen.lineText(0)).toBe(`${' '.repeat(14)}漢字 y`);
});
