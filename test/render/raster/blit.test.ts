import { describe, expect, test } from 'vitest';
import {
  blitColors,
  blitMask,
  colorsOver,
  fillRect,
  overlayMask,
  type PixelTarget,
} from '../../../src/render/raster/blit.js';
import { mixColors } from '../../../src/render/color.js';
import { type ColorGlyph, maskGlyph } from '../../../src/render/glyphs/glyph.js';
import { CellColorRules, ScreenColors } from '../../../src/render/raster/cell-colors.js';
import { PixelPalette } from '../../../src/render/raster/palette.js';
import { maskOf } from '../support/ink.js';
import { PAPER, paper } from '../support/target.js';
import { themeNamed } from '../support/test-renderer.js';

const RED = 0xff0000;
const BLUE = 0x0000ff;
const HALF = mixColors(BLUE, RED, 8, 15);
const SIGNS = { [RED]: '#', [BLUE]: 'o', [HALF]: '8' };
const ALL = 0xffff;

const NO_COLORS = {
  palette: new Map<number, number>(),
  foreground: undefined,
  background: undefined,
  cursor: undefined,
};
const inksOf = (faded: boolean): CellColorRules =>
  new CellColorRules(new ScreenColors({ ...themeNamed('xterm'), background: BLUE }, NO_COLORS, false), {
    minimumContrast: 1,
    boldAsBright: false,
    faded,
  });

function glyphOf(...rows: readonly string[]) {
  const { width, height, alpha } = maskOf(...rows);
  return maskGlyph(width, height, alpha);
}

test('a rectangle has its pixels and no others', () => {
  const target = paper(4, 3, 1, 1);
  fillRect(target, 1, 0, 2, 2, RED);
  expect(target.rows(SIGNS)).toEqual(['......', '..##..', '..##..', '......', '......']);
  fillRect(target, 0, 2, 4, 1, BLUE);
  expect(target.rows(SIGNS)).toEqual(['......', '..##..', '..##..', '.oooo.', '......']);
});

describe('a mask', () => {
  const glyph = glyphOf('...', '#8.', '.##', '...');

  test('is painted with its background', () => {
    const target = paper(4, 4, 1, 1);
    blitMask(target, 1, glyph, target.palette.run(RED, BLUE, ALL), false);
    expect(target.rows(SIGNS)).toEqual(['......', '..ooo.', '..#8o.', '..o##.', '..ooo.', '......']);
  });

  test('leaves out lines without ink if the background is painted already', () => {
    const target = paper(4, 4, 1, 1);
    blitMask(target, 1, glyph, target.palette.run(RED, BLUE, ALL), true);
    expect(target.rows(SIGNS)).toEqual(['......', '......', '..#8o.', '..o##.', '......', '......']);
  });

  test.each([true, false])('is the same in a picture of palette indices (background painted: %s)', (blank) => {
    const colors = [PAPER, BLUE, HALF, RED];
    const palette = new PixelPalette({ kind: { mode: 'indexed-16', whole: false }, colors });
    const words = paper(4, 4, 1, 1);
    const bytes: PixelTarget = { ...words, pixels: new Uint8Array(words.pixels.length), palette };
    blitMask(words, 1, glyph, words.palette.run(RED, BLUE, ALL), blank);
    blitMask(bytes, 1, glyph, palette.run(RED, BLUE, ALL), blank);
    expect(Array.from(bytes.pixels, (index) => colors[index])).toEqual(Array.from(words.pixels));
  });
});

describe('a line over a glyph', () => {
  const line = glyphOf('...', '8#8', '...');
  const painted = (under: Parameters<typeof overlayMask>[4], offset = 0): string[] => {
    const target = paper(4, 3, 1, 1);
    overlayMask(target, 1, line, target.palette.run(RED, BLUE, ALL), under, offset);
    return target.rows(SIGNS);
  };

  test('is complete if there is nothing below', () => {
    expect(painted(undefined)).toEqual(['......', '......', '..8#8.', '......', '......']);
    expect(painted(glyphOf('...', '...', '...'))).toEqual(painted(undefined));
  });

  test('covers weaker and equal ink, and is covered by stronger', () => {
    expect(painted(glyphOf('###', '98#', '###'))[2]).toBe('...#..');
    expect(painted(glyphOf('###', '8#7', '###'))[2]).toBe('..8#8.');
  });

  test('reads its own part of a wide glyph', () => {
    expect(painted(glyphOf('......', '#.#...', '......'), 3)[2]).toBe('..8#8.');
    expect(painted(glyphOf('......', '...#.#', '......'), 3)[2]).toBe('...#..');
  });
});

describe('a colour glyph', () => {
  const green = 0x00ff00;
  const glyph: ColorGlyph = {
    kind: 'color',
    width: 2,
    height: 2,
    colors: Uint32Array.of(RED, green, green, RED),
    levels: Uint8Array.of(15, 0, 15, 9),
    graphic: true,
  };
  const mixed = mixColors(BLUE, RED, 9, 15);

  test('covers its background within its shape, and leaves it elsewhere', () => {
    const target = paper(3, 2, 1, 1);
    blitColors(target, 1, glyph, BLUE, inksOf(false));
    expect(target.rows({ [RED]: 'r', [green]: 'g', [mixed]: 'm' })).toEqual(['.....', '..r..', '..gm.', '.....']);
  });

  test('is faded with its row', () => {
    const target = paper(2, 2);
    blitColors(target, 0, glyph, BLUE, inksOf(true));
    const faded = mixColors(BLUE, RED, 2, 5);
    expect(target.pixels[0]).toBe(target.palette.pictureValue(faded));
    expect(target.pixels[1]).toBe(PAPER);
    expect(colorsOver(glyph, BLUE, inksOf(true))).toContain(faded);
  });

  test('has the colours of the pixels that it covers', () => {
    expect(colorsOver(glyph, BLUE, inksOf(false))).toEqual(new Set([RED, green, mixed]));
  });
});
