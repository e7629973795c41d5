/**
 * The fast lane: text, wraps, CR, LF, tabs and styles (SGR) go from bytes straight to the words of the grid, which is what
 * nearly all of a log consists of. The library decodes each byte, looks up each transition, and calls a handler for each
 * sequence, at two to three times the cost.
 *
 * {@link FastLane.run} stops before the first byte that it does not handle; from there on the library parses as ever. It
 * stops only where the library would end a run of text, so that the library sees the same runs with and without the lane, and
 * the outcome is the same to the last word (test/vt/xterm/fast-lane.test.ts). Not reproduced, since nothing here listens: the
 * library's events for line feeds and cursor moves, and the rows that it would repaint.
 */
import { joinWord, type JoinWord } from './graphemes.js';
import { GROUND, type Internals, type RawBuffer, type RawLine } from './internals.js';
import { applyStyle, NO_STYLE } from './lane-style.js';
import { RAW_BG_EXTENDED, RAW_CODE_POINT, RAW_COMBINED, RAW_WIDTH_SHIFT, RAW_WORDS } from './row-builder.js';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const FIRST = 0x20;
const LAST = 0x7e;
const PRINTABLE = LAST - FIRST + 1;

const WIDTH = 3 << RAW_WIDTH_SHIFT;
const WIDE = 2 << RAW_WIDTH_SHIFT;
const ONE_CELL = 1 << RAW_WIDTH_SHIFT;
const CONTENT = RAW_CODE_POINT | RAW_COMBINED;

/** Measured and rounded up, in nanoseconds: see parsing/cost.ts, whose budget this is. */
const BYTE_NS = 5;
const STYLE_NS = 40;
/** A new row, and each of its cells, which are cleared. */
const ROW_NS = 200;
const CELL_NS = 2;

/** Joins that may follow an ASCII character: they depend on it alone, since none of them joins what is before it. */
const WORD_AFTER: readonly JoinWord[] = Array.from({ length: LAST + 1 }, (_, code) => joinWord(code, 0, () => false));

export class FastLane {
  readonly #core: Internals;
  /** Nanoseconds that the last {@link run} has left of its budget; less than 0 if its last step cost more. */
  leftNs = 0;

  constructor(core: Internals) {
    this.#core = core;
  }

  /**
   * Parses `bytes` from `start` on, until the budget is spent or a byte is not the lane's.
   * @param bytes of which none before `start` belongs to a character that is incomplete
   * @param isAscii whether all of them are ASCII: then the end of a text is found while it is printed
   * @returns where it stopped
   */
  run(bytes: Uint8Array, start: number, budgetNs: number, isAscii: boolean): number {
    this.leftNs = budgetNs;
    const core = this.#core;
    const { _inputHandler: input, cols } = core;
    const buffer = core.buffers.active;
    let words = wordsOf(buffer);
    if (words === NO_WORDS || buffer.x > cols || !isOpen(core)) return start;
    // Locals, for all that changes at every few bytes; the library gets them back before each call, and at the end.
    let { x } = buffer;
    let leftNs = budgetNs;
    const pen = input._curAttrData;
    let { fg, bg } = pen;
    // In a bundle the constants of a module are variables, and reading them took as long as writing the cells.
    const [first, count, oneCell, step] = [FIRST, PRINTABLE, ONE_CELL, RAW_WORDS];
    const isWholeText = isAscii && core.coreService.decPrivateModes.wraparound;
    const rowNs = ROW_NS + CELL_NS * cols;
    const end = bytes.length;
    let at = start;
    /** End of the last text. */
    let textEnd = -1;
    while (at < end && leftNs > 0) {
      const byte = bytes[at] as number;
      if (isPrintable(byte)) {
        const limit = isWholeText ? end : endOfText(core, bytes, at, x);
        if (limit === at || (bg & RAW_BG_EXTENDED) !== 0) break;
        if (x > 0 && ((words[(x - 1) * RAW_WORDS] ?? 0) & WIDTH) === WIDE) blank(words, x - 1, fg, bg);
        const textStart = at;
        for (;;) {
          const from = at;
          const stop = Math.min(limit, at + cols - x);
          for (let to = x * step; at < stop; at++, to += step) {
            const code = bytes[at] as number;
            if ((code - first) >>> 0 >= count) break;
            words[to] = code | oneCell;
            words[to + 1] = fg;
            words[to + 2] = bg;
          }
          x += at - from;
          leftNs -= (at - from) * BYTE_NS;
          const isSpent = leftNs <= 0 && at > textStart;
          if (x < cols || at === limit || isSpent || !isPrintable(bytes[at] as number)) break;
          leftNs -= rowNs;
          x = 0;
          wrap(core);
          words = wordsOf(buffer);
        }
        // The right half of a wide character whose left half is gone.
        if (x < cols && ((words[x * RAW_WORDS] ?? 0) & (WIDTH | CONTENT)) === 0) blank(words, x, fg, bg);
        textEnd = at;
      } else if (byte === LF) {
        buffer.x = x;
        input.lineFeed();
        ({ x } = buffer);
        words = wordsOf(buffer);
        leftNs -= rowNs;
        at++;
      } else if (byte === CR) {
        x = 0;
        at++;
      } else if (byte === ESC) {
        const next = applyStyle(pen, bytes, at);
        if (next === NO_STYLE) break;
        fg = pen.fg | 0;
        bg = pen.bg | 0;
        leftNs -= STYLE_NS;
        at = next;
      } else if (byte === TAB) {
        buffer.x = x;
        input.tab();
        ({ x } = buffer);
        leftNs -= STYLE_NS;
        at++;
      } else break;
    }
    buffer.x = x;
    this.leftNs = leftNs;
    if (at > start) input._parser.precedingJoinState = textEnd === at ? (WORD_AFTER[bytes[at - 1] ?? 0] ?? 0) : 0;
    return at;
  }
}

/** End of the text that begins at `start`, in column `x`; `start` itself where the library has to print it. */
function endOfText({ cols, coreService }: Internals, bytes: Uint8Array, start: number, x: number): number {
  let end = start + 1;
  while (end < bytes.length && isPrintable(bytes[end] ?? 0)) end++;
  if ((bytes[end] ?? 0) > LAST + 1) return start;
  return x + end - start > cols && !coreService.decPrivateModes.wraparound ? start : end;
}

/** To the row below, which continues this one. */
function wrap({ buffers, _bufferService: service, _inputHandler: input }: Internals): void {
  const buffer = buffers.active;
  buffer.x = 0;
  if (buffer.y === buffer.scrollBottom) return service.scroll(input._eraseAttrData(), true);
  buffer.y++;
  const below = lineOf(buffer);
  if (below !== undefined) below.isWrapped = true;
}

function lineOf(buffer: RawBuffer): RawLine | undefined {
  return buffer.lines.get(buffer.ybase + buffer.y);
}

/** Words of the cursor's row. */
function wordsOf(buffer: RawBuffer): Uint32Array {
  return lineOf(buffer)?._data ?? NO_WORDS;
}

const NO_WORDS = new Uint32Array(0);

/** Whether the state of the library is one in which text means itself, and goes where the cursor is. */
function isOpen({ buffers, coreService, optionsService, rows, _inputHandler: input }: Internals): boolean {
  const { scrollTop, scrollBottom } = buffers.active;
  const { modes, decPrivateModes } = coreService;
  return (
    input._parser.currentState === GROUND &&
    input._charsetService.charset === undefined &&
    !modes.insertMode &&
    !decPrivateModes.origin &&
    scrollTop === 0 &&
    scrollBottom === rows - 1 &&
    !optionsService.rawOptions.convertEol
  );
}

function isPrintable(byte: number): boolean {
  return (byte - FIRST) >>> 0 < PRINTABLE;
}

function blank(words: Uint32Array, col: number, fg: number, bg: number): void {
  const at = col * RAW_WORDS;
  words[at] = ONE_CELL;
  words[at + 1] = fg;
  words[at + 2] = bg;
}
