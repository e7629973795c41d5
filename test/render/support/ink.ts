/** Masks written as rows of text: `.` is no ink, `#` all of it, a digit (hexadecimal) what lies between. */
import type { InkMask } from '../../../src/render/glyphs/ink-mask.js';
import type { MaskGlyph } from '../../../src/render/glyphs/glyph.js';

const FULL = 255;

export function maskOf(...rows: readonly string[]): InkMask {
  const alpha = Uint8Array.from(rows.join(''), (sign) => (sign === '.' ? 0 : sign === '#' ? FULL : digit(sign)));
  return { width: rows[0]?.length ?? 0, height: rows.length, alpha };
}

/** The reverse. */
export function rowsOf({ width, alpha }: { readonly width: number; readonly alpha: ArrayLike<number> }): string[] {
  const signs = Array.from(alpha, (ink) => (ink === 0 ? '.' : ink === FULL ? '#' : Math.floor(ink / 17).toString(16)));
  return Array.from({ length: signs.length / width }, (_, y) => signs.slice(y * width, (y + 1) * width).join(''));
}

export function glyphRows({ width, levels }: Pick<MaskGlyph, 'width' | 'levels'>): string[] {
  return rowsOf({ width, alpha: levels.map((level) => level * 17) });
}

function digit(sign: string): number {
  return Number.parseInt(sign, 16) * 17;
}
