/** Lines of output that a terminal shows in their order, each from its first column on. */
import { codePointWidth } from '../vt/xterm/graphemes.js';

/* oxlint-disable no-control-regex */
const STYLES = /\x1b\[[0-?]*[mK]|[\x00-\x1f\x7f]/g;
/** What else is drawn. */
const MOVES = /[\b\v\f\x80-\x9f]|\r(?!\n)|\x1b(?!\[[0-?]*[mK])/;
const PLAIN = /^[\x20-\x7e]*$/;
/* oxlint-enable no-control-regex */

/** @returns characters up to the end of the last line, if it surely ends there; 0 if any line is not plain */
export function plainLength(raw: string, cols: number): number {
  const end = raw.lastIndexOf('\r\n');
  if (end === -1) return 0;
  const last = raw.slice(raw.lastIndexOf('\n', end - 1) + 1, end);
  if (MOVES.test(raw.slice(0, end + 2)) || last.includes('\t')) return 0;
  const col = columnAfter(last.replaceAll(STYLES, ''), 0, cols);
  return col > 0 && col % cols === 0 ? 0 : end + 2;
}

/** At least the last ones. */
export function closingLines(text: string, count: number): string {
  let at = text.length;
  for (let i = 0; i <= count && at > 0; i++) at = text.lastIndexOf('\n', at - 1);
  return at <= 0 ? text : text.slice(at + 1);
}

/** A wide character that has no room at the end of a row begins the next one. */
function columnAfter(text: string, from: number, cols: number): number {
  if (PLAIN.test(text)) return from + text.length;
  let col = from;
  for (const character of text) {
    const width = codePointWidth(character.codePointAt(0) ?? 0);
    if (width === 2 && col % cols === cols - 1) col++;
    col += width;
  }
  return col;
}
