/** A pattern's view of a text: its characters, and the conditions between two of them. */
import { EMPTY, END_OF_TEXT } from './regex-internals.js';

export function runeAt(text: string, at: number): number {
  return text.codePointAt(at) ?? END_OF_TEXT;
}

/** Width in UTF-16 code units; 0 at the end of the text. */
export function widthOf(rune: number): number {
  return rune === END_OF_TEXT ? 0 : rune > 0xffff ? 2 : 1;
}

export function conditionsAt(text: string, at: number): number {
  const before = at > 0 ? text.charCodeAt(at - 1) : END_OF_TEXT;
  const after = at < text.length ? text.charCodeAt(at) : END_OF_TEXT;
  return (
    (before === END_OF_TEXT ? EMPTY.beginText | EMPTY.beginLine : before === LINE_FEED ? EMPTY.beginLine : 0) |
    (after === END_OF_TEXT ? EMPTY.endText | EMPTY.endLine : after === LINE_FEED ? EMPTY.endLine : 0) |
    (isWord(before) === isWord(after) ? EMPTY.noWordBoundary : EMPTY.wordBoundary)
  );
}

const LINE_FEED = 10;
/** A letter, digit or underscore of ASCII. */
function isWord(rune: number): boolean {
  return (rune >= 97 && rune <= 122) || (rune >= 48 && rune <= 57) || (rune >= 65 && rune <= 90) || rune === 95;
}
