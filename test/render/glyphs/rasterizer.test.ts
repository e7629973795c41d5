/** Large rows, and what becomes of a letter and its marks as a whole. */
import { describe, expect, test } from 'vitest';
import { forLineSize, GlyphRasterizer } from '../../../src/render/glyphs/rasterizer.js';
import { type Glyph, maskGlyph, STYLE_ITALIC, STYLE_WIDE } from '../../../src/render/glyphs/glyph.js';
import type { LineSize } from '../../../src/vt/snapshot.js';
import { glyphRows, maskOf } from '../support/ink.js';
import { FONTS_DIR } from '../support/test-renderer.js';

const press = new GlyphRasterizer(FONTS_DIR);

function draw(grapheme: number | string, lineSize: LineSize = 'single', style = 0, cellWidth = 8): Glyph {
  return press.draw({ grapheme, style, cellWidth, cellHeight: 2 * cellWidth, lineSize });
}

function glyphOf(...rows: readonly string[]) {
  const { width, height, alpha } = maskOf(...rows);
  return maskGlyph(width, height, alpha);
}

describe('a glyph of a large row', () => {
  const glyph = glyphOf('12', '34', '56', '78');

  test('is unchanged in a row of normal size', () => {
    expect(forLineSize(glyph, 'single')).toBe(glyph);
  });

  test('is stretched across, or is one half of the glyph at double size', () => {
    expect(glyphRows(forLineSize(glyph, 'double-width'))).toEqual(['1122', '3344', '5566', '7788']);
    expect(glyphRows(forLineSize(glyph, 'double-top'))).toEqual(['12', '34']);
    expect(glyphRows(forLineSize(glyph, 'double-bottom'))).toEqual(['56', '78']);
  });

  test('is drawn at its displayed size', () => {
    for (const character of [0x61, 0x253c, 0x10ffff, 0x6f22]) {
      const style = character === 0x6f22 ? STYLE_WIDE : 0;
      const [top, bottom] = [draw(character, 'double-top', style), draw(character, 'double-bottom', style)];
      const large = draw(character, 'single', style, 16);
      expect([...top.levels, ...bottom.levels]).toEqual([...large.levels]);
      expect([top.width, top.height]).toEqual([large.width, 16]);
      const small = draw(character, 'single', style);
      const wide = draw(character, 'double-width', style);
      expect([wide.width, wide.height]).toEqual([2 * small.width, 16]);
      expect([...wide.levels].filter((_, at) => at % 2 === 0)).toEqual([...small.levels]);
      expect([...wide.levels].filter((_, at) => at % 2 === 1)).toEqual([...small.levels]);
    }
  });
});

describe('a glyph', () => {
  test('of one character is the same by code and by text', () => {
    expect(draw('a')).toEqual(draw(0x61));
    expect(draw('漢', 'single', STYLE_WIDE)).toEqual(draw(0x6f22, 'single', STYLE_WIDE));
  });

  test('is as wide as its cells', () => {
    expect(draw('漢', 'single', STYLE_WIDE)).toMatchObject({ width: 16, height: 16 });
    expect(draw('漢')).toMatchObject({ width: 8, height: 16 });
    expect(draw('x\u0301', 'single', STYLE_WIDE)).toMatchObject({ width: 16, height: 16 });
  });

  test('of a sprite with a mark is still a picture, and that of a letter still text', () => {
    expect(draw('█\u0301')).toMatchObject({ kind: 'mask' });
    expect(draw('x\u0301')).toMatchObject({ kind: 'mask', graphic: false });
    expect(draw('\u0301')).toMatchObject({ kind: 'mask', graphic: false });
  });

  test('of an emoji has colours, unless it has marks', () => {
    expect(draw('😀', 'single', STYLE_WIDE).kind).toBe('color');
    expect(draw('😀\u20dd', 'single', STYLE_WIDE).kind).toBe('mask');
    expect(draw('😀\u20dd', 'single', STYLE_WIDE)).toEqual(draw('😀\ufe0e\u20dd', 'single', STYLE_WIDE));
  });

  test('keeps its letter at full strength under its marks', () => {
    const [bare, marked] = [draw('x', 'single', 0, 20), draw('x\u0323', 'single', 0, 20)];
    const letterRows = (glyph: Glyph): number[] => [...glyph.levels.subarray(12 * 20, 31 * 20)];
    expect(letterRows(marked)).toEqual(letterRows(bare));
    expect(marked.levels.subarray(32 * 20).some((level) => level > 8)).toBe(true);
  });

  test('has its marks a ninth of the cell away, a pixel at least', () => {
    for (const [cellWidth, gap] of [
      [8, 1],
      [20, 2],
      [36, 4],
    ] as const) {
      const { levels, width, height } = draw('x\u0332', 'single', 0, cellWidth);
      const inked = Array.from({ length: height }, (_, y) =>
        levels.subarray(y * width, (y + 1) * width).some((level) => level > 4),
      );
      const bottom = inked.lastIndexOf(true);
      const barTop = inked.lastIndexOf(false, bottom);
      const letterBottom = inked.lastIndexOf(true, barTop);
      expect(barTop - letterBottom, `${cellWidth} wide`).toBe(gap);
    }
  });

  test('that is slanted has its marks further to the right above, and to the left below', () => {
    const middleOf = (text: string, style: number): number => {
      const { levels, width } = draw(text, 'single', style, 40);
      const rows = text === ' \u0307' ? levels.subarray(0, 45 * width) : levels.subarray(64 * width);
      const inks = Array.from(rows, (level, at) => [level, (at % width) + 0.5] as const);
      return inks.reduce((sum, [level, x]) => sum + level * x, 0) / inks.reduce((sum, [level]) => sum + level, 0);
    };
    expect(middleOf(' \u0307', STYLE_ITALIC) - middleOf(' \u0307', 0)).toBeGreaterThan(2);
    expect(middleOf(' \u0323', STYLE_ITALIC) - middleOf(' \u0323', 0)).toBeLessThan(-2);
  });

  test('of a blank has its marks as on a small letter', () => {
    const rows = ({ levels, width }: Glyph): number[] =>
      Array.from({ length: levels.length / width }, (_, y) => y).filter((y) =>
        levels.subarray(y * width, (y + 1) * width).some((level) => level > 4),
      );
    const [blank, letter] = [rows(draw(' \u0304', 'single', 0, 20)), rows(draw('x\u0304', 'single', 0, 20))];
    expect(Math.abs(blank[0]! - letter[0]!)).toBeLessThanOrEqual(1);
    expect(
      Math.abs(rows(draw(' \u0331', 'single', 0, 20))[0]! - rows(draw('x\u0331', 'single', 0, 20)).at(-1)!),
    ).toBeLessThanOrEqual(3);
  });
});
