/** Glyphs of a bitmap font of the test's own, whose pixels are known. */
import { writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BitmapFont, type StrokeWeight } from '../../../src/render/fonts/bitmap-font.js';
import { Coverage } from '../../../src/render/fonts/coverage.js';
import { tempDir } from '../../support/temp-dir.js';

const THIN: StrokeWeight = { right: 0, below: 0, gain: 1 };

/** A font of the letters a, b, …: each its width and the pixels of its ink. */
function fontOf(
  ...glyphs: readonly { width: number; ink: readonly (readonly [x: number, y: number])[] }[]
): BitmapFont {
  const { path, join } = tempDir();
  const widths = glyphs.map(({ width }) => width);
  const bitmaps = glyphs.flatMap(({ ink }) => {
    const bits = new Uint8Array(32);
    for (const [x, y] of ink) bits[(x >> 3) * 16 + y]! |= 0x80 >> (x & 7);
    return [...bits];
  });
  writeFileSync(join('own.bitmap'), brotliCompressSync(Uint8Array.from([...widths, ...bitmaps])));
  const last = 0x60 + glyphs.length;
  return new BitmapFont(path, 'own', new Coverage(glyphs.length === 1 ? '61' : `61-${last.toString(16)}`));
}

/** Pixels that are not blank, as x,y and their coverage. */
function drawn(font: BitmapFont, text: string, weight = THIN, bold = false, width = 16): Record<string, number> {
  const alpha = font.draw(text, width, 16, bold, weight);
  return Object.fromEntries(
    Array.from(alpha, (value, at) => [`${at % width},${Math.floor(at / width)}`, value] as const).filter(
      ([, value]) => value > 0,
    ),
  );
}

test('a glyph has its pixels at every edge, and no others', () => {
  const corners = [
    [0, 0],
    [15, 0],
    [0, 15],
    [15, 15],
    [8, 7],
  ] as const;
  const font = fontOf({ width: 16, ink: corners }, { width: 8, ink: [[7, 3]] });
  expect(drawn(font, 'a')).toEqual(Object.fromEntries(corners.map(([x, y]) => [`${x},${y}`, 255])));
  expect(drawn(font, 'b', THIN, false, 8)).toEqual({ '7,3': 255 });
  expect(drawn(font, 'c')).toEqual({});
});

test('a narrow glyph is in the middle of a wide box, and later ones are drawn over it', () => {
  const font = fontOf({ width: 8, ink: [[0, 0]] }, { width: 16, ink: [[1, 1]] });
  expect(drawn(font, 'a')).toEqual({ '4,0': 255 });
  expect(drawn(font, 'ba')).toEqual({ '1,1': 255, '4,0': 255 });
});

test('bold adds a pixel to the right, which does not wrap to the next line', () => {
  const font = fontOf({
    width: 16,
    ink: [
      [3, 0],
      [15, 1],
    ],
  });
  expect(drawn(font, 'a', THIN, true)).toEqual({ '3,0': 255, '4,0': 255, '15,1': 255 });
});

test('thicker strokes grow right and down by their share, unless that closes a gap', () => {
  const weight = { right: 0.4, below: 0.2, gain: 1 };
  const font = fontOf(
    { width: 16, ink: [[4, 4]] },
    {
      width: 16,
      ink: [
        [4, 4],
        [6, 4],
        [4, 6],
      ],
    },
  );
  expect(drawn(font, 'a', weight)).toEqual({ '4,4': 255, '5,4': 102, '4,5': 51 });
  expect(drawn(font, 'b', weight)).toEqual({
    '4,4': 255,
    '6,4': 255,
    '4,6': 255,
    '7,4': 102,
    '5,6': 102,
    '6,5': 51,
    '4,7': 51,
  });
  // What stands at the begin of the next line is no neighbour of the end of this one, nor is the next glyph below this one.
  const firstLine = Array.from({ length: 16 }, (_, x) => [x, 0] as const);
  const edge = fontOf(
    {
      width: 16,
      ink: [
        [14, 0],
        [0, 1],
        [3, 14],
      ],
    },
    { width: 16, ink: firstLine },
  );
  expect(drawn(edge, 'a', weight)).toMatchObject({ '15,0': 102, '3,15': 51 });
  const doubled = drawn(font, 'a', { ...weight, gain: 2 });
  expect(doubled).toEqual({ '4,4': 255, '5,4': 204, '4,5': 102 });
});

test('half the size is a quarter of the ink in each pixel', () => {
  const font = fontOf({
    width: 16,
    ink: [
      [0, 0],
      [2, 2],
      [3, 2],
      [2, 3],
      [3, 3],
    ],
  });
  const alpha = font.draw('a', 8, 8, false, THIN);
  expect([alpha[0], alpha[9], alpha[1]]).toEqual([64, 255, 0]);
});
