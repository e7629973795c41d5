/** Searches for a text in a text, in pieces: the worst take the engine as long as the product of their lengths. */
import type { Work } from './work.js';

/** Characters compared at most before a pause: a millisecond of the worst texts, half `a`s and one `b`. */
const COMPARED = 1_000_000;
/** Smaller pieces cost more than they are worth. */
const MIN_PLACES = 1000;
const MAX_PLACES = 65_536;

/** @returns -1 if it is not there */
export function* indexOfText(text: string, wanted: string, from: number): Work<number> {
  const places = Math.min(MAX_PLACES, Math.max(MIN_PLACES, Math.floor(COMPARED / wanted.length)));
  for (let start = from; ; start += places) {
    const end = start + places + wanted.length - 1;
    const index = (start === 0 && end >= text.length ? text : text.slice(start, end)).indexOf(wanted);
    if (index !== -1) return start + index;
    if (end >= text.length) return -1;
    yield places;
  }
}
