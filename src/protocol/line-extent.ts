/**
 * Whether a line holds more than a request may, by a look at its brackets and commas before it is parsed: 10 MB of small
 * fields take JSON.parse seconds, and the check of what they hold longer still. This takes 2 ns a byte.
 */
import { MAX_REQUEST_DEPTH, MAX_REQUEST_VALUES } from './limits.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING: readonly number[] = [0x5b, 0x7b];
const CLOSING: readonly number[] = [0x5d, 0x7d];

/** @returns what it has too much of, as a sentence */
export function excessOf(line: Uint8Array): string | undefined {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < line.length; at++) {
    const byte = line[at] ?? 0;
    if (byte === QUOTE) at = endOfText(line, at + 1);
    else if (byte === COMMA) values++;
    else if (CLOSING.includes(byte)) depth--;
    else if (OPENING.includes(byte)) {
      values++;
      depth++;
    }
    if (values > MAX_REQUEST_VALUES) return `The request has more than ${MAX_REQUEST_VALUES} values.`;
    if (depth > MAX_REQUEST_DEPTH) return `The request is nested more than ${MAX_REQUEST_DEPTH} levels deep.`;
  }
  return undefined;
}

/** Of the quotation mark, or of the line where there is none. */
function endOfText(line: Uint8Array, start: number): number {
  for (let at = start; at < line.length; at++) {
    if (line[at] === BACKSLASH) at++;
    else if (line[at] === QUOTE) return at;
  }
  return line.length;
}
