/** A grapheme cluster taken apart: what a face draws as it is, and the marks that are put on it one by one. */
import { isPlacedMark, isSeenMark, placeOf } from '../fonts/combining-marks.js';

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

/** Letters of the primary face, which has no marks of other scripts: one that has both would draw the letter, too. */
const OF_FIXED_PITCH = /^[\0-\x7f\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

/** @param isDrawnWell Whether a face has it whole, as outlines that fit into the cell: otherwise its parts may be better. */
export function clusterOf(text: string, isDrawnWell: (text: string) => boolean): Cluster {
  // A lone character stays itself: some singletons have another width when composed.
  const composed = split(Array.from(text).length === 1 ? text : text.normalize('NFC'));
  if (isDrawnWell(composed.letter)) return composed;
  const parts = split(text.normalize('NFD'));
  return parts.marks.length > 0 && isDrawnWell(parts.letter) ? parts : composed;
}

/** Cluster in canonical order, in which the marks on each side are innermost first. */
function split(text: string): Cluster {
  const codePoints = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const isPut = OF_FIXED_PITCH.test(text) ? isSeenMark : isPlacedMark;
  const first = codePoints.findIndex(isPut);
  if (first < 0) return { letter: text, marks: [] };
  const letter = String.fromCodePoint(...codePoints.slice(0, first));
  const marks = codePoints.slice(first).filter(isSeenMark);
  const raised = marks.some((mark) => placeOf(mark, 'below').where === 'above');
  return { letter: raised ? (DOTLESS.get(letter) ?? letter) : letter, marks };
}
