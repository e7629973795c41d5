/** Colors of the terminal under the page's themes, and their contrast. Pure. Colors are 0xRRGGBB. */

import { BUILT_IN_THEMES } from '../base/themes.js';

export type ThemeName = 'dark' | 'light';

export interface Palette {
  readonly foreground: number;
  readonly background: number;
  readonly cursor: number;
  readonly ansi: readonly number[];
}

/** Those of pictures by the names `tokyo-night` and `light`. */
export const PALETTES: Readonly<Record<ThemeName, Palette>> = {
  dark: themeNamed('tokyo-night'),
  light: themeNamed('light'),
};

function themeNamed(name: string): Palette {
  const theme = BUILT_IN_THEMES.find((each) => each.name === name);
  if (theme === undefined) throw new Error(`There is no theme ${name}.`);
  return theme;
}

/** Of the program's own colors, those that it has set. */
export interface ProgramColors {
  readonly foreground?: string | undefined;
  readonly background?: string | undefined;
  readonly cursor?: string | undefined;
  readonly palette?: Readonly<Record<string, string>> | undefined;
}

export function withProgramColors(base: Palette, colors: ProgramColors): Palette {
  const ansi = Array.from({ length: 256 }, (_, i) => given(colors.palette?.[String(i)], indexed(base, i)));
  return {
    foreground: given(colors.foreground, base.foreground),
    background: given(colors.background, base.background),
    cursor: given(colors.cursor, base.cursor),
    ansi,
  };
}

function given(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : Number.parseInt(text.slice(1), 16) || 0;
}

/** The 16 of the theme, then the cube and the greys of xterm. */
export function indexed({ ansi }: Palette, index: number): number {
  const own = ansi[index];
  if (own !== undefined) return own;
  if (index >= 232) return 0x10101 * (8 + 10 * (index - 232));
  const cube = index - 16;
  return (level(Math.floor(cube / 36)) << 16) | (level(Math.floor(cube / 6) % 6) << 8) | level(cube % 6);
}

/** Of the cube. */
function level(n: number): number {
  return n === 0 ? 0 : 55 + 40 * n;
}

export function hex(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}

/** WCAG 2: from 1 to 21. */
export function contrast(a: number, b: number): number {
  const [dark, light] = [luminance(a), luminance(b)].toSorted((one, other) => one - other);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** The color, moved towards white or black until its contrast is enough, or as high as it gets. */
export function legible(color: number, ground: number, least: number): number {
  if (contrast(color, ground) >= least) return color;
  const target = contrast(0xffffff, ground) >= contrast(0, ground) ? 0xffffff : 0;
  for (let share = 0.05; share < 1; share += 0.05) {
    const mixed = mix(color, target, share);
    if (contrast(mixed, ground) >= least) return mixed;
  }
  return target;
}

/** @param share of the second color */
export function mix(a: number, b: number, share: number): number {
  const channel = (shift: number): number => {
    const [from, to] = [(a >> shift) & 0xff, (b >> shift) & 0xff];
    return Math.round(from + (to - from) * share) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}

function luminance(color: number): number {
  const linear = (shift: number): number => {
    const value = ((color >> shift) & 0xff) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
}
