/** Colors of the terminal under the page's themes, and their contrast. Pure. Colors are 0xRRGGBB. */

export type ThemeName = 'dark' | 'light';

export interface Palette {
  readonly foreground: number;
  readonly background: number;
  readonly cursor: number;
  readonly ansi: readonly number[];
}

/** Tokyo Night, and a light one in which every color can be read. */
export const PALETTES: Readonly<Record<ThemeName, Palette>> = {
  dark: {
    foreground: 0xc0caf5,
    background: 0x1a1b26,
    cursor: 0xc0caf5,
    ansi: [
      0x15161e, 0xf7768e, 0x9ece6a, 0xe0af68, 0x7aa2f7, 0xbb9af7, 0x7dcfff, 0xa9b1d6, 0x414868, 0xff899d, 0xb4e380,
      0xf0c27c, 0x92b4ff, 0xcbb0ff, 0x9ddcff, 0xe3e8ff,
    ],
  },
  light: {
    foreground: 0x2a3050,
    background: 0xffffff,
    cursor: 0x2e5cc7,
    ansi: [
      0x24283b, 0xb3233f, 0x3f6b12, 0x7d5200, 0x2459bd, 0x7a3fc4, 0x0f6a7d, 0x565c74, 0x5d6482, 0xa11432, 0x355c0d,
      0x6b4500, 0x1d4fa8, 0x6a31b3, 0x0b5c6d, 0x343b58,
    ],
  },
};

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
