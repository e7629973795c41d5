/** What the renderer's benches share. */
import { join } from 'node:path';
import { type PictureOptions, Renderer } from '../src/render/renderer.js';
import { DEFAULT_THEME, type Theme, THEMES } from '../src/render/theme.js';
import type { Snapshot } from '../src/vt/snapshot.js';

export function benchRenderer(root: string): Renderer {
  return new Renderer({ fontsDir: join(root, 'fonts') });
}

export function benchOptions(cellWidth: number): PictureOptions {
  return { cellWidth, cellHeight: cellWidth * 2, pad: 0, cursor: true, theme: defaultTheme() };
}

/** New objects, equal content: nothing that was kept can be used, only glyphs and code are warm. */
export function allCopied(snapshot: Snapshot): Snapshot {
  return { ...snapshot, lines: snapshot.lines.map((row) => ({ ...row })) };
}

function defaultTheme(): Theme {
  const theme = THEMES.get(DEFAULT_THEME);
  if (theme === undefined) throw new Error(`no theme ${DEFAULT_THEME}`);
  return theme;
}
