import { expect, test } from 'vitest';
import { repaint } from '../../src/vt/repaint.js';
import { rowText } from '../../src/vt/rows/row-text.js';
import { openScreen, show } from './screens.js';

test.each([
  ['text with styles', 'a\x1b[1;31mred\x1b[m \x1b[4:3munder\x1b[m\r\n\x1b[7minverse\x1b[m'],
  ['a line that wraps', `${'x'.repeat(30)}\r\nnext`],
  ['wide and joined characters', '\u4e2d\u6587 e\u0301\r\n\u{1f600}'],
  ['a screen that has scrolled', '1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7'],
  ['the alternate screen', 'below\x1b[?1049h\x1b[2;3Habove'],
  ['cursor, title and colours', 'x\x1b[3;7H\x1b[?25l\x1b[4 q\x1b]2;title\x07\x1b]4;1;#102030\x07\x1b]11;#405060\x07'],
  ['modes', 'abc\x1b[4h\x1b[?7l\x1b[?5h'],
])('a repaint of %s shows the same on a screen in another state', async (_name, output) => {
  const screen = openScreen();
  const before = await show(screen, output);
  const other = openScreen();
  const after = await show(other, `junk\x1b[?1049h\x1b[2;4r\x1b[4h${repaint(before, screen.modes)}`);
  expect(after.lines.map((row) => rowText(row))).toEqual(before.lines.map((row) => rowText(row)));
  expect(after.lines.map((row) => row.wrapped)).toEqual(before.lines.map((row) => row.wrapped));
  const { cursor, title, colors, altScreen, reverseScreen } = before;
  expect(after).toMatchObject({ cursor, title, colors, altScreen, reverseScreen });
  expect(other.modes).toMatchObject({ insert: screen.modes.insert, wraparound: screen.modes.wraparound });
});
