/** The mark of a character that no face has: its code in hexadecimal, in a box. Never an empty cell, never a host font. */
import { type MaskGlyph, maskGlyph } from './glyph.js';

const DIGIT_WIDTH = 3;
const DIGIT_HEIGHT = 5;

/** Hexadecimal digits, five rows of three bits each, top row first. */
const DIGIT_ROWS: readonly (readonly number[])[] = [
  [7, 5, 5, 5, 7],
  [2, 6, 2, 2, 7],
  [7, 1, 7, 4, 7],
  [7, 1, 7, 1, 7],
  [5, 5, 7, 1, 1],
  [7, 4, 7, 1, 7],
  [7, 4, 7, 5, 7],
  [7, 1, 1, 1, 1],
  [7, 5, 7, 5, 7],
  [7, 5, 7, 1, 7],
  [7, 5, 7, 5, 5],
  [6, 5, 6, 5, 6],
  [7, 4, 4, 4, 7],
  [6, 5, 5, 5, 6],
  [7, 4, 7, 4, 7],
  [7, 4, 7, 4, 4],
];

export function drawTofu(grapheme: string, width: number, height: number): MaskGlyph {
  const alpha = new Uint8Array(width * height);
  frame(alpha, width, height);
  const hex = (grapheme.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
  const layout = layoutFor(hex.length, width, height);
  // A cell too small for the code keeps the empty box.
  if (layout === undefined) return maskGlyph(width, height, alpha);
  const { scale, perRow } = layout;
  const rows = Math.ceil(hex.length / perRow);
  const top = Math.floor((height - (rows * (DIGIT_HEIGHT + 1) - 1) * scale) / 2);
  for (const [index, digit] of Array.from(hex).entries()) {
    const row = Math.floor(index / perRow);
    const inRow = Math.min(perRow, hex.length - row * perRow);
    const left = Math.ceil((width - (inRow * (DIGIT_WIDTH + 1) - 1) * scale) / 2);
    const x = left + (index % perRow) * (DIGIT_WIDTH + 1) * scale;
    drawDigit(alpha, width, Number.parseInt(digit, 16), x, top + row * (DIGIT_HEIGHT + 1) * scale, scale);
  }
  return maskGlyph(width, height, alpha);
}

/** The largest digits that fit; among equals, the fewest rows. */
function layoutFor(
  digits: number,
  width: number,
  height: number,
): { readonly scale: number; readonly perRow: number } | undefined {
  for (let scale = Math.max(1, Math.floor(width / 8)); scale > 0; scale--) {
    for (let perRow = digits; perRow > 0; perRow--) {
      const needsWidth = (perRow * (DIGIT_WIDTH + 1) - 1) * scale;
      const needsHeight = (Math.ceil(digits / perRow) * (DIGIT_HEIGHT + 1) - 1) * scale;
      if (needsWidth <= width - (isFramed(width) ? 2 : 0) && needsHeight <= height - 2) return { scale, perRow };
    }
  }
  return undefined;
}

/** Sides are left out where digits need their columns. */
function isFramed(width: number): boolean {
  return width > 2 * DIGIT_WIDTH + 2;
}

function frame(alpha: Uint8Array, width: number, height: number): void {
  alpha.fill(255, 0, width);
  alpha.fill(255, (height - 1) * width);
  if (!isFramed(width)) return;
  for (let y = 0; y < height; y++) {
    alpha[y * width] = 255;
    alpha[y * width + width - 1] = 255;
  }
}

function drawDigit(alpha: Uint8Array, stride: number, digit: number, left: number, top: number, scale: number): void {
  for (const [y, bits] of (DIGIT_ROWS[digit] ?? []).entries()) {
    for (let x = 0; x < DIGIT_WIDTH; x++) {
      if (((bits >> (DIGIT_WIDTH - 1 - x)) & 1) === 0) continue;
      for (let line = 0; line < scale; line++) {
        const start = (top + y * scale + line) * stride + left + x * scale;
        alpha.fill(255, start, start + scale);
      }
    }
  }
}
