/** The two colours that a cell is really drawn with, after inverse, dim, bold-as-bright and minimum contrast. */
import {
  ATTR_BOLD,
  ATTR_DIM,
  ATTR_INVERSE,
  COLOR_KIND_MASK,
  COLOR_PALETTE,
  COLOR_RGB,
  COLOR_VALUE_MASK,
  type DynamicColors,
  type Snapshot,
} from '../../vt/snapshot.js';
import { mixColors, withContrast } from '../color.js';
import { paletteOf, type Theme } from '../theme.js';

export interface CellColors {
  readonly fg: number;
  readonly bg: number;
}

export interface ColorRules {
  /** WCAG ratio that text reaches upon its background; 1 leaves the colours as they are. */
  readonly minimumContrast: number;
  readonly boldAsBright: boolean;
  /** Everything stands back towards the default background. */
  readonly faded: boolean;
}

export const DEFAULT_MINIMUM_CONTRAST = 4.5;
/** Dim text is meant to stand back, not to vanish. */
const DIM_CONTRAST = 3;
const DIM_SHARE = 3;
const DIM_WHOLE = 5;
const FADED_SHARE = 2;
const FADED_WHOLE = 5;

/** Bits of an attribute word that change colours, packed so that they number one memo map. */
const BOLD = 1;
const DIM = 2;
const INVERSE = 4;
const GRAPHIC = 8;

/** A screen of truecolour noise makes a new pair per cell: ten of 80x24, then start anew. */
const MAX_MEMO_ENTRIES = 20_000;

export class CellColorRules {
  readonly #colors: ScreenColors;
  readonly #rules: ColorRules;
  readonly #memos: readonly Map<number, CellColors>[] = Array.from({ length: 16 }, () => new Map<number, CellColors>());

  constructor(colors: ScreenColors, rules: ColorRules) {
    this.#colors = colors;
    this.#rules = rules;
  }

  /** A colour that is not a cell's own, under the same rules. */
  fade(rgb: number): number {
    return this.#rules.faded ? mixColors(this.#colors.background, rgb, FADED_SHARE, FADED_WHOLE) : rgb;
  }

  /** `graphic`: the cell is drawn by a sprite, whose colours are the picture itself and are never adjusted. */
  resolve(fgWord: number, bgWord: number, attrs: number, graphic: boolean): CellColors {
    const flags =
      ((attrs & ATTR_BOLD) === 0 ? 0 : BOLD) |
      ((attrs & ATTR_DIM) === 0 ? 0 : DIM) |
      ((attrs & ATTR_INVERSE) === 0 ? 0 : INVERSE) |
      (graphic ? GRAPHIC : 0);
    // The colours of graphics are final: nothing to compute, and noise in truecolour would fill the memo.
    if (flags === GRAPHIC) return this.#compute(fgWord, bgWord, flags);
    const memo = this.#memos[flags];
    // Two colour words are 26 bits each: 52 bits, exact in a double.
    const key = fgWord * 0x400_0000 + bgWord;
    const known = memo?.get(key);
    if (known !== undefined) return known;
    const resolved = this.#compute(fgWord, bgWord, flags);
    if (memo !== undefined && memo.size >= MAX_MEMO_ENTRIES) memo.clear();
    memo?.set(key, resolved);
    return resolved;
  }

  #compute(fgWord: number, bgWord: number, flags: number): CellColors {
    const colors = this.#colors;
    let fg = colors.resolve(this.#brightened(fgWord, flags), colors.foreground);
    let bg = colors.resolve(bgWord, colors.background);
    if ((flags & INVERSE) !== 0) [fg, bg] = [bg, fg];
    const dim = (flags & DIM) !== 0;
    if (dim) fg = mixColors(bg, fg, DIM_SHARE, DIM_WHOLE);
    // One colour named twice is a program hiding its text; two that only happen to be equal are an accident of the theme.
    const hidden = fgWord === bgWord && fgWord !== 0;
    if ((flags & GRAPHIC) === 0 && !hidden) fg = this.#legible(fg, bg, dim);
    return { fg: this.fade(fg), bg: this.fade(bg) };
  }

  #legible(fg: number, bg: number, dim: boolean): number {
    const ratio = this.#rules.minimumContrast;
    return withContrast(fg, bg, dim ? Math.min(ratio, DIM_CONTRAST) : ratio);
  }

  #brightened(word: number, flags: number): number {
    const basic = (word & COLOR_KIND_MASK) === COLOR_PALETTE && (word & 0xff) < 8;
    return this.#rules.boldAsBright && basic && (flags & BOLD) !== 0 ? word + 8 : word;
  }
}

export class ScreenColors {
  readonly foreground: number;
  readonly background: number;
  readonly cursor: number;
  readonly #palette: Uint32Array;

  /** DECSCNM swaps the default colours only, as xterm does: colours that a program chose stay as they are. */
  constructor(theme: Theme, dynamic: DynamicColors, reverseScreen: boolean) {
    const foreground = dynamic.foreground ?? theme.foreground;
    const background = dynamic.background ?? theme.background;
    this.foreground = reverseScreen ? background : foreground;
    this.background = reverseScreen ? foreground : background;
    this.cursor = dynamic.cursor ?? (reverseScreen ? background : theme.cursor);
    this.#palette = paletteOf(theme);
    for (const [index, rgb] of dynamic.palette) this.#palette[index] = rgb;
  }

  resolve(word: number, whenDefault: number): number {
    const kind = word & COLOR_KIND_MASK;
    if (kind === COLOR_RGB) return word & COLOR_VALUE_MASK;
    if (kind === COLOR_PALETTE) return this.#palette[word & 0xff] ?? whenDefault;
    return whenDefault;
  }
}

/** Equal keys mean equal colours: part of the key under which finished rows are kept. */
export function colorsKey({ colors, reverseScreen }: Pick<Snapshot, 'colors' | 'reverseScreen'>): string {
  const { palette, foreground, background, cursor } = colors;
  if (palette.size === 0 && foreground === undefined && background === undefined && cursor === undefined) {
    return reverseScreen ? 'r' : '';
  }
  const entries = [...palette].sort(([a], [b]) => a - b);
  return `${reverseScreen ? 'r' : ''}${foreground},${background},${cursor},${entries.join(';')}`;
}
