// Packs a bitmap font that was published as outlines of its pixels: 32 bytes a glyph instead of 200.
// Layout after inflation, in the order of the ranges: one byte a glyph (8 or 16, its width), then 16 rows of 16 bits each,
// big-endian, leftmost pixel in the highest bit.
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { deflateRawSync } from 'node:zlib';

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
    widths[index] = context.measureText(text).width < HALF ? SIZE / 2 : SIZE;
    context.fillStyle = '#000';
    context.fillRect(0, 0, SIZE, SIZE);
    context.fillStyle = '#fff';
    // The font's descent is two of its sixteen rows.
    context.fillText(text, 0, SIZE - 2);
    const { data } = context.getImageData(0, 0, SIZE, SIZE);
    for (let pixel = 0; pixel < SIZE * SIZE; pixel++) {
      if (data[pixel * 4] > 127) bitmaps[(index * SIZE * SIZE + pixel) >> 3] |= 0x80 >> (pixel & 7);
    }
  }
  return deflateRawSync(Buffer.concat([widths, bitmaps]), { level: 9 });
}
