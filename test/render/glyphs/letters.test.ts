/** Letters without their marks, each by what is to draw it. */
import { describe, expect, test } from 'vitest';
import { baselineOf } from '../../../src/render/cell-size.js';
import { FaceLoader } from '../../../src/render/glyphs/faces.js';
import { REGULAR_STROKES } from '../../../src/render/fonts/bitmap-font.js';
import { type Glyph, STYLE_BOLD, STYLE_ITALIC, STYLE_WIDE } from '../../../src/render/glyphs/glyph.js';
import { type GlyphBox, LetterRasterizer } from '../../../src/render/glyphs/letters.js';
import { drawSprite } from '../../../src/render/sprites/sprite.js';
import { drawTofu } from '../../../src/render/glyphs/tofu.js';
import { glyphRows } from '../support/ink.js';
import { FONTS_DIR } from '../support/test-renderer.js';

const faces = new FaceLoader(FONTS_DIR);
const press = new LetterRasterizer(faces);
/** Of 15. */
const SEEN = 3;

function box(cellWidth: number, style = 0): GlyphBox {
  const width = (style & STYLE_WIDE) === 0 ? cellWidth : 2 * cellWidth;
  return { style, cellWidth, width, height: 2 * cellWidth };
}

function draw(letter: string, cellWidth: number, style = 0): Glyph {
  return press.draw(letter, box(cellWidth, style)).glyph;
}

function inkedRows({ levels, width }: Glyph): number[] {
  const rows = Array.from({ length: levels.length / width }, (_, y) => y);
  return rows.filter((y) => levels.subarray(y * width, (y + 1) * width).some((level) => level >= SEEN));
}

test('an empty cluster is a blank box', () => {
  const { glyph, rest } = press.draw('', box(8));
  expect(rest).toEqual([]);
  expect(glyph).toMatchObject({ kind: 'mask', width: 8, height: 16, inkTop: 16, graphic: false });
});

test('a sprite is its pixels, and part of a picture', () => {
  const { glyph, rest } = press.draw('┼', box(8));
  const sprite = drawSprite(0x253c, 8, 16)!;
  expect(glyph.levels).toEqual(sprite.alpha.map((ink) => Math.round((ink * 15) / 255)));
  expect([glyph.graphic, rest]).toEqual([true, []]);
  expect(draw('█', 8, STYLE_WIDE)).toMatchObject({ width: 16, height: 16, inkTop: 0, inkBottom: 16 });
});

test('text is not a picture, and neither is a partial sprite', () => {
  expect(draw('a', 8).graphic).toBe(false);
  expect(draw('─\u200d', 8).graphic).toBe(false);
});

test.each([
  [8, 0, [13]],
  [8, STYLE_BOLD, [13, 14]],
  [8, STYLE_BOLD | STYLE_ITALIC, [13, 14]],
  [20, 0, [34, 35, 36]],
  [20, STYLE_BOLD, [34, 35, 36, 37, 38, 39]],
  [12, 0, [20, 21]],
  [12, STYLE_BOLD, [20, 21, 22, 23]],
  [4, 0, [6]],
  [4, STYLE_BOLD, [6, 7]],
])('a low line of a cell %i wide in style %i is rows %j, from edge to edge', (cellWidth, style, rows) => {
  const drawn = glyphRows(draw('_', cellWidth, style));
  expect(drawn).toHaveLength(2 * cellWidth);
  drawn.forEach((row, y) => expect(row).toBe((rows.includes(y) ? '#' : '.').repeat(cellWidth)));
});

test('a cluster without a face is its code in a box', () => {
  expect(draw('\u{10ffff}', 20)).toEqual(drawTofu('\u{10ffff}', 20, 40));
  expect(draw('\u{10ffff}', 20, STYLE_WIDE)).toEqual(drawTofu('\u{10ffff}', 40, 40));
});

test('a character of Unifont alone is its pixels, twice in bold', () => {
  const font = faces.bitmapFont('unifont');
  const levels = (bold: boolean) =>
    font.draw('漢', 16, 16, bold, REGULAR_STROKES).map((ink) => Math.round((ink * 15) / 255));
  expect(draw('漢', 8, STYLE_WIDE).levels).toEqual(levels(false));
  expect(draw('漢', 8, STYLE_WIDE | STYLE_BOLD).levels).toEqual(levels(true));
  expect(levels(true)).not.toEqual(levels(false));
});

test("marks that its face lacks are left for the letter's rasterizer", () => {
  expect(press.draw('a\u1ad0', box(8)).rest).toEqual([0x1ad0]);
  expect(press.draw('a\u1ad0', box(8)).glyph).toEqual(draw('a', 8));
  expect(press.draw('漢\u1ad0', box(8)).rest).toEqual([0x1ad0]);
  expect(press.draw('é', box(8)).rest).toEqual([]);
});

test('letters of the primary face have their stems on pixels in cells 8 wide', () => {
  for (const letter of 'HIETL|') {
    const { levels } = draw(letter, 8);
    const strongest = Array.from(
      { length: 8 },
      (_, x) => levels.filter((level, at) => at % 8 === x && level >= 11).length,
    );
    expect(Math.max(...strongest), letter).toBeGreaterThanOrEqual(9);
  }
});

test.each([4, 7, 8, 10, 20])(
  'letters are on the baseline, %i wide, and a sign is higher than half of the width',
  (cellWidth) => {
    const baseline = baselineOf(cellWidth, 2 * cellWidth);
    for (const letter of 'xHÉÑ') expect(inkedRows(draw(letter, cellWidth)).at(-1), letter).toBe(baseline - 1);
    for (const wide of [0, STYLE_WIDE]) {
      expect(inkedRows(draw('☃', cellWidth, wide)).length).toBeGreaterThan(cellWidth / 2);
    }
  },
);

test('letters are in the middle of their cell, at 8 half a pixel to the right', () => {
  for (const cellWidth of [7, 8, 10, 20]) {
    const { levels } = draw('H', cellWidth);
    const ink = levels.reduce((sum, level) => sum + level, 0);
    const middle = levels.reduce((sum, level, at) => sum + level * ((at % cellWidth) + 0.5), 0) / ink;
    expect(Math.abs(middle - cellWidth / 2 - (cellWidth === 8 ? 0.5 : 0)), `${cellWidth} wide`).toBeLessThan(0.25);
  }
});

test('an l is higher than a capital at every default width', () => {
  for (const cellWidth of [7, 8, 10, 20]) {
    expect(inkedRows(draw('l', cellWidth))[0]).toBeLessThan(inkedRows(draw('I', cellWidth))[0]!);
  }
});

test('pieces of a bracket reach from the top of their cell to its bottom', () => {
  for (const cellWidth of [8, 10, 20]) {
    expect(inkedRows(draw('⎪', cellWidth))).toHaveLength(2 * cellWidth);
  }
});

test('a letter with high marks is whole: lower than without them, with its marks above', () => {
  for (const cellWidth of [8, 10, 20]) {
    for (const marked of 'ÉÑẪ') {
      const rows = inkedRows(draw(marked, cellWidth));
      expect(rows[0], marked).toBeLessThanOrEqual(cellWidth / 8);
      expect(rows.at(-1), marked).toBe(baselineOf(cellWidth, 2 * cellWidth) - 1);
    }
    const [first = 0, ...others] = inkedRows(draw('Ñ', cellWidth));
    expect(others, 'the gap under the tilde').not.toHaveLength(others.at(-1)! - first);
  }
});

describe('emoji', () => {
  test.each([
    ['🟥', (red: number, green: number, blue: number) => red > green + 60 && red > blue + 60],
    ['🟦', (red: number, green: number, blue: number) => blue > red + 60 && blue > green],
    ['🟩', (red: number, green: number, blue: number) => green > red + 30 && green > blue + 60],
  ])('%s has its colour in its middle, and none around it', (emoji, isIts) => {
    const glyph = press.drawEmoji(emoji, box(8, STYLE_WIDE));
    if (glyph?.kind !== 'color') throw new Error('no colours');
    const color = glyph.colors[8 * 16 + 8]!;
    expect(isIts(color >> 16, (color >> 8) & 0xff, color & 0xff), color.toString(16)).toBe(true);
    expect(glyph.levels[8 * 16 + 8]).toBe(15);
    expect(glyph.levels[0]).toBeLessThan(15);
    expect([glyph.width, glyph.height, glyph.graphic]).toEqual([16, 16, true]);
    expect(press.draw(emoji, box(8, STYLE_WIDE)).glyph).toEqual(glyph);
  });

  test('have the colours of each pixel, next to others, too', () => {
    const glyph = press.drawEmoji('🇫🇷', box(20, STYLE_WIDE));
    if (glyph?.kind !== 'color') throw new Error('no colours');
    const row = Array.from(glyph.colors.subarray(20 * 40, 21 * 40)).filter((_, x) => glyph.levels[20 * 40 + x] === 15);
    const kinds = row.map((color) =>
      [color >> 16, (color >> 8) & 0xff, color & 0xff].map((value) => (value > 128 ? 1 : 0)),
    );
    expect(kinds.map((kind) => kind.join('')).filter((kind, x, all) => kind !== all[x - 1])).toEqual([
      '001',
      '111',
      '100',
    ]);
  });

  test('are only clusters that are drawn in colours as a whole', () => {
    expect(press.drawEmoji('1\ufe0f\u20e3', box(8, STYLE_WIDE))?.kind).toBe('color');
    for (const text of ['a', '漢', '┼', '❤\ufe0e', '\u{10ffff}', '😀\u20e0']) {
      expect(press.drawEmoji(text, box(8, STYLE_WIDE)), text).toBeUndefined();
    }
  });
});

describe('a letter that its face draws well', () => {
  test.each([
    ['a letter alone', 'a', 4, true],
    ['a letter alone that is tall', 'ש', 4, true],
    ['a sign', '→', 4, true],
    ['an emoji', '😀', 4, true],
    ['a small letter with a mark that fits', 'é', 8, true],
    ['one mark that fits into a small cell', 'é', 6, true],
    ['a small letter with a mark below that does not fit', 'ḁ', 8, false],
    ['two marks that fit into the smallest cell that has rows for both', 'ệ', 7, true],
    ['a capital with a mark that does not fit', 'É', 8, false],
    ['a capital with a mark that does not fit at any size', 'É', 20, false],
    ['two marks that fit into a large cell', 'ệ', 20, true],
    ['two marks that fit, in too small a cell', 'ệ', 6, false],
    ['two marks of a script that has no outlines of one character', 'กี่', 8, true],
    ['the same in too small a cell', 'กี่', 6, false],
    ['two marks upon a capital that nearly fit', 'Ậ', 20, true],
    ['pixels instead of outlines', '漢', 20, false],
    ['pixels instead of outlines', '한', 20, false],
    ['a mark that the face does not have', 'a\u1ad0', 20, false],
    ['no face', '\u{10ffff}', 20, false],
  ])('or not: %s (%s, %i wide): %s', (_, text, cellWidth, expected) => {
    expect(press.drawsWell(text, box(cellWidth))).toBe(expected);
  });
});

describe('faces', () => {
  test('are chosen by weight and slant', () => {
    expect(faces.choose('a', 0, 8)?.file).toBe('dejavu-sans-mono');
    expect(faces.choose('a', STYLE_BOLD, 8)?.file).toBe('dejavu-sans-mono-bold');
    expect(faces.choose('a', STYLE_ITALIC, 8)?.file).toBe('dejavu-sans-mono-oblique');
    expect(faces.choose('a', STYLE_BOLD | STYLE_ITALIC | STYLE_WIDE, 8)?.file).toBe('dejavu-sans-mono-bold-oblique');
    expect(faces.choose('0', 0, 7)?.file).toBe('jetbrains-mono-regular');
  });

  test('of pixels are read once, and an unknown one is an error', () => {
    expect(faces.bitmapFont('unifont')).toBe(faces.bitmapFont('unifont'));
    expect(() => faces.bitmapFont('no-such-font')).toThrow(/no-such-font/);
  });
});
