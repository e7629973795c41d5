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
import { GROUND, type Internals } from './internals.js';
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
const BYTE_NS = 8;
const STYLE_NS = 60;
/** A new row, and each of its cells, which are cleared. */
const ROW_NS = 250;
const CELL_NS = 3;

/** What may follow an ASCII character depends on it alone: none of them joins what is before it. */
const WORD_AFTER: readonly JoinWord[] = Array.from({ length: LAST + 1 }, (_, code) => joinWord(code, 0, () => false));

export class FastLane {
  readonly #core: Internals;
  /** What the last {@link run} has left of its budget, in nanoseconds; less than 0 if its last step cost more. */
  leftNs = 0;

  constructor(core: Internals) {
    this.#core = core;
  }

  /**
   * Parses `bytes` from `start` on, until the budget is spent or a byte is not the lane's.
   * @param bytes of which none before `start` belongs to a character that is incomplete
   * @returns where it stopped
   */
  run(bytes: Uint8Array, start: number, budgetNs: number): number {
    this.leftNs = budgetNs;
    if (!isOpen(this.#core)) return start;
    const { _inputHandler: input, cols } = this.#core;
    const pen = input._curAttrData;
    const buffer = this.#core.buffers.active;
    const rowNs = ROW_NS + CELL_NS * cols;
    const end = bytes.length;
    let at = start;
    /** Where the last run of text ended; 0 after anything else. */
    let textEnd = 0;
    while (at < end && this.leftNs > 0) {
      const byte = bytes[at] ?? 0;
      if ((byte - FIRST) >>> 0 < PRINTABLE) {
        const runEnd = endOfText(bytes, at);
        const isWhole = runEnd === end || (bytes[runEnd] ?? 0) <= LAST + 1;
        if (!isWhole || (pen.bg & RAW_BG_EXTENDED) !== 0) break;
        const printedTo = this.#print(bytes, at, runEnd, rowNs);
        if (printedTo === at) break;
        at = printedTo;
        textEnd = at;
        continue;
      }
      if (byte === LF) {
        input.lineFeed();
        this.leftNs -= rowNs;
        at++;
      } else if (byte === CR) {
        buffer.x = 0;
        at++;
      } else if (byte === ESC) {
        const next = applyStyle(pen, bytes, at);
        if (next === NO_STYLE) break;
        this.leftNs -= STYLE_NS;
        at = next;
      } else if (byte === TAB) {
        input.tab();
        this.leftNs -= STYLE_NS;
        at++;
      } else break;
      textEnd = 0;
    }
    if (at > start) input._parser.precedingJoinState = textEnd === at ? (WORD_AFTER[bytes[at - 1] ?? 0] ?? 0) : 0;
    return at;
  }

  /**
   * One run of text, over as many rows as the budget allows.
   * @returns its end, or where the cursor waits to wrap; `start`, with nothing done, where the run is not the lane's
   */
  #print(bytes: Uint8Array, start: number, end: number, rowNs: number): number {
    const core = this.#core;
    const { _inputHandler: input, cols } = core;
    const { fg, bg } = input._curAttrData;
    const buffer = core.buffers.active;
    const { lines } = buffer;
    let x = buffer.x;
    if (x > cols || (x + end - start > cols && !core.coreService.decPrivateModes.wraparound)) return start;
    let words = lines.get(buffer.ybase + buffer.y)?._data;
    if (words === undefined) return start;
    this.leftNs -= (end - start) * BYTE_NS;
    if (x > 0 && ((words[(x - 1) * RAW_WORDS] ?? 0) & WIDTH) === WIDE) blank(words, x - 1, fg, bg);
    let at = start;
    for (;;) {
      const stop = Math.min(end, at + cols - x);
      let to = x * RAW_WORDS;
      x += stop - at;
      for (; at < stop; at++, to += RAW_WORDS) {
        words[to] = (bytes[at] ?? 0) | ONE_CELL;
        words[to + 1] = fg;
        words[to + 2] = bg;
      }
      if (at === end || (this.leftNs <= 0 && at > start)) break;
      this.leftNs -= rowNs;
      x = 0;
      buffer.x = 0;
      if (buffer.y === buffer.scrollBottom) core._bufferService.scroll(input._eraseAttrData(), true);
      else {
        buffer.y++;
        const below = lines.get(buffer.ybase + buffer.y);
        if (below !== undefined) below.isWrapped = true;
      }
      words = lines.get(buffer.ybase + buffer.y)?._data ?? NO_WORDS;
    }
    buffer.x = x;
    // The right half of a wide character whose left half is gone.
    if (x < cols && ((words[x * RAW_WORDS] ?? 0) & (WIDTH | CONTENT)) === 0) blank(words, x, fg, bg);
    return at;
  }
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

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && ((bytes[at] ?? 0) - FIRST) >>> 0 < PRINTABLE) at++;
  return at;
}

function blank(words: Uint32Array, col: number, fg: number, bg: number): void {
  const at = col * RAW_WORDS;
  words[at] = ONE_CELL;
  words[at + 1] = fg;
  words[at + 2] = bg;
}
