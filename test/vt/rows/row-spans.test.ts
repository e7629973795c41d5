import { expect, test } from 'vitest';
import { rowOfSpans } from '../../../src/vt/rows/row-spans.js';
import { openScreen, show } from '../screens.js';

test.each([
  ['$ ls', [['$ ls']]],
  ['$ \x1b[1;34mls', [['$ '], ['ls', '1;34']]],
  [
    '\x1b[4:3;58:5:9m~\x1b[38:2::1:2:3m!',
    [
      ['~', '4:3;58:5:9'],
      ['!', '4:3;38:2::1:2:3;58:5:9'],
    ],
  ],
  ['a漢字b', [['a'], ['漢字', '', 4], ['b']]],
  ['e\u0301x', [['e\u0301', '', 1], ['x']]],
  [
    '👩‍💻😀',
    [
      ['👩‍💻', '', 2],
      ['😀', '', 2],
    ],
  ],
  ['\x1b]8;;https://a.test/\x1b\\docs\x1b]8;;\x1b\\', [['docs', '', 0, 'https://a.test/']]],
  ['\x1b[7m  \x1b[m\x1b[K', [['  ', '7']]],
  ['', []],
])('the spans of %j', async (output, runs) => {
  const { lines } = await show(openScreen({ cols: 20 }), output);
  expect(rowOfSpans(lines[0]!)).toEqual({ runs });
  expect(rowOfSpans(lines[0]!)).toBe(rowOfSpans(lines[0]!));
});

test('characters that would join in sequence have spans of their own', async () => {
  const { lines } = await show(openScreen({ cols: 20 }), '\x1b[2G🇪\x1b[1G🇩');
  expect(rowOfSpans(lines[0]!).runs).toEqual([['🇩'], ['🇪']]);
});

test('a wrapped row and a row of double size have it beside their runs', async () => {
  const { lines } = await show(openScreen({ cols: 4 }), 'abcdef\r\n\x1b#6x');
  expect(lines.slice(1, 3).map(rowOfSpans)).toEqual([
    { runs: [['ef']], wrapped: true },
    { runs: [['x']], size: 'double-width' },
  ]);
});
