/**
 * Writes runs of plain ASCII into the grid, a third of a flood's cost: the library asks for each character anew whether it
 * joins, links, wraps or is mapped. Whatever is not plain in this sense goes the library's way, whole runs at a time, so
 * that there is one place that knows how; the outcome is the same to the last word (test/vt/xterm/plain-print.test.ts).
 */
import { joinWord, type JoinWord } from './graphemes.js';
import type { Internals, RawBuffer, RawLine } from './internals.js';
import { RAW_BG_EXTENDED, RAW_CODE_POINT, RAW_COMBINED, RAW_WIDTH_SHIFT, RAW_WORDS } from './row-builder.js';

const FIRST = 0x20;
const LAST = 0x7e;
const WIDTH = 3 << RAW_WIDTH_SHIFT;
const WIDE = 2 << RAW_WIDTH_SHIFT;
const ONE_CELL = 1 << RAW_WIDTH_SHIFT;
const CONTENT = RAW_CODE_POINT | RAW_COMBINED;

/** Joins that may follow an ASCII character: they depend on it alone, since none of them joins what is before it. */
const WORD_AFTER: readonly JoinWord[] = Array.from({ length: LAST + 1 }, (_, code) => joinWord(code, 0, () => false));

export function printPlainRuns(core: Internals): void {
  const input = core._inputHandler;
  const parser = input._parser;
  parser.setPrintHandler((codes, start, end) => {
    if (!printPlain(core, codes, start, end)) input.print(codes, start, end);
  });
}

/** False, with nothing done, where the run is not plain. */
function printPlain(core: Internals, codes: Uint32Array, start: number, end: number): boolean {
  const { _inputHandler: input, coreService } = core;
  const { fg, bg } = input._curAttrData;
  const buffer = core.buffers.active;
  const cols = core.cols;
  // A hyperlink is an extended attribute, too.
  const isPlain = (bg & RAW_BG_EXTENDED) === 0 && input._charsetService.charset === undefined;
  if (!isPlain || coreService.modes.insertMode || buffer.x + end - start > cols) return false;
  const line = lineOf(buffer);
  const words = line?._data;
  if (words === undefined) return false;
  let at = buffer.x * RAW_WORDS;
  if (buffer.x > 0 && ((words[at - RAW_WORDS] ?? 0) & WIDTH) === WIDE) return false;
  for (let i = start; i < end; i++) if ((codes[i] ?? 0) > LAST || (codes[i] ?? 0) < FIRST) return false;
  for (let i = start; i < end; i++, at += RAW_WORDS) {
    words[at] = (codes[i] ?? 0) | ONE_CELL;
    words[at + 1] = fg;
    words[at + 2] = bg;
  }
  buffer.x += end - start;
  input._parser.precedingJoinState = WORD_AFTER[codes[end - 1] ?? 0] ?? 0;
  // The right half of a wide character whose left half is gone.
  if (buffer.x < cols && ((words[at] ?? 0) & (WIDTH | CONTENT)) === 0) {
    words[at] = ONE_CELL;
    words[at + 1] = fg;
    words[at + 2] = bg;
  }
  return true;
}

function lineOf(buffer: RawBuffer): RawLine | undefined {
  return buffer.lines.get(buffer.ybase + buffer.y);
}
