/** What programs are told of colours, which is what pictures show. */
import { DEFAULT_THEME, THEMES, paletteOf } from '../render/theme.js';
import type { ReportedColors } from '../vt/program-colors.js';

export function reportedColors(themeName = DEFAULT_THEME): ReportedColors {
  const theme = THEMES.get(themeName);
  if (theme === undefined) throw new Error(`no theme ${themeName}`);
  const { foreground, background, cursor } = theme;
  return { foreground, background, cursor, palette: paletteOf(theme) };
}
