/**
 * From colours to what is written into pixels: indices of a palette, or in mode `direct` 0xRRGGBB itself. A palette is made for
 * what is on screen and never changes, so equal screens have equal indices.
 */
import { INK_LEVELS } from '../glyphs/glyph.js';
import { levelColor, type PaletteMode, pictureColor, INDEXED_MODES } from './level-color.js';
import type { PixelBuffer } from '../png/lines.js';
import {
  pairKey,
  type RowColors,
  wantedLevels,
  addColors,
  addExactColors,
  mergedColors,
  type PaletteKind,
} from './row-colors.js';

/** One pair of colours. `values[level]` is valid where bit `level` of `filled` is set. */
export interface ColorRun {
  readonly fg: number;
  readonly bg: number;
  readonly values: PixelBuffer;
  readonly filled: number;
}

/** A bit for every index. */
export type IndexSet = Uint32Array;
const WORDS = 8;

export class PixelPalette {
  readonly mode: PaletteMode;
  /** 0xRRGGBB by index. */
  readonly colors: readonly number[];
  readonly #whole: boolean;
  readonly #indexOf: ReadonlyMap<number, number>;
  readonly #runs = new Map<number, ColorRun>();
  readonly #directValues = new Uint32Array(INK_LEVELS);
  #last: ColorRun | undefined;

  constructor({ kind, colors }: ChosenPalette) {
    this.mode = kind.mode;
    this.colors = colors;
    this.#whole = kind.whole;
    this.#indexOf = new Map(colors.map((rgb, index) => [rgb, index]));
  }

  /** The pair's run, valid until the next one is asked for; `used` says which levels will be looked at. */
  run(fg: number, bg: number, used: number): ColorRun {
    const last = this.#last;
    if (last !== undefined && last.fg === fg && last.bg === bg && (used & ~last.filled) === 0) return last;
    const run = this.mode === 'direct' ? this.#directRun(fg, bg, used) : this.#indexedRun(fg, bg);
    this.#last = run;
    return run;
  }

  /** Exact value that is written into the pixels for one colour. */
  value(rgb: number): number {
    return this.mode === 'direct' ? rgb : (this.#indexOf.get(rgb) ?? 0);
  }

  /** The same for a pixel of a colour glyph, whose exact shade matters less. */
  pictureValue(rgb: number): number {
    return this.value(pictureColor(rgb, this.mode));
  }

  /** The indices that a row needs; undefined where one of its colours is missing. */
  indicesOf({ pairs, plain, pictures }: RowColors): IndexSet | undefined {
    const set = new Uint32Array(WORDS);
    if (this.mode === 'direct') return set;
    for (const { fg, bg, used } of pairs) {
      const { values, filled } = this.#indexedRun(fg, bg);
      const wanted = wantedLevels(used, this.#whole);
      if ((wanted & ~filled) !== 0) return undefined;
      for (let level = 0; level < INK_LEVELS; level++) {
        if ((wanted & (1 << level)) !== 0) addIndex(set, values[level] as number);
      }
    }
    for (const rgb of plain) if (!this.#addColor(set, rgb)) return undefined;
    for (const rgb of pictures) if (!this.#addColor(set, pictureColor(rgb, this.mode))) return undefined;
    return set;
  }

  #addColor(set: IndexSet, rgb: number): boolean {
    const index = this.#indexOf.get(rgb);
    if (index !== undefined) addIndex(set, index);
    return index !== undefined;
  }

  #indexedRun(fg: number, bg: number): ColorRun {
    const key = pairKey(fg, bg);
    let run = this.#runs.get(key);
    if (run === undefined) {
      run = this.#newRun(fg, bg);
      this.#runs.set(key, run);
    }
    return run;
  }

  /** Truecolour screens have as many pairs as cells: those are not looked up but made, one at a time. */
  #directRun(fg: number, bg: number, used: number): ColorRun {
    const values = this.#directValues;
    for (let level = 0; level < INK_LEVELS; level++) {
      if ((used & (1 << level)) !== 0) values[level] = levelColor(fg, bg, level, 'direct');
    }
    return { fg, bg, values, filled: used };
  }

  #newRun(fg: number, bg: number): ColorRun {
    const values = new Uint8Array(INK_LEVELS);
    let filled = 0;
    for (let level = 0; level < INK_LEVELS; level++) {
      const index = this.#indexOf.get(levelColor(fg, bg, level, this.mode));
      if (index === undefined) continue;
      values[level] = index;
      filled |= 1 << level;
    }
    return { fg, bg, values, filled };
  }
}

function addIndex(set: IndexSet, index: number): void {
  set[index >> 5] = (set[index >> 5] as number) | (1 << (index & 31));
}

/** Number of indices that are in any of these sets. */
export function unionSize(sets: Iterable<IndexSet>): number {
  const union = new Uint32Array(WORDS);
  for (const set of sets) {
    for (let word = 0; word < WORDS; word++) union[word] = (union[word] as number) | (set[word] as number);
  }
  let size = 0;
  for (let bits of union) for (; bits !== 0; bits &= bits - 1) size++;
  return size;
}

export const MAX_PALETTE = 256;

/** Finest first. The last one fits always. */
const KINDS: readonly PaletteKind[] = INDEXED_MODES.flatMap((mode) => [
  { mode, whole: true },
  { mode, whole: false },
]);
const DIRECT: PaletteKind = { mode: 'direct', whole: false };

/** Colours that every palette has. */
export interface Reserved {
  readonly background: number;
  /** Colours of a cursor at any place; left out if room is short. */
  readonly cursor: RowColors | undefined;
}

export function isFinest({ mode, whole }: PaletteKind): boolean {
  return mode === KINDS[0]?.mode && whole === KINDS[0].whole;
}

export interface ChosenPalette {
  readonly kind: PaletteKind;
  /** Colours by index: the background, then by value. Empty where pixels are colours themselves. */
  readonly colors: readonly number[];
}

export function choosePalette(rows: Iterable<RowColors>, reserved: Reserved): ChosenPalette {
  const merged = mergedColors(rows);
  for (const kind of tooManyExact([merged], reserved) === undefined ? KINDS : []) {
    const colors = reservedColors(reserved, kind);
    addColors(colors, merged, kind);
    if (colors.size > MAX_PALETTE) continue;
    colors.delete(reserved.background);
    return { kind, colors: [reserved.background, ...Array.from(colors).sort((a, b) => a - b)] };
  }
  return { kind: DIRECT, colors: [] };
}

/**
 * Rows, the first of those given, that are too many colours for every finer kind; undefined where all rows fit into one.
 * More rows are never fewer colours: while all of these are on screen, no finer kind will do.
 */
export function tooManyForFiner(
  kind: PaletteKind,
  reserved: Reserved,
  rows: readonly RowColors[],
): readonly RowColors[] | undefined {
  const place = KINDS.findIndex(({ mode, whole }) => mode === kind.mode && whole === kind.whole);
  const exact = tooManyExact(rows, reserved);
  // Where text and backgrounds alone are too many, none need be tried.
  if (exact !== undefined) return rows.slice(0, exact);
  let most = 0;
  for (const finer of place < 0 ? KINDS : KINDS.slice(0, place)) {
    const count = rowsToOverflow(rows, reservedColors(reserved, finer), (colors, row) => addColors(colors, row, finer));
    if (count === undefined) return undefined;
    most = Math.max(most, count);
  }
  return rows.slice(0, most);
}

export function reservedColors({ background, cursor }: Reserved, kind: PaletteKind): Set<number> {
  const colors = new Set([background]);
  if (kind.whole && cursor !== undefined) addColors(colors, cursor, kind);
  return colors;
}

function tooManyExact(rows: readonly RowColors[], { background }: Reserved): number | undefined {
  return rowsToOverflow(rows, new Set([background]), addExactColors);
}

/** Number of rows that it takes; undefined if all of them fit. */
function rowsToOverflow(
  rows: readonly RowColors[],
  colors: Set<number>,
  add: (colors: Set<number>, row: RowColors) => void,
): number | undefined {
  for (const [index, row] of rows.entries()) {
    add(colors, row);
    if (colors.size > MAX_PALETTE) return index + 1;
  }
  return undefined;
}
