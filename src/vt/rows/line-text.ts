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

  /**
   * @param trim leave out empty cells at the end; printed spaces stay
   * @param next the line that continues this one, if one does: the cell that stayed empty before its wide character is left out
   */
  read(line: RawLine, trim: boolean, next: RawLine | undefined): string {
    if (this.#bytes.length < line.length) this.#bytes = Buffer.alloc(line.length);
    const end = writeLatin1(line, trim, next, this.#bytes, 0);
    return end === -1 ? readWide(line, colsOf(line, trim, next)) : this.#bytes.toString('latin1', 0, end);
  }
}

/**
 * Writes the line as bytes of latin1 to `target`, which has room for all of its cells.
 * @param trim @param next see {@link LineTextReader.read}
 * @returns its end, or -1 if it holds a character outside of latin1
 */
export function writeLatin1(
  line: RawLine,
  trim: boolean,
  next: RawLine | undefined,
  target: Uint8Array,
  start: number,
): number {
  const words = line._data;
  const end = start + colsOf(line, trim, next);
  for (let to = start, from = 0; to < end; to++, from += RAW_WORDS) {
    const content = (words[from] ?? 0) & CONTENT;
    if (content >= PLAIN_LIMIT) return -1;
    target[to] = content === 0 ? SPACE : content;
  }
  return end;
}

/** Cells of the line whose text counts: see {@link LineTextReader.read}. */
function colsOf({ _data: words, length }: RawLine, trim: boolean, next: RawLine | undefined): number {
  let cols = length;
  if (trim) while (cols > 0 && ((words[(cols - 1) * RAW_WORDS] ?? 0) & CONTENT) === 0) cols--;
  else if (next !== undefined && widthAt(next._data, 0) === 2) {
    const last = length - 1;
    if (widthAt(words, last) === 1 && ((words[last * RAW_WORDS] ?? 0) & CONTENT) === 0) cols--;
  }
  return cols;
}

function widthAt(words: Uint32Array, col: number): number {
  return (words[col * RAW_WORDS] ?? 0) >>> RAW_WIDTH_SHIFT;
}

function readWide(line: RawLine, cols: number): string {
  const words = line._data;
  let text = '';
  for (let col = 0, at = 0; col < cols; col++, at += RAW_WORDS) {
    const word = words[at] ?? 0;
    const content = word & CONTENT;
    // The right half of a wide character has no width, and adds nothing.
    if (content === 0) text += word >>> RAW_WIDTH_SHIFT === 0 ? '' : ' ';
    else text += (content & RAW_COMBINED) === 0 ? String.fromCodePoint(content) : (line._combined[col] ?? '');
  }
  return text;
}
