// Packs a bitmap font that was published as outlines of its pixels: 32 bytes a glyph instead of 200.
// Layout after inflation, in the order of the ranges: one byte a glyph (8 or 16, its width), then two bytes of each of its 16 rows,
// leftmost pixel in the highest bit: the left bytes of all rows, then the right ones, which packs a twelfth smaller than by rows.
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { brotliCompressSync, constants } from 'node:zlib';

const SIZE = 16;
const FAMILY = 'bitmap';
/** Below it an advance is half of an em, above it a whole. */
const HALF = 12;

export function packBitmapFont(font, ranges) {
  GlobalFonts.register(font, FAMILY);
  const context = createCanvas(SIZE, SIZE).getContext('2d');
  context.font = `${SIZE}px "${FAMILY}"`;
  const codePoints = ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
  const widths = Buffer.alloc(codePoints.length);
  const bitmaps = Buffer.alloc(codePoints.length * SIZE * 2);
  for (const [index, codePoint] of codePoints.entries()) {
    const text = String.fromCodePoint(codePoint);
    const { x, width } = placeOf(context.measureText(text));
    widths[index] = width;
    context.fillStyle = '#000';
    context.fillRect(0, 0, SIZE, SIZE);
    context.fillStyle = '#fff';
    // The font's descent is two of its sixteen rows.
    context.fillText(text, x, SIZE - 2);
    const { data } = context.getImageData(0, 0, SIZE, SIZE);
    for (let pixel = 0; pixel < SIZE * SIZE; pixel++) {
      const [x, y] = [pixel % SIZE, Math.floor(pixel / SIZE)];
      if (data[pixel * 4] > 127) bitmaps[index * SIZE * 2 + (x >> 3) * SIZE + y] |= 0x80 >> (x & 7);
    }
  }
  return brotliCompressSync(Buffer.concat([widths, bitmaps]), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
}

/**
 * A mark has no advance and lies to the left of its origin, where its letter has been: over a letter of half an em, around
 * one (an em in its middle), or over the seam to the letter that follows.
 */
function placeOf({ width, actualBoundingBoxLeft: left, actualBoundingBoxRight: right }) {
  if (width > 0 || left <= 0) return { x: 0, width: width < HALF ? SIZE / 2 : SIZE };
  if (left > SIZE / 2) return { x: (SIZE * 3) / 4, width: SIZE };
  return { x: SIZE / 2, width: right > 0 ? SIZE : SIZE / 2 };
}
