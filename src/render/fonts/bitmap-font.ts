/**
 * Unifont as its own pixels, the last resort for every script without a face: all of CJK and Hangul among them. Read with
 * its first glyph. A cell twice as high as wide is exactly what its 8x16 and 16x16 boxes are drawn for, so a glyph is
 * scaled by area alone; scripts/fonts-bitmap.mjs defines the layout.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Coverage } from './coverage.js';

const SIZE = 16;
const GLYPH_BYTES = (SIZE * SIZE) / 8;

export interface StrokeWeight {
  /** Share of the pixels to the right of ink and below it that is ink, too, where that closes no gap. */
  readonly right: number;
  readonly below: number;
  /** Times as much coverage, up to a full pixel: a stroke that lies across two is otherwise two greys. */
  readonly gain: number;
}

/** Strokes that the font has itself. */
export const THIN_STROKES: StrokeWeight = { right: 0, below: 0, gain: 1 };
/** Strokes of one pixel made thicker: those of the primary face at 8x16 have one and a half, and CJK beside Latin was paler. */
export const REGULAR_STROKES: StrokeWeight = { right: 0.35, below: 0.2, gain: 1.35 };

export class BitmapFont {
  readonly #path: string;
  readonly #coverage: Coverage;
  #bytes: Uint8Array | undefined;

  constructor(fontsDir: string, name: string, coverage: Coverage) {
    this.#path = join(fontsDir, `${name}.bitmap`);
    this.#coverage = coverage;
  }

  /** Coverage 0..255 by pixel; characters after the first lie upon it, as combining marks do. */
  draw(text: string, width: number, height: number, bold: boolean, weight: StrokeWeight): Uint8Array {
    const alpha = new Uint8Array(width * height);
    for (const character of text) {
      const glyph = this.#coverage.rank(character.codePointAt(0) ?? 0);
      if (glyph !== undefined) this.#drawGlyph(glyph, alpha, width, height, bold, weight);
    }
    return alpha;
  }

  #drawGlyph(
    glyph: number,
    alpha: Uint8Array,
    width: number,
    height: number,
    bold: boolean,
    { right, below, gain }: StrokeWeight,
  ): void {
    const bytes = this.#load();
    const glyphWidth = bytes[glyph] ?? SIZE;
    const start = this.#coverage.size + glyph * GLYPH_BYTES;
    const bitAt = (x: number, y: number): number => {
      if (x < 0 || y < 0 || x >= SIZE || y >= SIZE) return 0;
      return ((bytes[start + (x >> 3) * SIZE + y] ?? 0) >> (7 - (x & 7))) & 1;
    };
    // Bold is the glyph drawn twice, one of its pixels apart.
    const isInk = bold ? (x: number, y: number) => bitAt(x, y) | bitAt(x - 1, y) : bitAt;
    const inkAt = (x: number, y: number): number => {
      if (isInk(x, y) === 1) return 1;
      const beside = isInk(x - 1, y) === 1 && isInk(x + 1, y) === 0 ? right : 0;
      const under = isInk(x, y - 1) === 1 && isInk(x, y + 1) === 0 ? below : 0;
      return Math.max(beside, under);
    };
    // A narrow glyph in a wide box keeps its shape, in the middle.
    const scaleX = Math.min(width / glyphWidth, height / SIZE);
    const left = (width - glyphWidth * scaleX) / 2;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const box = [(x - left) / scaleX, (y * SIZE) / height, 1 / scaleX, SIZE / height] as const;
        const ink = Math.min(1, gain * coveredShare(inkAt, glyphWidth, ...box));
        alpha[y * width + x] = Math.max(alpha[y * width + x] ?? 0, Math.round(ink * 255));
      }
    }
  }

  #load(): Uint8Array {
    this.#bytes ??= brotliDecompressSync(readFileSync(this.#path));
    return this.#bytes;
  }
}

/** Share of a box of source pixels that is ink. */
function coveredShare(
  inkAt: (x: number, y: number) => number,
  glyphWidth: number,
  left: number,
  top: number,
  width: number,
  height: number,
): number {
  let ink = 0;
  const firstX = Math.max(0, Math.floor(left));
  const lastX = Math.min(glyphWidth, Math.ceil(left + width));
  for (let y = Math.floor(top); y < Math.min(SIZE, Math.ceil(top + height)); y++) {
    const shareY = Math.min(y + 1, top + height) - Math.max(y, top);
    for (let x = firstX; x < lastX; x++) {
      const shareX = Math.min(x + 1, left + width) - Math.max(x, left);
      if (shareX > 0 && shareY > 0) ink += shareX * shareY * inkAt(x, y);
    }
  }
  return ink / (width * height);
}
