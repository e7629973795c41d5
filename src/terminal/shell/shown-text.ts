/** Whether text that a screen shows is text that was typed. Pure. */
import type { TypedPlace, TypedScreen } from './typed-segment.js';

/** DEC Special Graphics, from 0x60 on: what letters look like after a program has left that charset behind. */
const DRAWN = Array.from('◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·');
const FIRST_DRAWN = 0x60;

/** A tab is shown as spaces. */
export function isShownAs(shown: string, typed: string): boolean {
  if (formsOf(typed).some((form) => isSame(shown, form))) return true;
  return hasDrawn(shown) && isSame(shown.replaceAll('_', ' '), inLineDrawing(typed));
}

/** The editor of busybox shows each of these as a question mark of one column. */
const UNSHOWN = /[\u{300}-\u{10ffff}]/gu;

function formsOf(typed: string): string[] {
  const questioned = typed.replaceAll(UNSHOWN, '?');
  return questioned === typed ? [typed] : [typed, questioned];
}

/** Letters may be drawn as lines: what the shell has read is not known then. */
export function mayBeDrawn(shown: string, typed: string): boolean {
  return DRAWN.some((char) => shown.includes(char) && !typed.includes(char));
}

/** The line from that place on. Editors that break a long line themselves (busybox) leave rows that do not continue each other. */
export function shownLine(screen: TypedScreen, place: TypedPlace, typed: string): ReturnType<TypedScreen['textFrom']> {
  let read = screen.textFrom(place);
  while (read !== undefined && isCut(read.text, typed)) {
    const next = screen.textFrom({ line: read.end, col: 0 });
    const { text: before } = read;
    const forms = formsOf(typed).filter((form) => form.startsWith(before));
    // Blanks at a row's end are not among its text; those at its beginning are.
    const gap = /^ */.exec(forms[0]?.slice(before.length) ?? '')?.[0] ?? '';
    const joined = next && [gap, ''].map((blank) => `${before}${blank}${next.text}`);
    const text = joined?.find((each) => forms.some((form) => form.startsWith(each)));
    if (next === undefined || next.text === '' || text === undefined) return read;
    read = { text, end: next.end };
  }
  return read;
}

/** What is left of a line after the keys that erase its last character, or all of it, in every line editor. */
export function withoutErased(typed: string): string {
  const line = typed.slice(typed.lastIndexOf('\x15') + 1);
  // oxlint-disable-next-line no-control-regex
  if (!/[\x08\x7f]/.test(line)) return line;
  const left: string[] = [];
  for (const char of line) {
    if (char === '\x08' || char === '\x7f') left.pop();
    else left.push(char);
  }
  return left.join('');
}

/** Of a typed line only the beginning is shown. */
export function isCut(shown: string, typed: string): boolean {
  const isBeginning = (form: string): boolean => shown.length < form.trimEnd().length && form.startsWith(shown);
  return shown.trim() !== '' && formsOf(typed).some(isBeginning);
}

/** Shorter pieces may be anything. */
const LEAST_PIECE = 8;

/** An editor shows a piece of a long line, and a sign where it is cut; behind a line may stand a prompt of the right side. */
export function isPartOf(shown: string, typed: string): boolean {
  const pieces = shown.split(/\s+[<>*]|\s{2,}/).map((piece) => piece.trim());
  if (pieces.some((piece) => piece.length >= LEAST_PIECE && typed.includes(piece))) return true;
  // What stands behind it was printed, perhaps by a job.
  return typed.trim() !== '' && shown.startsWith(typed.trimEnd());
}

/** Keys among it change the line. */
export function isEdited(typed: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /[\x00-\x08\x0b-\x1f\x7f]/.test(typed);
}

function isSame(shown: string, typed: string): boolean {
  return shown.replaceAll(/\s+/g, ' ').trim() === typed.replaceAll(/\s+/g, ' ').trim();
}

function hasDrawn(text: string): boolean {
  return DRAWN.some((char) => text.includes(char));
}

function inLineDrawing(text: string): string {
  return text.replaceAll(/[_-~]/g, (letter) => DRAWN[letter.charCodeAt(0) - FIRST_DRAWN] ?? ' ');
}
