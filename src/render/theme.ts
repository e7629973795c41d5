/** Themes of pictures by name, and their 256 colours. */
import { BUILT_IN_THEMES, type Theme } from '../base/themes.js';

export type { Theme };

export const DEFAULT_THEME = 'dark';

export const THEMES: ReadonlyMap<string, Theme> = new Map(BUILT_IN_THEMES.map((theme) => [theme.name, theme]));

const CUBE_LEVELS = [0, 95, 135, 175, 215, 255] as const;

/** The 256 colours of a theme. */
export function paletteOf(theme: Theme): Uint32Array {
  const palette = new Uint32Array(256);
  palette.set(theme.ansi.slice(0, 16));
  let index = 16;
  for (const r of CUBE_LEVELS)
    for (const g of CUBE_LEVELS) for (const b of CUBE_LEVELS) palette[index++] = rgb(r, g, b);
  for (let grey = 8; index < 256; grey += 10) palette[index++] = rgb(grey, grey, grey);
  return palette;
}

function rgb(r: number, g: number, b: number): number {
  return (r << 16) | (g << 8) | b;
}
