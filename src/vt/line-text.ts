/**
 * The characters of a line straight from the library's words, for reading many lines at once: a fifth of the cost of
 * building a row, and nothing is kept.
 */
import type { RawLine } from './internals.js';
import { RAW_CODE_POINT, RAW_COMBINED, RAW_WIDTH_SHIFT, RAW_WORDS } from './row-builder.js';

/** Below it a cell's content is one byte of latin1; a wide character is above. */
const PLAIN_LIMIT = 0x100;
const SPACE = 0x20;

export class LineTextReader {
  #bytes = Buffer.alloc(0);

  /** @param trim leave out the empty cells at the end; spaces that were written stay */
  read(line: RawLine, trim: boolean): string {
    const words = line._data;
    const cols = line.length;
    if (this.#bytes.length < cols) this.#bytes = Buffer.alloc(cols);
    const bytes = this.#bytes;
    let end = trim ? 0 : cols;
    for (let col = 0, at = 0; col < cols; col++, at += RAW_WORDS) {
      const content = (words[at] ?? 0) & CONTENT;
      if (content >= PLAIN_LIMIT) return readWide(line, trim);
      if (content === 0) bytes[col] = SPACE;
      else {
        bytes[col] = content;
        if (trim) end = col + 1;
      }
    }
    return bytes.toString('latin1', 0, end);
  }
}

const CONTENT = RAW_CODE_POINT | RAW_COMBINED;

function readWide(line: RawLine, trim: boolean): string {
  const words = line._data;
  let text = '';
  let end = 0;
  for (let col = 0, at = 0; col < line.length; col++, at += RAW_WORDS) {
    const word = words[at] ?? 0;
    const content = word & CONTENT;
    if (content === 0) {
      // The right half of a wide character has no width, and nothing to add.
      if (word >>> RAW_WIDTH_SHIFT !== 0) text += ' ';
      continue;
    }
    text += (content & RAW_COMBINED) === 0 ? String.fromCodePoint(content) : (line._combined[col] ?? '');
    end = text.length;
  }
  return trim ? text.slice(0, end) : text;
}
