/**
 * Colours of one picture, and for every pair of text and background the values that mask levels turn into.
 * An indexed palette only ever appends, so rows painted earlier stay valid; past 256 colours it is `overflowed` and what
 * is painted with it is worthless. A direct palette paints 0xRRGGBB itself and has no bound.
 */
import { LEVELS, TOP_LEVEL } from './glyph.js';
import { INDEXED_MODES, levelColor, type PaletteMode, pictureColor } from './level-color.js';

export type PixelBuffer = Uint8Array | Uint32Array;

/** One pair of colours. `values[level]` is valid where bit `level` of `filled` is set. */
export interface ColorRun {
  readonly fg: number;
  readonly bg: number;
  readonly values: PixelBuffer;
  filled: number;
}

/** What one row draws with: enough to tell which colours any mode would need for it. */
export interface RowColors {
  readonly runs: { readonly fg: number; readonly bg: number; used: number }[];
  /** Of cursors and colour glyphs. */
  readonly plain: Set<number>;
  readonly pictures: Set<number>;
}

export const MAX_PALETTE = 256;

export class Palette {
  readonly mode: PaletteMode;
  overflowed = false;
  readonly #colors: number[] = [];
  readonly #indexOf = new Map<number, number>();
  readonly #runs = new Map<number, ColorRun>();
  /** Of the row being painted; kept only where a finer mode was left for want of entries. */
  #row: RowColors | undefined;
  #last: ColorRun | undefined;

  /** `background` becomes index 0, so that a blank row is all zeros. */
  constructor(mode: PaletteMode, background: number) {
    this.mode = mode;
    if (mode !== 'direct') this.#entry(background);
    this.takeRowColors();
  }

  /** 0xRRGGBB by index; grows, never changes. */
  get colors(): readonly number[] {
    return this.#colors;
  }

  /** The pair's run, with every level of `used` filled in; valid until the next call. */
  run(fg: number, bg: number, used: number): ColorRun {
    const run = this.#last?.fg === fg && this.#last.bg === bg ? this.#last : this.#find(fg, bg);
    this.#last = run;
    if ((used & ~run.filled) !== 0) this.#fill(run, used);
    if (this.#row !== undefined) record(this.#row.runs, fg, bg, used);
    return run;
  }

  /** What is written into the pixels for one colour, exactly. */
  value(rgb: number): number {
    this.#row?.plain.add(rgb);
    return this.#entry(rgb);
  }

  /** The same for a pixel of a colour glyph, whose exact shade matters less. */
  pictureValue(rgb: number): number {
    this.#row?.pictures.add(rgb);
    return this.#entry(pictureColor(rgb, this.mode));
  }

  /** The colours asked for since the last call; undefined in the finest mode, which has nothing to go back to. */
  takeRowColors(): RowColors | undefined {
    const taken = this.#row;
    if (this.mode !== 'indexed-16') this.#row = { runs: [], plain: new Set(), pictures: new Set() };
    return taken;
  }

  #entry(rgb: number): number {
    if (this.mode === 'direct') return rgb;
    const known = this.#indexOf.get(rgb);
    if (known !== undefined) return known;
    if (this.#colors.length === MAX_PALETTE) {
      this.overflowed = true;
      return 0;
    }
    this.#indexOf.set(rgb, this.#colors.length);
    return this.#colors.push(rgb) - 1;
  }

  /** Truecolour screens have as many pairs as cells: those are not looked up but made, one at a time. */
  #find(fg: number, bg: number): ColorRun {
    if (this.mode === 'direct') return { fg, bg, values: new Uint32Array(LEVELS), filled: 0 };
    const key = fg * 0x100_0000 + bg;
    let run = this.#runs.get(key);
    if (run === undefined) {
      run = { fg, bg, values: new Uint8Array(LEVELS), filled: 0 };
      this.#runs.set(key, run);
    }
    return run;
  }

  #fill(run: ColorRun, used: number): void {
    const { fg, bg, values } = run;
    for (let level = 0; level < LEVELS; level++) {
      if ((used & ~run.filled & (1 << level)) === 0) continue;
      values[level] = this.#entry(levelColor(fg, bg, level, this.mode));
    }
    run.filled |= used;
  }
}

function record(runs: RowColors['runs'], fg: number, bg: number, used: number): void {
  const last = runs.at(-1);
  if (last?.fg === fg && last.bg === bg) last.used |= used;
  else runs.push({ fg, bg, used });
}

/**
 * Rows, the first of those given, that are too many colours for every finer mode; undefined where all rows fit into one: a
 * function of what is on screen, not of how it got there. More rows are never fewer colours: while all of these are on
 * screen, nothing fits.
 */
export function tooManyForFiner(
  mode: PaletteMode,
  background: number,
  rows: readonly RowColors[],
): readonly RowColors[] | undefined {
  const finer = mode === 'direct' ? INDEXED_MODES : INDEXED_MODES.slice(0, INDEXED_MODES.indexOf(mode));
  // Text and backgrounds are exact in every mode: where they alone are too many, none need be tried.
  const exact = rowsToOverflow(rows, background, addExactColors);
  if (exact !== undefined) return rows.slice(0, exact);
  let most = 0;
  for (const each of finer) {
    const count = rowsToOverflow(rows, background, (colors, row) => addColors(colors, row, each));
    if (count === undefined) return undefined;
    most = Math.max(most, count);
  }
  return rows.slice(0, most);
}

/** How many rows it takes; undefined where all of them fit. */
function rowsToOverflow(
  rows: readonly RowColors[],
  background: number,
  add: (colors: Set<number>, row: RowColors) => void,
): number | undefined {
  const colors = new Set([background]);
  for (const [index, row] of rows.entries()) {
    add(colors, row);
    if (colors.size > MAX_PALETTE) return index + 1;
  }
  return undefined;
}

function addExactColors(colors: Set<number>, { runs }: RowColors): void {
  for (const { fg, bg, used } of runs) {
    if ((used & 1) !== 0) colors.add(bg);
    if ((used & (1 << TOP_LEVEL)) !== 0) colors.add(fg);
  }
}

function addColors(colors: Set<number>, { runs, plain, pictures }: RowColors, mode: PaletteMode): void {
  for (const rgb of plain) colors.add(rgb);
  for (const rgb of pictures) colors.add(pictureColor(rgb, mode));
  for (const { fg, bg, used } of runs) {
    for (let level = 0; level < LEVELS; level++) {
      if ((used & (1 << level)) !== 0) colors.add(levelColor(fg, bg, level, mode));
    }
  }
}
