/** Lines of output that a terminal shows in their order, each from its first column on, and that have no secret. */
import { codePointWidth } from '../vt/xterm/graphemes.js';
import type { SecretFinder } from './redactor.js';

/* oxlint-disable no-control-regex */
const CONTROLS = /\x1b\[[0-?]*[mK]|[\x00-\x08\x0a-\x1f\x7f]/g;
/** Controls that a screen has to draw. */
const MOVES = /[\b\v\f\x80-\x9f]|\r(?!\n)|(?<!\r)\n|\x1b(?!\[[0-?]*[mK])/;
/** The beginning of a sequence, or of the end of a line. */
const BEGUN = /(?:\r|\x1b(?:\[[0-?]*)?)$/;
const PLAIN = /^[\x20-\x7e]*$/;
/** Erasure of text before the cursor. */
const ERASES = /\x1b\[[0-?]*[1-?]K/;
/* oxlint-enable no-control-regex */

const TAB_WIDTH = 8;
/** The longest part of a line that is left undrawn. */
const MAX_TAIL_LENGTH = 8192;

/** @returns characters of the plain lines at the beginning of `raw`, of which the last one surely ends there */
export function plainLength(raw: string, cols: number, secrets: SecretFinder): number {
  const suspect = secrets.firstIn(raw);
  const line = raw.indexOf('\n', suspect);
  const looked = line === -1 ? raw : raw.slice(0, line + 1);
  const move = looked.search(MOVES);
  const most = move === -1 ? looked.length : move;
  const length = lastEnd(raw, Math.min(suspect, most), cols);
  if (length > 0 || most < looked.length || line === -1) return length;
  return hasNoSecret(looked, cols, secrets) ? looked.length : 0;
}

/** Whether `raw` is the plain beginning of a line. */
export function isPlainTail(raw: string): boolean {
  return raw.length <= MAX_TAIL_LENGTH && !raw.includes('\n') && !MOVES.test(raw.replace(BEGUN, ''));
}

/** Last lines, at least as many as asked for. */
export function closingLines(text: string, count: number): string {
  let at = text.length;
  for (let i = 0; i <= count && at > 0; i++) at = text.lastIndexOf('\n', at - 1);
  return at <= 0 ? text : text.slice(at + 1);
}

/** The place behind the last line that ends within `most` characters and goes on in no other row; 0 if there is none. */
function lastEnd(raw: string, most: number, cols: number): number {
  let end = most;
  for (;;) {
    const at = end < 2 ? -1 : raw.lastIndexOf('\r\n', end - 2);
    if (at === -1) return 0;
    const start = at === 0 ? 0 : raw.lastIndexOf('\n', at - 1) + 1;
    if (!fillsRow(raw.slice(start, at).replaceAll(CONTROLS, ''), cols)) return at + 2;
    end = start;
  }
}

/** Whether a line only looks like one with a secret. False also if only a drawn screen can tell. */
function hasNoSecret(line: string, cols: number, secrets: SecretFinder): boolean {
  const text = line.replaceAll(CONTROLS, '').replace(/ +$/, '');
  if (!PLAIN.test(text) || text.length >= cols || ERASES.test(line)) return false;
  const one = secrets.lines();
  return one.next(text).length === 0 && !one.isOpen;
}

/** Whether the line fills its last row. A wide character that has no room at the end of a row begins the next one. */
function fillsRow(text: string, cols: number): boolean {
  if (PLAIN.test(text)) return text !== '' && text.length % cols === 0;
  let col = 0;
  let isFull = false;
  for (const character of text) {
    if (character === '\t') {
      col = Math.min(col + TAB_WIDTH - (col % TAB_WIDTH), cols - 1);
      continue;
    }
    const width = codePointWidth(character.codePointAt(0) ?? 0);
    if (col + width > cols) col = 0;
    col += width;
    isFull = col === cols || (isFull && col > width);
  }
  return isFull;
}
