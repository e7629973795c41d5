/** A picture of plain colours that parts of the renderer paint into, read back as text. */
import type { PixelTarget } from '../../../src/render/raster/blit.js';
import { PixelPalette } from '../../../src/render/raster/palette.js';

export const PAPER = 0x111111;

export interface Paper extends PixelTarget {
  /** Rows of signs: `.` is bare paper, each colour has the sign that `signs` gives it. */
  rows(signs: Readonly<Record<number, string>>): string[];
}

/** `left`, `top`: pixels around what is painted, so that what goes astray is seen. */
export function paper(width: number, height: number, left = 0, top = 0): Paper {
  const stride = width + 2 * left;
  const pixels = new Uint32Array(stride * (height + 2 * top)).fill(PAPER);
  const palette = new PixelPalette({ kind: { mode: 'direct', whole: false }, colors: [] });
  const rows = (signs: Readonly<Record<number, string>>): string[] =>
    Array.from({ length: pixels.length / stride }, (_, y) =>
      Array.from(pixels.subarray(y * stride, (y + 1) * stride), (color) =>
        color === PAPER ? '.' : (signs[color] ?? '?'),
      ).join(''),
    );
  return { pixels, stride, origin: top * stride + left, palette, rows };
}
