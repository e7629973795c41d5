/** JSON of files: deep nesting or very many values take hundreds of times the memory of their text, and are no recording. */

/** Recordings have three levels: a header, its terminal, its theme. */
const MAX_DEPTH = 32;
/** A header with its environment has some hundred. */
const MAX_VALUES = 10_000;

/** Nothing of this length takes much memory. */
const SHORT_LENGTH = 4096;

/** Undefined if it is not JSON, or holds too much. */
export function boundedJson(text: string): unknown {
  if (text.length > SHORT_LENGTH && !isBounded(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isBounded(text: string): boolean {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at + 1);
        break;
      case OPEN_BRACKET:
      case OPEN_BRACE:
        if (++depth > MAX_DEPTH) return false;
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth--;
        break;
      case COMMA:
        if (++values > MAX_VALUES) return false;
        break;
      default:
    }
  }
  return true;
}

/** @param start behind its opening quote @returns place of the closing one, or the end of the text */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH && end - escapes > start) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
