/** Colour words of the snapshot -> 0xRRGGBB, under a theme and the colours that the program itself has set. */
import {
  COLOR_KIND_MASK,
  COLOR_PALETTE,
  COLOR_RGB,
  COLOR_VALUE_MASK,
  type DynamicColors,
  type Snapshot,
} from '../../vt/snapshot.js';
import { paletteOf, type Theme } from '../theme.js';

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
