/** What a row is drawn with, and where it stands in the pixels. */
import { expect, test } from 'vitest';
import { GlyphAtlas } from '../../../src/render/glyphs/atlas.js';
import { CellColorRules, ScreenColors } from '../../../src/render/raster/cell-colors.js';
import { MARK_COLOR } from '../../../src/render/raster/overlays.js';
import { type RowLook, RowPainter, type RowSketch } from '../../../src/render/raster/row-painter.js';
import {
  ATTR_BOLD,
  ATTR_INVERSE,
  ATTR_INVISIBLE,
  ATTR_ITALIC,
  ATTR_STRIKETHROUGH,
  CELL_ATTRS,
  CELL_WORDS,
  type SnapshotRow,
} from '../../../src/vt/snapshot.js';
import { cellColors, type Pixels, pixelsOf } from '../support/pixels.js';
import { cursorAt, rgb, rowOf, type Run, screenOf } from '../support/screen.js';
import { FONTS_DIR, newRenderer, OPTIONS, themeNamed } from '../support/test-renderer.js';

const BLACK = 0x000000;
const CURSOR = 0xffff00;
const RED = rgb(0xff0000);
const BLUE = rgb(0x0000ff);
const PLAIN: RowLook = { cursor: undefined, faded: false, boxes: [] };
const colors = new ScreenColors(
  themeNamed('xterm'),
  { palette: new Map(), foreground: undefined, background: undefined, cursor: CURSOR },
  false,
);
const rules = { minimumContrast: 1, boldAsBright: false };
const pairs = {
  plain: new CellColorRules(colors, { ...rules, faded: false }),
  faded: new CellColorRules(colors, { ...rules, faded: true }),
};
const painter = new RowPainter(new GlyphAtlas(FONTS_DIR), pairs, colors, 8, 16);

function sketchOf(cols: number, runs: readonly Run[], look: Partial<RowLook> = {}): RowSketch {
  return painter.sketch(rowOf(cols, runs), { ...PLAIN, ...look });
}

/** Levels of ink apart: which colours stand upon which. */
function pairsOf({ colors: { pairs } }: RowSketch): readonly (readonly [fg: number, bg: number])[] {
  return pairs.map(({ fg, bg }) => [fg, bg]);
}

test('a row of blanks on the default background needs no colour', () => {
  const sketch = sketchOf(4, [['\u00a0  ']]);
  expect(sketch.glyphs).toEqual([undefined, undefined, undefined, undefined]);
  expect(sketch.colors).toMatchObject({ pairs: [], plain: new Set(), pictures: new Set() });
});

test('a blank on another background needs only that, as invisible text does', () => {
  for (const run of [
    ['  ', { bg: BLUE, fg: RED }] as const,
    ['ab', { bg: BLUE, fg: RED, attrs: ATTR_INVISIBLE }] as const,
  ]) {
    expect(sketchOf(2, [run]).colors.pairs).toEqual([{ fg: 0xff0000, bg: 0x0000ff, used: 1 }]);
  }
});

test('text needs its two colours at the levels of its letters', () => {
  const [pair] = sketchOf(3, [['█', { fg: RED }]]).colors.pairs;
  expect(pair).toEqual({ fg: 0xff0000, bg: BLACK, used: 1 << 15 });
  expect(
    pairsOf(
      sketchOf(4, [
        ['a', { fg: RED }],
        ['b', { fg: BLUE }],
      ]),
    ),
  ).toEqual([
    [0xff0000, BLACK],
    [0x0000ff, BLACK],
  ]);
  expect(pairsOf(sketchOf(1, [['a', { fg: RED, bg: BLUE, attrs: ATTR_INVERSE }]]))).toEqual([[0x0000ff, 0xff0000]]);
});

test('a colour glyph needs its background, and the colours of its picture', () => {
  const { colors: needed } = sketchOf(2, [['😀', { bg: BLUE }]]);
  expect(needed.pairs.map(({ bg, used }) => [bg, used])).toEqual([[0x0000ff, 1]]);
  expect(needed.pictures.size).toBeGreaterThan(3);
});

test('every style has its own glyph, and a wide character is one', () => {
  const glyphs = [0, ATTR_BOLD, ATTR_ITALIC, ATTR_BOLD | ATTR_ITALIC].map(
    (attrs) => sketchOf(1, [['a', { attrs }]]).glyphs[0],
  );
  expect(new Set(glyphs).size).toBe(4);
  expect(sketchOf(1, [['a', { attrs: ATTR_BOLD }]]).glyphs[0]).toBe(glyphs[1]);
  const wide = sketchOf(4, [['漢a']]);
  expect(wide.glyphs).toHaveLength(3);
  expect(wide.pairs).toHaveLength(3);
});

test('a cluster is drawn as a whole; an empty or missing one is a blank', () => {
  const row = rowOf(1, [['e\u0301']]);
  expect(painter.sketch(row, PLAIN).glyphs[0]).toBeDefined();
  for (const clusters of [[], ['']]) {
    expect(painter.sketch({ ...row, clusters }, PLAIN).glyphs[0]).toBeUndefined();
  }
});

test('a cell of width 0 draws nothing', () => {
  const row = rowOf(1, [['a']]);
  row.cells[CELL_ATTRS] = 0;
  expect(painter.sketch(row, PLAIN).glyphs).toEqual([undefined]);
});

test('a wide character without a second cell is drawn in one', () => {
  const whole = rowOf(4, [['ab漢']]);
  const row: SnapshotRow = { ...whole, cells: whole.cells.slice(0, 3 * CELL_WORDS) };
  expect(painter.sketch(row, PLAIN).glyphs).toHaveLength(3);
});

test('lines need the colour of the text, an underline its own colour if it has one, and lines of invisible text none', () => {
  const GREEN = rgb(0x00ff00);
  const underlined = { fg: RED, underline: 1, underlineColor: GREEN };
  expect(pairsOf(sketchOf(1, [[' ', underlined]]))).toEqual([[0x00ff00, BLACK]]);
  expect(pairsOf(sketchOf(1, [[' ', { fg: RED, underline: 1 }]]))).toEqual([[0xff0000, BLACK]]);
  expect(pairsOf(sketchOf(1, [[' ', { ...underlined, attrs: ATTR_STRIKETHROUGH }]]))).toEqual([
    [0x00ff00, BLACK],
    [0xff0000, BLACK],
  ]);
  expect(pairsOf(sketchOf(1, [['a', { ...underlined, attrs: ATTR_STRIKETHROUGH | ATTR_INVISIBLE }]]))).toEqual([]);
});

test('faded rows have all colours nearer to the background, and the cursor its own', () => {
  expect(pairsOf(sketchOf(1, [['█', { fg: rgb(0xffffff) }]], { faded: true }))).toEqual([[0x666666, BLACK]]);
  const pen = { underline: 1, underlineColor: rgb(0xffffff) };
  expect(pairsOf(sketchOf(1, [[' ', pen]], { faded: true }))).toEqual([[0x666666, BLACK]]);
  const cursor = { row: 0, col: 0, span: 1, shape: 'block' } as const;
  expect(pairsOf(sketchOf(1, [], { faded: true, cursor }))).toEqual([[BLACK, CURSOR]]);
});

test('a block cursor is the background of its cell; other shapes and boxes have colours of their own', () => {
  const cursor = { row: 0, col: 1, span: 1 } as const;
  const block = sketchOf(3, [['aaa']], { cursor: { ...cursor, shape: 'block' } });
  expect(pairsOf(block)).toEqual([
    [0xe5e5e5, BLACK],
    [BLACK, CURSOR],
    [0xe5e5e5, BLACK],
  ]);
  expect([...block.colors.plain]).toEqual([]);
  for (const shape of ['bar', 'underline', 'hollow'] as const) {
    const drawn = sketchOf(3, [['aaa']], { cursor: { ...cursor, shape } });
    expect(pairsOf(drawn)).toEqual([[0xe5e5e5, BLACK]]);
    expect([...drawn.colors.plain]).toEqual([CURSOR]);
  }
  const boxes = [{ left: 0, right: 1, top: true, bottom: true }];
  expect([...sketchOf(3, [['aaa']], { boxes }).colors.plain]).toEqual([MARK_COLOR]);
});

test.each([
  [0, [0]],
  [1, [1]],
  [2, [1]],
  [3, [2]],
])('a block cursor at column %i is the background of cell %j, with a wide character as one cell', (col, places) => {
  const drawn = sketchOf(4, [['a漢b', { bg: BLUE }]], { cursor: { row: 0, col, span: 1, shape: 'block' } });
  expect([...drawn.pairs.keys()].filter((place) => drawn.pairs[place]?.bg === CURSOR)).toEqual(places);
});

test('a cursor may need its own colour and that of text on it, at every level', () => {
  const { pairs, plain } = painter.cursorColors();
  expect(pairs).toEqual([{ fg: BLACK, bg: CURSOR, used: 0xffff }]);
  expect(plain.size).toBe(0);
});

const renderer = newRenderer();
const paint = (row: SnapshotRow, more = {}): Promise<Pixels> =>
  pixelsOf(renderer.render(screenOf([row]), { ...OPTIONS, minimumContrast: 1, cursor: false, ...more }));

test('each cell is painted in its place, and a wide one over both of its cells', async () => {
  const row = rowOf(6, [
    ['█', { fg: RED }],
    ['  ', { bg: BLUE }],
    ['漢', { bg: RED }],
  ]);
  const pixels = await paint(row, { pad: 2 });
  const colorsIn = (col: number): number[] => {
    const seen = new Set<number>();
    for (let y = 2; y < 18; y++) for (let x = 2 + col * 8; x < 10 + col * 8; x++) seen.add(pixels.at(x, y));
    return [...seen];
  };
  expect([colorsIn(0), colorsIn(1), colorsIn(2), colorsIn(5)]).toEqual([[0xff0000], [0x0000ff], [0x0000ff], [BLACK]]);
  expect(colorsIn(3)).toContain(0xff0000);
  expect(colorsIn(4)).toContain(0xff0000);
  expect([...colorsIn(3), ...colorsIn(4)]).not.toContain(BLACK);
  expect([pixels.at(1, 8), pixels.at(2, 1), pixels.at(2, 18)]).toEqual([BLACK, BLACK, BLACK]);
});

test('lines go through both cells of a wide character, and end with it', async () => {
  const row = rowOf(5, [[' '], ['漢', { fg: BLUE, underline: 1, underlineColor: RED, attrs: ATTR_STRIKETHROUGH }]]);
  const pixels = await paint(row);
  const isLine =
    (color: number) =>
    (x: number): boolean =>
      Array.from({ length: 16 }, (_, y) => pixels.at(x, y)).includes(color);
  const columns = [...Array(40).keys()];
  expect(columns.filter(isLine(0xff0000))).toEqual(columns.slice(8, 24));
  expect(columns.filter(isLine(0x0000ff)).slice(0, 1)).toEqual([8]);
  expect(columns.filter(isLine(0x0000ff)).at(-1)).toBe(23);
});

test('a large line paints cells of double width, and their lines and cursor too', async () => {
  const row = rowOf(
    6,
    [
      ['█', { fg: RED }],
      [' ', { bg: BLUE }],
      [' ', { underline: 1, underlineColor: RED }],
    ],
    'double-width',
  );
  const pixels = await paint(row);
  expect([0, 1, 2, 3].map((col) => [...cellColors(pixels, 0, col, 8)])).toEqual([
    [0xff0000],
    [0xff0000],
    [0x0000ff],
    [0x0000ff],
  ]);
  for (const col of [4, 5]) expect(cellColors(pixels, 0, col, 8)).toEqual(new Set([BLACK, 0xff0000]));
  const shown = screenOf([rowOf(6, [], 'double-width')], { cursor: cursorAt(0, 1) });
  const cursor = await pixelsOf(renderer.render(shown, { ...OPTIONS, focused: false }));
  expect([0, 1, 2, 3, 4, 5].map((col) => cellColors(cursor, 0, col, 8).size)).toEqual([1, 1, 2, 2, 1, 1]);
});
