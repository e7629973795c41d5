/** Cells of a text in the terminal of a person, as most terminals count them, and texts that are cut to fit. Pure. */
import { safeText } from '../../mirror/safe-text.js';

/** First code unit of characters that may be two cells wide. */
const FIRST_WIDE = 0x1100;
/** Beside those below: terminals take these for one cell. */
const NARROW = /^[\u2010-\u27bf]$/;

export function textCells(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + cellsOfOne(character), 0);
}

/** Text without what a terminal acts on, and no wider than the cells. */
export function fitted(text: string, cells: number): string {
  const safe = safeText(text);
  if (textCells(safe) <= cells) return safe;
  let kept = '';
  let width = 1;
  for (const character of safe) {
    width += cellsOfOne(character);
    if (width > cells) break;
    kept += character;
  }
  return cells < 1 ? '' : `${kept}…`;
}

function cellsOfOne(character: string): number {
  return NARROW.test(character) || (character.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2;
}
