import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { repaint } from '../../src/vt/repaint.js';
import type { Screen } from '../../src/vt/screen.js';
import { contentOf, openScreen, show, textOf } from './screens.js';

/** All that is shown; an empty cell comes back as a printed space. */
function shown(screen: Screen, isWhole = true): object {
  const snapshot = screen.snapshot();
  const { cursor, title, colors, altScreen, reverseScreen, lines } = snapshot;
  const text = textOf(snapshot).map((line) => line.trimEnd());
  const wrapped = isWhole ? lines.map((row) => row.wrapped) : [];
  return { cursor, title, colors, altScreen, reverseScreen, text, wrapped, sizes: lines.map((row) => row.lineSize) };
}

const STATES: readonly (readonly [string, string])[] = [
  ['text with styles', 'a\x1b[1;31mred\x1b[m \x1b[4:3munder\x1b[m\r\n\x1b[7minverse\x1b[m'],
  ['a line that wraps', `${'x'.repeat(30)}\r\nnext`],
  ['wide and joined characters', '\u4e2d\u6587 e\u0301\r\n\u{1f600}'],
  ['a screen that has scrolled', '1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7'],
  ['the alternate screen', 'below\x1b[?1049h\x1b[2;3Habove'],
  ['cursor, title and colours', 'x\x1b[3;7H\x1b[?25l\x1b[4 q\x1b]2;title\x07\x1b]4;1;#102030\x07\x1b]11;#405060\x07'],
  ['modes', 'abc\x1b[4h\x1b[?7l\x1b[?5h'],
  ['a scroll region', '1\r\n2\r\n3\r\n4\r\n5\x1b[2;4r\x1b[4;1H'],
  ['origin mode', 'x\x1b[2;4r\x1b[?6h\x1b[2;3H'],
  ['tab stops', '\x1b[3g\x1b[4G\x1bH\x1b[11G\x1bH\r'],
  ['no tab stops', '\x1b[3g'],
  ['line drawing', 'abc\x1b(0'],
  ['a character set that is shifted to', '\x1b)0\x0eq'],
  ['a pen', '\x1b[1;3;4:3;38;5;200;48;2;1;2;3;58;5;9mX'],
  ['a pen with a link', '\x1b]8;;http://eXample.com\x1b\\link'],
  ['a pen with a background', '\x1b[44m'],
  ['a saved cursor', '\x1b[3;5H\x1b[32m\x1b(0\x1b7\x1b(B\x1b[m\x1b[H'],
  ['a wrap that is pending', 'x'.repeat(20)],
  ['a wrap that is pending behind a blank', `${'x'.repeat(19)} `],
  ['a wrap that is pending behind a wide character', `${'x'.repeat(18)}\u4e2d`],
  ['a wrap that is pending within a scroll region', `\x1b[2;4r\x1b[?6h\x1b[2;1H\x1b[31m${'y'.repeat(20)}`],
  [
    'a full-screen program over a shell',
    '$ vi\r\n\x1b[2;4r\x1b[3;2H\x1b7\x1b[?1049h\x1b[1;3r\x1b[2;5H\x1b[33mfile\x1b7\x1b[H',
  ],
  ['line feeds with a carriage return', 'abc\x1b[20h'],
  ['large characters', '\x1b#6big\r\nsmall'],
  ['reverse wrap', 'a\x1b[?45h'],
];

/** It uses all that a screen has beside what it shows. */
const LATER: readonly string[] = [
  'q\tw\te',
  `${'z'.repeat(25)}\r\n\n\n\n`,
  '\x1b8!q',
  '\x1b[?47l?\x1b8!',
  '\x1b[H\x1b[Kq\x1b[999;1H\n!',
  'a\nb\x1bM\x1bM\x1bM\x1bM!',
  '\b\b\b\b\b!',
  '\x0f(\x0eq\x0f',
];

test.each(STATES)(
  'a repaint of %s shows the same on a screen in another state, now and later',
  async (_name, output) => {
    const screen = openScreen();
    await show(screen, output);
    const painted = repaint(screen);
    for (const later of ['', ...LATER]) {
      const [before, after] = [openScreen(), openScreen()];
      await show(before, output + later);
      await show(after, `junk\x1b[?1049h\x1b[2;4r\x1b[4h\x1b(0\x1b[31m${painted}${later}`);
      expect(shown(after)).toEqual(shown(before));
    }
  },
);

test('a repaint of any states together shows the same, now and later', async () => {
  const part = fc.constantFrom(...STATES.map(([, output]) => output), ...LATER);
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 6 }), fc.constantFrom('', ...LATER), async (parts, later) => {
      const [before, after] = [openScreen(), openScreen()];
      await show(before, parts.join(''));
      // What the topmost row continues may not be on the screen.
      const { normal, alt } = before.keyframe().state.emulator;
      const isWhole = normal.lines[0]?.wrapped === false && alt.lines[0]?.wrapped !== true;
      await show(after, repaint(before));
      await show(before, later);
      await show(after, later);
      expect(shown(after, isWhole)).toEqual(shown(before, isWhole));
    }),
  );
});

test.each([
  ['plain, once restored, until the next shift', '\x1b)0\x0eq\x1b8!q', '\x0f(\x0eq\x0f'],
  ['of lines, as it was saved', '\x1b(0\x1b7\x1b(Bq\x1b8q', 'q\x0fq'],
])('a repaint keeps a set of characters that is %s', async (_, output, later) => {
  const [before, after] = [openScreen(), openScreen()];
  await show(before, output);
  await show(after, repaint(before));
  await show(before, later);
  await show(after, later);
  expect(shown(after, true)).toEqual(shown(before, true));
});

test('a repaint keeps styles and links', async () => {
  const screen = openScreen();
  const other = openScreen();
  // Without empty cells, which would come back as spaces.
  const row = `\x1b[1;38;5;9m${'a'.repeat(9)}\x1b[0;4:3;58;2;1;2;3mb\x1b]8;;http://x\x1b\\${'c'.repeat(10)}`;
  const before = await show(screen, row.repeat(5));
  const after = await show(other, repaint(screen));
  expect(contentOf(after)).toEqual(contentOf(before));
  expect(Buffer.byteLength(repaint(screen))).toBeLessThan(1000);
});
