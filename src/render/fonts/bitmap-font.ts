/**
 * Unifont as its own pixels, the last resort for every script without a face: all of CJK and Hangul among them. Read with
 * its first glyph. A cell twice as high as wide is exactly what its 8x16 and 16x16 boxes are drawn for, so a glyph is
 * scaled by area alone; scripts/fonts-bitmap.mjs tells the layout.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type { Coverage } from './coverage.js';

const SIZE = 16;
const GLYPH_BYTES = (SIZE * SIZE) / 8;

export class BitmapFont {
  readonly #path: string;
  readonly #coverage: Coverage;
  #bytes: Uint8Array | undefined;

  constructor(fontsDir: string, name: string, coverage: Coverage) {
    this.#path = join(fontsDir, `${name}.bitmap`);
    this.#coverage = coverage;
  }

  /** Coverage 0..255 by pixel; characters after the first lie upon it, as combining marks do. */
  draw(text: string, width: number, height: number, bold: boolean): Uint8Array {
    const alpha = new Uint8Array(width * height);
    for (const character of text) {
      const glyph = this.#coverage.rank(character.codePointAt(0) ?? 0);
      if (glyph !== undefined) this.#drawGlyph(glyph, alpha, width, height, bold);
    }
    return alpha;
  }

  #drawGlyph(glyph: number, alpha: Uint8Array, width: number, height: number, bold: boolean): void {
    const bytes = this.#load();
    const glyphWidth = bytes[glyph] ?? SIZE;
    const start = this.#coverage.size + glyph * GLYPH_BYTES;
    const inkAt = (x: number, y: number): number => {
      const at = y * SIZE + x;
      return ((bytes[start + (at >> 3)] ?? 0) >> (7 - (at & 7))) & 1;
    };
    // Bold is the glyph drawn twice, one of its pixels apart.
    const isInk = bold ? (x: number, y: number) => inkAt(x, y) | (x > 0 ? inkAt(x - 1, y) : 0) : inkAt;
    // A narrow glyph in a wide box keeps its shape, in the middle.
    const scaleX = Math.min(width / glyphWidth, height / SIZE);
    const left = (width - glyphWidth * scaleX) / 2;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const box = [(x - left) / scaleX, (y * SIZE) / height, 1 / scaleX, SIZE / height] as const;
        const ink = coveredShare(isInk, glyphWidth, ...box);
        alpha[y * width + x] = Math.max(alpha[y * width + x] ?? 0, Math.round(ink * 255));
      }
    }
  }

  #load(): Uint8Array {
    this.#bytes ??= inflateRawSync(readFileSync(this.#path));
    return this.#bytes;
  }
}

/** How much of a box of source pixels is ink. */
function coveredShare(
  isInk: (x: number, y: number) => number,
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
      if (shareX > 0 && shareY > 0 && isInk(x, y) === 1) ink += shareX * shareY;
    }
  }
  return Math.min(1, ink / (width * height));
}
