/** Themes by name, and what they give to the emulator. */
import { T4aError, quote } from '../protocol/errors.js';
import { paletteOf, THEMES, type Theme } from '../render/theme.js';
import type { ReportedColors } from '../vt/snapshot.js';

/** @throws T4aError invalid_field */
export function themeNamed(name: string): Theme {
  const theme = THEMES.get(name);
  if (theme !== undefined) return theme;
  throw new T4aError('invalid_field', `There is no theme ${quote(name)}.`, {
    field: 'theme',
    hint: `One of: ${[...THEMES.keys()].join(', ')}.`,
  });
}

/** Only for answers to queries, which are dropped. */
export function recordedColors(name: string): ReportedColors {
  const theme = themeNamed(name);
  return { ...theme, palette: paletteOf(theme) };
}
