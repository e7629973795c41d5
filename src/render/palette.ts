/**
 * Colours of one picture, and for every pair of text and background the sixteen values that mask levels turn into.
 * An indexed palette only ever appends, so rows painted earlier stay valid; past 256 colours it is `overflowed` and what
 * is painted with it is worthless. A direct palette paints 0xRRGGBB itself and has no bound.
 */
import { mix } from './color.js';
import { LEVELS, TOP_LEVEL } from './glyph.js';

export type PaletteMode = 'indexed-16' | 'indexed-8' | 'direct';
export type PixelBuffer = Uint8Array | Uint32Array;

/** One pair of colours. `values[level]` is valid where bit `level` of `filled` is set. */
export interface ColorRun {
  readonly fg: number;
  readonly bg: number;
  readonly values: PixelBuffer;
  filled: number;
}

/** The distinct colours of one row, at sixteen levels and folded onto eight: what the other modes would need. */
export interface RowColors {
  readonly fine: ReadonlySet<number>;
  readonly coarse: ReadonlySet<number>;
}

export const MAX_PALETTE = 256;

/** The coarse mode folds 16 levels onto 8: neighbours share a colour. */
const COARSE_TOP = 7;

export class Palette {
  readonly mode: PaletteMode;
  overflowed = false;
  readonly #colors: number[] = [];
  readonly #indexOf = new Map<number, number>();
  readonly #runs = new Map<number, ColorRun>();
  /** Of the row being painted; kept only where a finer mode was left for want of entries. */
  readonly #rowRuns = new Map<ColorRun, number>();
  readonly #rowValues = new Set<number>();
  #last: ColorRun | undefined;

  /** `background` becomes index 0, so that a blank row is all zeros. */
  constructor(mode: PaletteMode, background: number) {
    this.mode = mode;
    if (mode !== 'direct') this.#entry(background);
  }

  /** 0xRRGGBB by index; grows, never changes. */
  get colors(): readonly number[] {
    return this.#colors;
  }

  /** The pair's run, with every level of `used` filled in. */
  run(fg: number, bg: number, used: number): ColorRun {
    const run = this.#last?.fg === fg && this.#last.bg === bg ? this.#last : this.#find(fg, bg);
    this.#last = run;
    if ((used & ~run.filled) !== 0) this.#fill(run, used);
    if (this.mode !== 'indexed-16') this.#rowRuns.set(run, (this.#rowRuns.get(run) ?? 0) | used);
    return run;
  }

  /** What is written into the pixels for one colour. */
  value(rgb: number): number {
    if (this.mode !== 'indexed-16') this.#rowValues.add(rgb);
    return this.#entry(rgb);
  }

  /** The colours asked for since the last call; undefined in the finest mode, which has nothing to go back to. */
  takeRowColors(): RowColors | undefined {
    if (this.mode === 'indexed-16') return undefined;
    const fine = new Set(this.#rowValues);
    const coarse = new Set(this.#rowValues);
    for (const [{ fg, bg }, used] of this.#rowRuns) {
      for (let level = 0; level < LEVELS; level++) {
        if ((used & (1 << level)) === 0) continue;
        fine.add(levelColor(fg, bg, level, 'indexed-16'));
        coarse.add(levelColor(fg, bg, level, 'indexed-8'));
      }
    }
    this.#rowRuns.clear();
    this.#rowValues.clear();
    return { fine, coarse };
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

  #find(fg: number, bg: number): ColorRun {
    const key = fg * 0x100_0000 + bg;
    let run = this.#runs.get(key);
    if (run === undefined) {
      run = { fg, bg, values: this.mode === 'direct' ? new Uint32Array(LEVELS) : new Uint8Array(LEVELS), filled: 0 };
      this.#runs.set(key, run);
    }
    return run;
  }

  #fill(run: ColorRun, used: number): void {
    for (let level = 0; level < LEVELS; level++) {
      if ((used & ~run.filled & (1 << level)) === 0) continue;
      run.values[level] = this.#entry(levelColor(run.fg, run.bg, level, this.mode));
    }
    run.filled |= used;
  }
}

/** The colour of one mask level. `direct` has the same sixteen as `indexed-16`: the mode never shows in their pixels. */
export function levelColor(fg: number, bg: number, level: number, mode: PaletteMode): number {
  if (mode !== 'indexed-8') return mix(bg, fg, level, TOP_LEVEL);
  return mix(bg, fg, Math.round((level * COARSE_TOP) / TOP_LEVEL), COARSE_TOP);
}
