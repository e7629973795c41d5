/**
 * Characters of a line, read straight from the library's words, for reading many lines at once: a fifth of the cost of
 * building a row, and nothing is kept.
 */
import type { RawLine } from '../xterm/internals.js';
import { RAW_CODE_POINT, RAW_COMBINED, RAW_WIDTH_SHIFT, RAW_WORDS } from '../xterm/row-builder.js';

/** Below it a cell's content is one byte of latin1; a wide character is above. */
const PLAIN_LIMIT = 0x100;
const CONTENT = RAW_CODE_POINT | RAW_COMBINED;
const SPACE = 0x20;

export class LineTextReader {
  #bytes = Buffer.alloc(0);

  /** @param trim leave out empty cells at the end; printed spaces stay */
  read(line: RawLine, trim: boolean): string {
    if (this.#bytes.length < line.length) this.#bytes = Buffer.alloc(line.length);
    const end = writeLatin1(line, trim, this.#bytes, 0);
    return end === -1 ? readWide(line, trim) : this.#bytes.toString('latin1', 0, end);
  }
}

/**
 * Writes the line as bytes of latin1 to `target`, which has room for all of its cells.
 * @returns its end, or -1 if it holds a character outside of latin1
 */
export function writeLatin1(line: RawLine, trim: boolean, target: Uint8Array, start: number): number {
  const words = line._data;
  let cols = line.length;
  if (trim) while (cols > 0 && ((words[(cols - 1) * RAW_WORDS] ?? 0) & CONTENT) === 0) cols--;
  const end = start + cols;
  for (let to = start, from = 0; to < end; to++, from += RAW_WORDS) {
    const content = (words[from] ?? 0) & CONTENT;
    if (content >= PLAIN_LIMIT) return -1;
    target[to] = content === 0 ? SPACE : content;
  }
  return end;
}

function readWide(line: RawLine, trim: boolean): string {
  const words = line._data;
  let text = '';
  let end = 0;
  for (let col = 0, at = 0; col < line.length; col++, at += RAW_WORDS) {
    const word = words[at] ?? 0;
    const content = word & CONTENT;
    if (content === 0) {
      // The right half of a wide character has no width, and adds nothing.
      if (word >>> RAW_WIDTH_SHIFT !== 0) text += ' ';
      continue;
    }
    text += (content & RAW_COMBINED) === 0 ? String.fromCodePoint(content) : (line._combined[col] ?? '');
    end = text.length;
  }
  return trim ? text.slice(0, end) : text;
}
