/** Lines of a cell that are not its glyph, as the picture shows them. */
import { describe, expect, test } from 'vitest';
import { DecorationSheet } from '../../../src/render/raster/decorations.js';
import type { MaskGlyph } from '../../../src/render/glyphs/glyph.js';
import { baselineOf } from '../../../src/render/cell-size.js';
import { ATTR_BOLD, ATTR_OVERLINE, ATTR_STRIKETHROUGH, ATTR_UNDERLINE_SHIFT } from '../../../src/vt/snapshot.js';
import { glyphRows } from '../support/ink.js';

const [SINGLE, DOUBLE, CURLY, DOTTED, DASHED] = [1, 2, 3, 4, 5].map((style) => style << ATTR_UNDERLINE_SHIFT) as [
  number,
  number,
  number,
  number,
  number,
];
const WIDTHS = [4, 7, 8, 10, 12, 16, 20, 64];

function underline(attrs: number, width: number, height = 2 * width): MaskGlyph {
  const { underline: glyph } = new DecorationSheet(width, height).lines(attrs, 'single');
  if (glyph === undefined) throw new Error('no underline');
  return glyph;
}

/** Rows that are inked from edge to edge; the others have to be bare. */
function fullRows({ width, height, levels }: MaskGlyph): number[] {
  const row = (y: number): number[] => [...levels.subarray(y * width, (y + 1) * width)];
  const inked = Array.from({ length: height }, (_, y) => y).filter((y) => row(y).some((level) => level > 0));
  for (const y of inked) expect(row(y)).toEqual(Array<number>(width).fill(15));
  return inked;
}

const rowsFrom = (top: number, count: number): number[] => Array.from({ length: count }, (_, y) => top + y);

test.each([
  [4, 8, [7]],
  [8, 16, [14]],
  [12, 24, [21, 22]],
  [20, 40, [34, 35, 36]],
  // In a cell that is higher it goes down with the bottom, in a lower one it keeps off the letters.
  [8, 32, [30]],
  [12, 20, [17, 18]],
])('an underline of a cell of %ix%i is rows %j, all across', (width, height, rows) => {
  expect(fullRows(underline(SINGLE, width, height))).toEqual(rows);
});

test('a double underline is two lines with a gap of equal height, down to the last row', () => {
  for (const [width, stroke] of [
    [4, 1],
    [8, 1],
    [12, 2],
    [20, 3],
  ] as const) {
    const height = 2 * width;
    const rows = [...rowsFrom(height - 3 * stroke, stroke), ...rowsFrom(height - stroke, stroke)];
    expect(fullRows(underline(DOUBLE, width))).toEqual(rows);
  }
});

describe('a curly underline', () => {
  /** By column: how much ink, and the middle of it from the top. */
  function columns({ width, height, levels }: MaskGlyph): { readonly ink: number; readonly middle: number }[] {
    return Array.from({ length: width }, (_, x) => {
      const inks = Array.from({ length: height }, (__, y) => levels[y * width + x]! / 15);
      const ink = inks.reduce((sum, each) => sum + each, 0);
      return { ink, middle: inks.reduce((sum, each, y) => sum + each * (y + 0.5), 0) / ink };
    });
  }

  test.each([8, 12, 16, 20, 64])('is a wave of one period a cell, the same from both sides (%i wide)', (width) => {
    const wave = columns(underline(CURLY, width));
    expect(wave.toReversed()).toEqual(wave);
    const fall = wave.slice(0, width / 2).map(({ middle }) => middle);
    expect(fall).toEqual(fall.toSorted((a, b) => a - b));
    const depth = fall.at(-1)! - fall[0]!;
    expect(Math.abs(depth - Math.max(2, width / 4))).toBeLessThan(0.8);
  });

  test('is as thick as a line and a soft edge, and within the descent of its cell', () => {
    for (const [width, stroke] of [
      [12, 2],
      [16, 2],
      [64, 8],
    ] as const) {
      const glyph = underline(CURLY, width);
      for (const { ink, middle } of columns(glyph)) {
        expect(Math.abs(ink - stroke - 0.4)).toBeLessThan(0.35);
        expect(middle - stroke / 2).toBeGreaterThanOrEqual(baselineOf(width, 2 * width) - 1);
      }
      expect(glyph.inkBottom).toBe(2 * width);
    }
  });
});

describe('a dotted underline', () => {
  test.each([
    [4, '#.#.'],
    [8, '#.#.#.#.'],
    [12, '##..##..##..'],
    [20, '###...###....###....'],
    [7, '#.#.#..'],
  ])('of a cell %i wide is %s on the rows of an underline', (width, row) => {
    const rows = glyphRows(underline(DOTTED, width));
    const lined = fullRows(underline(SINGLE, width));
    expect(rows.flatMap((each, y) => (each === '.'.repeat(width) ? [] : [y]))).toEqual(lined);
    for (const y of lined) expect(rows[y]).toBe(row);
  });
});

test.each([
  [4, '#..#'],
  [8, '##....##'],
  [20, '######........######'],
])('a dashed underline of a cell %i wide is half a dash at either end', (width, row) => {
  const rows = glyphRows(underline(DASHED, width));
  const lined = fullRows(underline(SINGLE, width));
  expect(rows.flatMap((each, y) => (each === '.'.repeat(width) ? [] : [y]))).toEqual(lined);
  for (const y of lined) expect(rows[y]).toBe(row);
});

test('an overline is at the top, a strikethrough in the middle of small letters', () => {
  const others = (attrs: number, width: number) =>
    fullRows(new DecorationSheet(width, 2 * width).lines(attrs, 'single').others!);
  expect(others(ATTR_OVERLINE, 8)).toEqual([0]);
  expect(others(ATTR_OVERLINE, 20)).toEqual([0, 1, 2]);
  expect(others(ATTR_STRIKETHROUGH, 8)).toEqual([8]);
  expect(others(ATTR_STRIKETHROUGH, 20)).toEqual([21, 22, 23]);
  expect(others(ATTR_STRIKETHROUGH | ATTR_OVERLINE, 8)).toEqual([0, 8]);
});

test('every line stays within its cell, at every size', () => {
  for (const width of WIDTHS) {
    for (const height of [width, 2 * width, 3 * width]) {
      for (const attrs of [SINGLE, DOUBLE, CURLY, DOTTED, DASHED]) {
        const glyph = underline(attrs, width, height);
        expect([glyph.width, glyph.height, glyph.levels.length]).toEqual([width, height, width * height]);
        expect(glyph.inkTop).toBeLessThan(glyph.inkBottom);
      }
    }
  }
});

describe('a sheet of lines', () => {
  test('has the underline apart from the others, and no other line', () => {
    const sheet = new DecorationSheet(8, 16);
    expect(sheet.lines(ATTR_BOLD, 'single')).toEqual({ underline: undefined, others: undefined });
    expect(sheet.lines(SINGLE | ATTR_BOLD, 'single')).toEqual({ underline: underline(SINGLE, 8), others: undefined });
    const { underline: none, others } = sheet.lines(ATTR_OVERLINE, 'single');
    expect(none).toBeUndefined();
    expect(others?.inkTop).toBe(0);
    expect(sheet.lines(SINGLE | ATTR_OVERLINE, 'single')).toEqual({ underline: underline(SINGLE, 8), others });
    expect(sheet.lines(6 << ATTR_UNDERLINE_SHIFT, 'single').underline).toBeUndefined();
  });

  test('draws lines of large rows as wide and as thick as their letters', () => {
    const sheet = new DecorationSheet(8, 16);
    const lines = (size: Parameters<DecorationSheet['lines']>[1]) => sheet.lines(SINGLE | ATTR_OVERLINE, size);
    const [wide, top, bottom] = [lines('double-width'), lines('double-top'), lines('double-bottom')];
    for (const { underline: glyph } of [wide, top, bottom]) expect(glyph).toMatchObject({ width: 16, height: 16 });
    expect(fullRows(wide.underline!)).toEqual([14]);
    expect(fullRows(wide.others!)).toEqual([0]);
    expect(fullRows(top.underline!)).toEqual([]);
    expect(fullRows(top.others!)).toEqual([0, 1]);
    expect(fullRows(bottom.underline!)).toEqual(fullRows(underline(SINGLE, 16)).map((y) => y - 16));
    expect(fullRows(bottom.others!)).toEqual([]);
  });
});
