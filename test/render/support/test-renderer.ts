/** A renderer on the project's own fonts, and the options that most tests start from. */
import { fileURLToPath } from 'node:url';

import { type PictureOptions, Renderer } from '../../../src/render/renderer.js';
import { type Theme, THEMES } from '../../../src/render/theme.js';

export const FONTS_DIR = fileURLToPath(new URL('../../../fonts', import.meta.url));

export function themeNamed(name: string): Theme {
  return THEMES.get(name)!;
}

export const OPTIONS: PictureOptions = {
  cellWidth: 8,
  cellHeight: 16,
  pad: 0,
  cursor: true,
  theme: themeNamed('xterm'),
};

export function newRenderer(): Renderer {
  return new Renderer({ fontsDir: FONTS_DIR });
}
