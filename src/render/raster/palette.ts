/**
 * From colours to what is written into pixels: indices of a palette, or in mode `direct` 0xRRGGBB itself. A palette is made for
 * what is on screen and never changes, so equal screens have equal indices.
 */
import { LEVELS } from '../glyphs/glyph.js';
import { levelColor, type PaletteMode, pictureColor } from './level-color.js';
import type { PixelBuffer } from '../png/lines.js';
import type { ChosenPalette } from './palette-kind.js';
import { pairKey, type RowColors, wantedLevels } from './row-colors.js';

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

export class Palette {
  readonly mode: PaletteMode;
  /** 0xRRGGBB by index. */
  readonly colors: readonly number[];
  readonly #whole: boolean;
  readonly #indexOf: ReadonlyMap<number, number>;
  readonly #runs = new Map<number, ColorRun>();
  #last: ColorRun | undefined;

  constructor({ kind, colors }: ChosenPalette) {
    this.mode = kind.mode;
    this.colors = colors;
    this.#whole = kind.whole;
    this.#indexOf = new Map(colors.map((rgb, index) => [rgb, index]));
  }

  /** The pair's run; `used` says which levels will be looked at. */
  run(fg: number, bg: number, used: number): ColorRun {
    const last = this.#last;
    if (last !== undefined && last.fg === fg && last.bg === bg && (used & ~last.filled) === 0) return last;
    const run = this.mode === 'direct' ? directRun(fg, bg, used) : this.#indexedRun(fg, bg);
    this.#last = run;
    return run;
  }

  /** What is written into the pixels for one colour, exactly. */
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
      for (let level = 0; level < LEVELS; level++) {
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

  #newRun(fg: number, bg: number): ColorRun {
    const values = new Uint8Array(LEVELS);
    let filled = 0;
    for (let level = 0; level < LEVELS; level++) {
      const index = this.#indexOf.get(levelColor(fg, bg, level, this.mode));
      if (index === undefined) continue;
      values[level] = index;
      filled |= 1 << level;
    }
    return { fg, bg, values, filled };
  }
}

/** Truecolour screens have as many pairs as cells: those are not looked up but made, one at a time. */
function directRun(fg: number, bg: number, used: number): ColorRun {
  const values = new Uint32Array(LEVELS);
  for (let level = 0; level < LEVELS; level++) {
    if ((used & (1 << level)) !== 0) values[level] = levelColor(fg, bg, level, 'direct');
  }
  return { fg, bg, values, filled: used };
}

function addIndex(set: IndexSet, index: number): void {
  set[index >> 5] = (set[index >> 5] as number) | (1 << (index & 31));
}

/** How many indices are in any of these sets. */
export function unionSize(sets: Iterable<IndexSet>): number {
  const union = new Uint32Array(WORDS);
  for (const set of sets) {
    for (let word = 0; word < WORDS; word++) union[word] = (union[word] as number) | (set[word] as number);
  }
  let size = 0;
  for (let bits of union) for (; bits !== 0; bits &= bits - 1) size++;
  return size;
}
