/** A row as runs of text that look the same. */
import { expect, test } from 'vitest';
import { CellColorRules, ScreenColors } from '../../../src/render/raster/cell-colors.js';
import { type StyledRun, styledRuns } from '../../../src/render/vector/styled-runs.js';
import {
  ATTR_BOLD,
  ATTR_INVISIBLE,
  ATTR_ITALIC,
  ATTR_OVERLINE,
  ATTR_STRIKETHROUGH,
  CELL_WORDS,
  type SnapshotRow,
} from '../../../src/vt/snapshot.js';
import type { DrawnCursor } from '../../../src/render/raster/overlays.js';
import { indexed, type Pen, rgb, rowOf, type Run } from '../support/screen.js';
import { themeNamed } from '../support/test-renderer.js';

const colors = new ScreenColors(
  themeNamed('xterm'),
  { palette: new Map(), foreground: undefined, background: undefined, cursor: 0xffff00 },
  false,
);
const rules = new CellColorRules(colors, { minimumContrast: 1, boldAsBright: false, faded: false });

function runsOf(row: SnapshotRow, cursor?: DrawnCursor): readonly StyledRun[] {
  return styledRuns(row, rules, colors, { cursor, faded: false, boxes: [] });
}

function textsOf(cols: number, ...runs: readonly Run[]): readonly (readonly [string, number, number])[] {
  return runsOf(rowOf(cols, runs)).map(({ text, col, span }) => [text, col, span]);
}

test('neighbours of equal look are one run, with blanks to the end of the row', () => {
  expect(textsOf(8, ['ab c'], ['d'])).toEqual([['ab cd   ', 0, 8]]);
});

test.each<[string, Pen, Pen]>([
  ['text', { fg: rgb(1) }, { fg: rgb(2) }],
  ['background', { bg: rgb(1) }, { bg: rgb(2) }],
  ['boldness', { attrs: ATTR_BOLD }, {}],
  ['slant', { attrs: ATTR_ITALIC }, {}],
  ['strikethrough', { attrs: ATTR_STRIKETHROUGH }, {}],
  ['overline', { attrs: ATTR_OVERLINE }, {}],
  ['underline', { underline: 1 }, { underline: 2 }],
  ['colour of the underline', { underline: 1, underlineColor: rgb(1) }, { underline: 1, underlineColor: rgb(2) }],
])('runs end at a change of the %s', (_, first, second) => {
  expect(textsOf(4, ['ab', first], ['cd', second])).toEqual([
    ['ab', 0, 2],
    ['cd', 2, 2],
  ]);
});

test('runs end at the beginning and the end of a link', () => {
  const row = {
    ...rowOf(4, [['abcd']]),
    links: new Map([
      [1, 'x:1'],
      [2, 'x:1'],
    ]),
  };
  expect(runsOf(row).map(({ text, link }) => [text, link])).toEqual([
    ['a', undefined],
    ['bc', 'x:1'],
    ['d', undefined],
  ]);
});

test('a wide character, a cluster and a sprite are runs of their own, even next to equal ones', () => {
  expect(textsOf(9, ['a漢字b'])).toEqual([
    ['a', 0, 1],
    ['漢', 1, 2],
    ['字', 3, 2],
    ['b   ', 5, 4],
  ]);
  expect(textsOf(3, ['ae\u0301'])).toEqual([
    ['a', 0, 1],
    ['e\u0301', 1, 1],
    [' ', 2, 1],
  ]);
  const sprites = runsOf(rowOf(3, [['─│x']]));
  expect(sprites.map(({ text, alone, sprite }) => [text, alone, sprite])).toEqual([
    ['─', true, 0x2500],
    ['│', true, 0x2502],
    ['x', false, undefined],
  ]);
});

test('box drawing with a mark on it is text', () => {
  expect(runsOf(rowOf(1, [['─\u0301']]))[0]?.sprite).toBeUndefined();
});

test('a wide character cut off by the end of the row has one cell', () => {
  const whole = rowOf(4, [['ab漢']]);
  const row = { ...whole, cells: whole.cells.slice(0, 3 * CELL_WORDS) };
  expect(runsOf(row).reduce((cells, { span }) => cells + span, 0)).toBe(3);
});

test('invisible text is blanks without lines, equally wide, in its own colours', () => {
  const attrs = ATTR_INVISIBLE | ATTR_STRIKETHROUGH | ATTR_OVERLINE;
  const [first] = runsOf(rowOf(3, [['a漢', { attrs, underline: 1, bg: indexed(1) }]]));
  expect(first).toMatchObject({ text: ' ', underline: 0, strikethrough: false, overline: false, bg: 0xcd0000 });
  const runs = runsOf(rowOf(4, [['漢', { attrs }], ['ab']]));
  expect(runs.map(({ text }) => text)).toEqual(['  ', 'ab']);
});

test('the look of a run follows from its cells', () => {
  const attrs = ATTR_BOLD | ATTR_ITALIC | ATTR_STRIKETHROUGH | ATTR_OVERLINE;
  const pen = { attrs, underline: 3, underlineColor: indexed(2), fg: indexed(1), bg: rgb(0x112233) };
  expect(runsOf(rowOf(2, [['ab', pen]]))).toEqual([
    {
      col: 0,
      span: 2,
      text: 'ab',
      fg: 0xcd0000,
      bg: 0x112233,
      bold: true,
      italic: true,
      strikethrough: true,
      overline: true,
      underline: 3,
      underlineColor: 0x00cd00,
      link: undefined,
      alone: false,
      sprite: undefined,
    },
  ]);
  const [plain] = runsOf(rowOf(1, [['a']]));
  expect(plain).toMatchObject({ bold: false, italic: false, strikethrough: false, overline: false, underline: 0 });
  expect(plain?.underlineColor).toBe(plain?.fg);
});

test.each([
  ['on the cell', 1, 'block', [0xe5e5e5, 0xffff00, 0xe5e5e5, 0xe5e5e5]],
  ['on the second half of a wide one', 3, 'block', [0xe5e5e5, 0xe5e5e5, 0xffff00, 0xe5e5e5]],
  ['behind a wide one', 4, 'block', [0xe5e5e5, 0xe5e5e5, 0xe5e5e5, 0xffff00]],
] as const)('a block cursor takes the place of the background: %s', (_, col, shape, expected) => {
  const row = rowOf(5, [['ab漢c', { bg: rgb(0xe5e5e5), fg: rgb(0) }]]);
  const runs = runsOf(row, { row: 0, col, span: 1, shape });
  const byCell = runs.flatMap(({ text, bg, alone }) => (alone ? [bg] : Array.from(text, () => bg)));
  expect(byCell).toEqual(expected);
});

test('other cursors do not change the cell', () => {
  const row = rowOf(3, [['abc']]);
  for (const shape of ['bar', 'underline', 'hollow'] as const) {
    expect(runsOf(row, { row: 0, col: 1, span: 1, shape })).toEqual(runsOf(row));
  }
});

test('a line of large characters has half of the columns', () => {
  const row = { ...rowOf(6, [['abcdef']]), lineSize: 'double-width' } as const;
  expect(runsOf(row).map(({ text }) => text)).toEqual(['abc']);
});
