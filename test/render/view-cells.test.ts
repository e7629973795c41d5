/** What a region and rulers do to the cells of a screen, and to what is kept beside them. */
import { expect, test } from 'vitest';
import { PictureRegionError, type ViewRegion, type ScreenView, viewGrid, viewOf } from '../../src/render/view.js';
import {
  ATTR_BOLD,
  ATTR_DIM,
  ATTR_UNDERLINE_MASK,
  ATTR_UNDERLINE_SHIFT,
  ATTR_WIDTH_MASK,
  ATTR_WIDTH_SHIFT,
  CELL_ATTRS,
  CELL_WORDS,
  graphemeAt,
  type LineSize,
  type Snapshot,
  type SnapshotRow,
} from '../../src/vt/snapshot.js';
import { cursorAt, rgb, rowOf, screen, screenOf } from './support/screen.js';

const WHOLE: ViewRegion = { row: 0, col: 0, rows: 3, cols: 6 };
const snapshot = screen(6, ['abcdef', 'ghijkl', 'mnopqr'], { cursor: cursorAt(1, 2) });

function textOf(row: SnapshotRow | undefined): string {
  if (row === undefined) return '';
  return Array.from({ length: row.cells.length / CELL_WORDS }, (_, col) => graphemeAt(row, col) || ' ').join('');
}

function textsOf({ snapshot: shown }: ScreenView): readonly string[] {
  return shown.lines.map(textOf);
}

function attrsAt(row: SnapshotRow | undefined, col: number): number {
  return row?.cells[col * CELL_WORDS + CELL_ATTRS] ?? 0;
}

function widthAt(row: SnapshotRow | undefined, col: number): number {
  return (attrsAt(row, col) & ATTR_WIDTH_MASK) >> ATTR_WIDTH_SHIFT;
}

test('without a region and rulers the view is the screen', () => {
  expect(viewOf(snapshot, {})).toEqual({ snapshot, rowOffset: -0, colOffset: -0 });
  expect(viewOf(snapshot, { rulers: false }).snapshot).toBe(snapshot);
});

test.each<[string, Partial<ViewRegion>]>([
  ['all of the screen', {}],
  ['its last row', { row: 2, rows: 1 }],
  ['its last column', { col: 5, cols: 1 }],
])('a region can be %s', (_, part) => {
  const region = { ...WHOLE, ...part };
  const { rows, cols, lines } = viewOf(snapshot, { region }).snapshot;
  expect([rows, cols, lines.length]).toEqual([region.rows, region.cols, region.rows]);
});

test.each<[string, Partial<ViewRegion>]>([
  ['begins above the screen', { row: -1 }],
  ['begins left of the screen', { col: -1 }],
  ['has no row', { rows: 0 }],
  ['has no column', { cols: 0 }],
  ['ends below the screen', { row: 1 }],
  ['ends right of the screen', { col: 1 }],
  ['begins between rows', { row: 0.5, rows: 1 }],
  ['begins between columns', { col: 0.5, cols: 1 }],
  ['ends between rows', { rows: 1.5 }],
  ['ends between columns', { cols: 1.5 }],
])('a region is refused that %s', (_, part) => {
  expect(() => viewOf(snapshot, { region: { ...WHOLE, ...part } })).toThrow(PictureRegionError);
});

test('a region has its own cells, and the offset of the grid', () => {
  const view = viewOf(snapshot, { region: { row: 1, col: 2, rows: 2, cols: 3 } });
  expect(textsOf(view)).toEqual(['ijk', 'opq']);
  expect([view.rowOffset, view.colOffset]).toEqual([-1, -2]);
});

test.each<[string, readonly [number, number], readonly [number, number, boolean]]>([
  ['within', [1, 2], [0, 1, true]],
  ['at the first cell', [1, 1], [0, 0, true]],
  ['at the last cell', [2, 3], [1, 2, true]],
  ['above', [0, 2], [-1, 1, false]],
  ['left', [1, 0], [0, -1, false]],
  ['right', [2, 4], [1, 3, false]],
  ['past the end of the line, where it stands upon the last cell', [1, 6], [0, 4, false]],
])('the cursor moves with a region, and is hidden outside of it: %s', (_, [row, col], expected) => {
  const region = { row: 1, col: 1, rows: 2, cols: 3 };
  const { cursor } = viewOf({ ...snapshot, cursor: cursorAt(row, col) }, { region }).snapshot;
  expect([cursor.row, cursor.col, cursor.visible]).toEqual(expected);
});

test('a cursor below a region is hidden, and a hidden one stays hidden', () => {
  const region = { row: 0, col: 0, rows: 2, cols: 6 };
  expect(viewOf({ ...snapshot, cursor: cursorAt(2, 0) }, { region }).snapshot.cursor.visible).toBe(false);
  const hidden = { ...cursorAt(0, 0), visible: false };
  expect(viewOf({ ...snapshot, cursor: hidden }, { region }).snapshot.cursor.visible).toBe(false);
  const atEnd = { ...snapshot, cursor: cursorAt(1, 6) };
  expect(viewOf(atEnd, { region }).snapshot.cursor).toMatchObject({ row: 1, col: 5, visible: true });
});

test('half of a wide character is a blank of one cell with the same look', () => {
  const wide = screenOf([rowOf(6, [['漢字語', { attrs: ATTR_BOLD, bg: rgb(1) }]])]);
  const [row] = viewOf(wide, { region: { row: 0, col: 1, rows: 1, cols: 4 } }).snapshot.lines;
  expect(textOf(row)).toBe(' 字  ');
  expect([0, 1, 2, 3].map((col) => widthAt(row, col))).toEqual([1, 2, 0, 1]);
  expect([0, 3].map((col) => attrsAt(row, col) & ATTR_BOLD)).toEqual([ATTR_BOLD, ATTR_BOLD]);
  const [whole] = viewOf(wide, { region: { row: 0, col: 2, rows: 1, cols: 2 } }).snapshot.lines;
  expect(textOf(whole)).toBe('字 ');
});

function linked(cols: number, lineSize: LineSize = 'single'): Snapshot {
  const row = rowOf(cols, [['abcdef', { underline: 1, underlineColor: rgb(1) }]], lineSize);
  return screenOf([{ ...row, links: new Map([0, 1, 2, 3, 4, 5].map((col) => [col, `x:${col}`])) }]);
}

test('colours of underlines and links move with their cells', () => {
  const [row] = viewOf(linked(6), { region: { row: 0, col: 2, rows: 1, cols: 3 } }).snapshot.lines;
  expect([...(row?.links ?? [])]).toEqual([
    [0, 'x:2'],
    [1, 'x:3'],
    [2, 'x:4'],
  ]);
  expect([...(row?.underlineColors?.keys() ?? [])]).toEqual([0, 1, 2]);
  const ruled = viewOf(linked(6), { rulers: true }).snapshot.lines[1];
  expect([...(ruled?.links?.entries() ?? [])].slice(0, 2)).toEqual([
    [2, 'x:0'],
    [3, 'x:1'],
  ]);
  expect([...(ruled?.underlineColors?.keys() ?? [])]).toEqual([2, 3, 4, 5, 6, 7]);
});

test('columns of large lines are two wide: a region of them begins at half its column', () => {
  const [row] = viewOf(linked(6, 'double-width'), { region: { row: 0, col: 2, rows: 1, cols: 3 } }).snapshot.lines;
  expect(textOf(row).trimEnd()).toBe('bcd');
});

test('rows are numbered at the left, columns at the top, from the first visible one', () => {
  expect(textsOf(viewOf(snapshot, { rulers: true }))).toEqual(['  0    ·', '0│abcdef', '1│ghijkl', '2│mnopqr']);
  const view = viewOf(snapshot, { rulers: true, region: { row: 1, col: 3, rows: 2, cols: 3 } });
  expect(textsOf(view)).toEqual(['    ·', '1│jkl', '2│pqr']);
  expect([view.rowOffset, view.colOffset]).toEqual([0, -1]);
  expect(view.snapshot.cursor).toMatchObject({ row: 1, col: 1, visible: false });
  expect(viewOf(snapshot, { rulers: true }).snapshot.cursor).toMatchObject({ row: 2, col: 4, visible: true });
});

test('rulers are faded, and the upper one is underlined', () => {
  const [top, first] = viewOf(snapshot, { rulers: true }).snapshot.lines;
  const underlined = 1 << ATTR_UNDERLINE_SHIFT;
  for (let col = 0; col < 8; col++) {
    expect([widthAt(top, col), attrsAt(top, col) & ATTR_DIM]).toEqual([1, ATTR_DIM]);
    expect(attrsAt(top, col) & ATTR_UNDERLINE_MASK).toBe(underlined);
  }
  expect([0, 1, 2].map((col) => attrsAt(first, col) & ATTR_DIM)).toEqual([ATTR_DIM, ATTR_DIM, 0]);
  expect(attrsAt(first, 0) & ATTR_UNDERLINE_MASK).toBe(0);
});

test('row numbers are as wide as the last one', () => {
  const rows = (count: number): Snapshot => screenOf(Array.from({ length: count }, () => rowOf(2, [['x']])));
  expect(textsOf(viewOf(rows(10), { rulers: true }))[10]).toBe('9│x ');
  const eleven = textsOf(viewOf(rows(11), { rulers: true }));
  expect([eleven[1], eleven[11]]).toEqual([' 0│x ', '10│x ']);
  const last = viewOf(rows(12), { rulers: true, region: { row: 9, col: 0, rows: 1, cols: 2 } });
  expect(textsOf(last)[1]).toBe('9│x ');
});

test('one row at several places has the number of each', () => {
  const blank = rowOf(2, []);
  const rows = screenOf(Array.from({ length: 8 }, () => blank));
  const numbers = (row: number): readonly string[] =>
    textsOf(viewOf(rows, { rulers: true, region: { row, col: 0, rows: 2, cols: 2 } })).slice(1);
  expect([numbers(3), numbers(4), numbers(2)]).toEqual([
    ['3│  ', '4│  '],
    ['4│  ', '5│  '],
    ['2│  ', '3│  '],
  ]);
});

test('a number at the last column is cut off there', () => {
  const wide = screenOf([rowOf(11, [])]);
  expect(textsOf(viewOf(wide, { rulers: true }))[0]).toBe('  0    ·    1');
});

test('large lines keep their cells and get no number', () => {
  const [, row] = viewOf(linked(6, 'double-width'), { rulers: true }).snapshot.lines;
  expect(textOf(row).trimEnd()).toBe(' abcdef');
  expect([...(row?.links?.keys() ?? [])][0]).toBe(1);
});

test.each([
  [{}, { rows: 24, cols: 80 }],
  [{ rulers: true }, { rows: 25, cols: 83 }],
  [{ region: { row: 4, col: 7, rows: 5, cols: 6 } }, { rows: 5, cols: 6 }],
  [
    { rulers: true, region: { row: 4, col: 7, rows: 6, cols: 6 } },
    { rows: 7, cols: 8 },
  ],
  [
    { rulers: true, region: { row: 4, col: 7, rows: 7, cols: 6 } },
    { rows: 8, cols: 9 },
  ],
])('the size of a view is computed without making it: %j', (options, expected) => {
  const grid = { rows: 24, cols: 80 };
  expect(viewGrid(grid, options)).toEqual(expected);
  const shown = viewOf(screenOf(Array.from({ length: 24 }, () => rowOf(80, []))), options).snapshot;
  expect({ rows: shown.rows, cols: shown.cols }).toEqual(expected);
});

test('only rows with the same view are the same object', () => {
  const shown = screen(6, ['abcdef']);
  const rowAt = (col: number, cols: number): SnapshotRow | undefined =>
    viewOf(shown, { region: { row: 0, col, rows: 1, cols } }).snapshot.lines[0];
  const first = rowAt(0, 2);
  expect(rowAt(0, 2)).toBe(first);
  rowAt(1, 2);
  expect(rowAt(0, 2)).toBe(first);
  expect(['ab', 'bc', 'cd', 'de', 'ef', 'ab'].map((_, col) => textOf(rowAt(col % 5, 2)))).toEqual([
    'ab',
    'bc',
    'cd',
    'de',
    'ef',
    'ab',
  ]);
  expect([textOf(rowAt(0, 3)), textOf(rowAt(1, 3))]).toEqual(['abc', 'bcd']);
  const rulers = [1, 2].map((col) =>
    textOf(viewOf(shown, { rulers: true, region: { row: 0, col, rows: 1, cols: 4 } }).snapshot.lines[0]),
  );
  expect(rulers).toEqual(['      ', '     ·']);
});
