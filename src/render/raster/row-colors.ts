/** The colours of a row: enough to compute which entries a palette of any kind needs for it. */
import { ALL_LEVELS, INK_LEVELS, TOP_LEVEL } from '../glyphs/glyph.js';
import { levelColor, type PaletteMode, pictureColor } from './level-color.js';

export interface ColorPair {
  readonly fg: number;
  readonly bg: number;
  /** Bit n is set where mask level n occurs. */
  used: number;
}

export class RowColors {
  /** Neighbours with equal colours are one. */
  readonly pairs: ColorPair[] = [];
  /** Colours of cursors and boxes, exact. */
  readonly plain = new Set<number>();
  /** Colours of colour glyphs, whose exact shade matters less. */
  readonly pictures = new Set<number>();

  addPair(fg: number, bg: number, used: number): void {
    const last = this.pairs.at(-1);
    if (last?.fg === fg && last.bg === bg) last.used |= used;
    else this.pairs.push({ fg, bg, used });
  }
}

/** The colours of all rows, each pair once. */
export function mergedColors(rows: Iterable<RowColors>): RowColors {
  const merged = new RowColors();
  const byColors = new Map<number, ColorPair>();
  for (const { pairs, plain, pictures } of rows) {
    for (const rgb of plain) merged.plain.add(rgb);
    for (const rgb of pictures) merged.pictures.add(rgb);
    for (const { fg, bg, used } of pairs) {
      const key = pairKey(fg, bg);
      const known = byColors.get(key);
      if (known !== undefined) known.used |= used;
      else {
        const pair = { fg, bg, used };
        byColors.set(key, pair);
        merged.pairs.push(pair);
      }
    }
  }
  return merged;
}

/** 48 bits: exact in a double. */
export function pairKey(fg: number, bg: number): number {
  return fg * 0x100_0000 + bg;
}

/** Kind of a palette that is made of what rows draw with. */
export interface PaletteKind {
  readonly mode: PaletteMode;
  /** A pair that uses any level between its two colours has all levels, so that another letter adds no colour. */
  readonly whole: boolean;
}

const ENDS = 1 | (1 << TOP_LEVEL);

/** The levels of a pair that a palette has. */
export function wantedLevels(used: number, whole: boolean): number {
  return whole && (used & ~ENDS) !== 0 ? ALL_LEVELS : used;
}

export function addColors(colors: Set<number>, { pairs, plain, pictures }: RowColors, kind: PaletteKind): void {
  for (const rgb of plain) colors.add(rgb);
  for (const rgb of pictures) colors.add(pictureColor(rgb, kind.mode));
  for (const { fg, bg, used } of pairs) {
    const wanted = wantedLevels(used, kind.whole);
    for (let level = 0; level < INK_LEVELS; level++) {
      if ((wanted & (1 << level)) !== 0) colors.add(levelColor(fg, bg, level, kind.mode));
    }
  }
}

/** Text and backgrounds alone, which are exact in every mode. */
export function addExactColors(colors: Set<number>, { pairs }: RowColors): void {
  for (const { fg, bg, used } of pairs) {
    if ((used & 1) !== 0) colors.add(bg);
    if ((used & (1 << TOP_LEVEL)) !== 0) colors.add(fg);
  }
}
