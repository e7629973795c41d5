/**
 * Escapes in the argument of `send`, read into bytes: \n \r \t \e \\, \0 with up to two more octal digits (so that the
 * habitual \033 is ESC), \xHH for one byte, \uHHHH for one UTF-16 unit. Any other backslash stays as typed.
 */
import { concatBytes } from '../../protocol/framing.js';

const SINGLE: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', e: '\x1b', '\\': '\\' };

const ESCAPE = /\\(?:x([0-9A-Fa-f]{2})|((?:u[0-9A-Fa-f]{4})(?:\\u[0-9A-Fa-f]{4})*)|(0[0-7]{0,2})|([nrte\\]))/g;

export function readEscapes(text: string): Uint8Array {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let end = 0;
  for (const match of text.matchAll(ESCAPE)) {
    const [whole, hex, units, octal, single] = match;
    pieces.push(encoder.encode(text.slice(end, match.index)));
    if (hex !== undefined) pieces.push(Uint8Array.of(Number.parseInt(hex, 16)));
    else if (units !== undefined) pieces.push(encoder.encode(fromUnits(units)));
    else if (octal !== undefined) pieces.push(Uint8Array.of(Number.parseInt(octal, 8)));
    else pieces.push(encoder.encode(SINGLE[single ?? '']));
    end = match.index + whole.length;
  }
  pieces.push(encoder.encode(text.slice(end)));
  return concatBytes(pieces);
}

/** Neighbouring units are read together: two of them may be one character (a surrogate pair). */
function fromUnits(escapes: string): string {
  return String.fromCharCode(...escapes.split('\\').map((unit) => Number.parseInt(unit.slice(1), 16)));
}
