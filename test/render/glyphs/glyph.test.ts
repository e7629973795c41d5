import { describe, expect, test } from 'vitest';
import { GlyphAtlas, GlyphSheet } from '../../../src/render/glyphs/atlas.js';
import {
  ALL_LEVELS,
  type ColorGlyph,
  type Glyph,
  maskGlyph,
  quantise,
  remapped,
  STYLE_BOLD,
} from '../../../src/render/glyphs/glyph.js';
import { maskOf } from '../support/ink.js';
import { FONTS_DIR } from '../support/test-renderer.js';

function glyphOf(...rows: readonly string[]) {
  const { width, height, alpha } = maskOf(...rows);
  return maskGlyph(width, height, alpha);
}

test('coverage is rounded to the nearest of sixteen levels', () => {
  expect([0, 8, 9, 127, 128, 246, 247, 255].map(quantise)).toEqual([0, 0, 1, 7, 8, 14, 15, 15]);
});

describe('a mask', () => {
  test.each([
    [['...', '...'], 2, 2],
    [['#..', '...'], 0, 1],
    [['...', '..1'], 1, 2],
    [['...', '#..', '...', '..#', '...'], 1, 4],
  ])('%j has its ink from line %i up to line %i', (rows, inkTop, inkBottom) => {
    expect(glyphOf(...rows)).toMatchObject({ inkTop, inkBottom });
  });

  test('has a bit for each level that occurs', () => {
    expect(glyphOf('.3', '##').used).toBe((1 << 0) | (1 << 3) | (1 << 15));
    expect(glyphOf('##').used).toBe(1 << 15);
    expect(glyphOf('.123456789abcde#').used).toBe(ALL_LEVELS);
  });

  test('is text unless it is created as a picture', () => {
    expect(glyphOf('#').graphic).toBe(false);
    expect(maskGlyph(1, 1, Uint8Array.of(255), true).graphic).toBe(true);
  });

  test('with replaced pixels is measured again', () => {
    const turned = remapped(glyphOf('..', '#3'), 2, 2, (x, y) => (1 - y) * 2 + (1 - x));
    expect(turned).toEqual(glyphOf('3#', '..'));
    expect(remapped(maskGlyph(1, 1, Uint8Array.of(255), true), 2, 1, () => 0)).toMatchObject({
      graphic: true,
      width: 2,
    });
  });
});

test('a colour glyph with replaced pixels has their colours', () => {
  const glyph: ColorGlyph = {
    kind: 'color',
    width: 2,
    height: 1,
    colors: Uint32Array.of(0xff0000, 0x0000ff),
    levels: Uint8Array.of(15, 7),
    graphic: true,
  };
  const tall = remapped(glyph, 1, 2, (_, y) => 1 - y);
  expect(tall).toEqual({
    ...glyph,
    width: 1,
    height: 2,
    colors: glyph.colors.toReversed(),
    levels: Uint8Array.of(7, 15),
  });
});

describe('a sheet of glyphs', () => {
  function counted(): { readonly sheet: GlyphSheet; readonly drawn: string[]; readonly young: Glyph[] } {
    const drawn: string[] = [];
    const young: Glyph[] = [];
    const draw = (grapheme: number | string, style: number): Glyph => {
      drawn.push(`${grapheme} ${style}`);
      return glyphOf('#'.repeat(drawn.length));
    };
    return { sheet: new GlyphSheet(draw, (glyph) => young.push(glyph)), drawn, young };
  }

  test('draws each character in each style once', () => {
    const { sheet, drawn } = counted();
    const asked: [number | string, number][] = [
      [0x41, 0],
      [0x41, STYLE_BOLD],
      [0x42, 0],
      [0x49, 0],
      ['a\u0301', 0],
      ['a\u0301', STYLE_BOLD],
      ['e\u0301', 0],
    ];
    const first = asked.map(([grapheme, style]) => sheet.glyph(grapheme, style));
    expect(drawn).toEqual(asked.map(([grapheme, style]) => `${grapheme} ${style}`));
    expect(new Set(first).size).toBe(7);
    asked.forEach(([grapheme, style], at) => expect(sheet.glyph(grapheme, style)).toBe(first[at]));
    expect(drawn).toHaveLength(7);
  });

  test('keeps requested glyphs in every generation, and drops the others', () => {
    const { sheet, drawn, young } = counted();
    const kept = sheet.glyph(0x41, 0);
    sheet.glyph(0x42, 0);
    sheet.age();
    expect(sheet.glyph(0x41, 0)).toBe(kept);
    expect(young).toHaveLength(3);
    sheet.age();
    expect(sheet.glyph(0x41, 0)).toBe(kept);
    expect(drawn).toHaveLength(2);
    sheet.glyph(0x42, 0);
    expect(drawn).toHaveLength(3);
  });

  test('counts a glyph of both generations once', () => {
    const { sheet } = counted();
    sheet.glyph(0x41, 0);
    const one = sheet.byteLength;
    sheet.age();
    expect(sheet.byteLength).toBe(one);
    sheet.glyph(0x41, 0);
    expect(sheet.byteLength).toBe(one);
    sheet.glyph(0x42, 0);
    expect(sheet.byteLength).toBe(2 * one + 1);
  });

  test('counts five bytes for a pixel with a colour of its own, one for another', () => {
    const levels = Uint8Array.of(1, 2, 3);
    const size = (glyph: Glyph): number => {
      const sheet = new GlyphSheet(
        () => glyph,
        () => {},
      );
      sheet.glyph(0x41, 0);
      return sheet.byteLength;
    };
    const mask = maskGlyph(3, 1, levels);
    const color: ColorGlyph = { kind: 'color', width: 3, height: 1, colors: new Uint32Array(3), levels, graphic: true };
    expect(size(color) - size(mask)).toBe(3 * 4);
    expect(size(mask) - size(maskGlyph(1, 1, levels))).toBe(2);
  });
});

describe('an atlas', () => {
  const ofOne = (): number => {
    const atlas = new GlyphAtlas(FONTS_DIR);
    atlas.sheet(8, 16, 'single').glyph(0x2588, 0);
    return atlas.byteLength;
  };

  test('is full with half of its limit, and then keeps that beside as many new glyphs', () => {
    const each = ofOne();
    expect(each).toBeGreaterThan(8 * 16);
    const atlas = new GlyphAtlas(FONTS_DIR, () => 6 * each);
    const kept = Array.from({ length: 10 }, (_, at) => {
      atlas.sheet(8, 16, 'single').glyph(0x2580 + at, 0);
      return atlas.byteLength / each;
    });
    expect(kept).toEqual([1, 2, 3, 4, 5, 6, 4, 5, 6, 4]);
  });

  test('has a sheet for each width, height and kind of line', () => {
    const atlas = new GlyphAtlas(FONTS_DIR);
    const first = atlas.sheet(8, 16, 'single');
    expect(atlas.sheet(8, 16, 'single')).toBe(first);
    const others = [atlas.sheet(9, 16, 'single'), atlas.sheet(8, 18, 'single'), atlas.sheet(8, 16, 'double-top')];
    expect(new Set([first, ...others]).size).toBe(4);
    expect(others[0]!.glyph(0x2588, 0)).toMatchObject({ width: 9, height: 16 });
    expect(others[2]!.glyph(0x2588, 0)).toMatchObject({ width: 16, height: 16 });
  });
});
