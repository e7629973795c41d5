/** A grapheme cluster taken apart: what a face draws as it is, and the marks that are put on it one by one. */
import { isPlacedMark, isSeenMark, placeOf } from './combining-marks.js';

export interface Cluster {
  /** Composed as far as Unicode has one character for a letter and its marks; empty where marks stand alone. */
  readonly letter: string;
  readonly marks: readonly number[];
}

/** Their dots give way to marks above them. */
const DOTLESS: ReadonlyMap<string, string> = new Map([
  ['i', '\u0131'],
  ['j', '\u0237'],
]);

/** @param isOutlined Whether a face has it whole that is no bitmap: otherwise its parts may be better to have. */
export function clusterOf(text: string, isOutlined: (text: string) => boolean): Cluster {
  // A lone character stays itself: some singletons have another width when composed.
  const composed = split(Array.from(text).length === 1 ? text : text.normalize('NFC'));
  if (isOutlined(composed.letter)) return composed;
  const parts = split(text.normalize('NFD'));
  return parts.marks.length > 0 && isOutlined(parts.letter) ? parts : composed;
}

/** In canonical order, in which the marks on each side are innermost first. */
function split(text: string): Cluster {
  const codePoints = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const first = codePoints.findIndex(isPlacedMark);
  if (first < 0) return { letter: text, marks: [] };
  const letter = String.fromCodePoint(...codePoints.slice(0, first));
  const marks = codePoints.slice(first).filter(isSeenMark);
  const raised = marks.some((mark) => placeOf(mark, 'over').where === 'above');
  return { letter: raised ? (DOTLESS.get(letter) ?? letter) : letter, marks };
}
