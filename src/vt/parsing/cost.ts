/**
 * Limits how much output is parsed in one go, by an estimate of its cost. Bytes are not enough: 64 KiB of text take a
 * millisecond or two, 64 KiB of "scroll by 9999" on an 80x24 grid a second and a half, and more on larger grids.
 *
 * The costs are measured, rounded up, in nanoseconds; their order of magnitude matters. A sequence whose introducer
 * ended the previous piece is taken for text: at most one per piece, which does no harm.
 */

export interface Grid {
  readonly cols: number;
  readonly rows: number;
}

const BYTE_NS = 20;
/** Within scroll margins a line feed moves every row. */
const LINE_FEED_NS_PER_ROW = 20;
/** A line of the scrollback is created and filled with blanks. */
const LINE_FEED_NS_PER_COL = 2;
/** A sequence that touches no more than a row. */
const SEQUENCE_NS = 100;

/** CSI sequences that may touch every cell, by their final byte: nanoseconds a cell. */
const CSI_NS_PER_CELL: Readonly<Record<string, number>> = {
  J: 4, // erase in display
  L: 70, // insert lines
  M: 70, // delete lines
  S: 80, // scroll up
  T: 80, // scroll down
  '@': 2,
  P: 2,
  b: 45, // repeat
  h: 8, // the alternate screen
  l: 8,
};

/** CSI sequences with an answer or with events for subscribers, by their final byte. */
const ANSWERED_CSI: ReadonlySet<string> = new Set(['c', 'n', 'p', 'q', 't', 'u']);
/** Cost of recording a query and its answer, or of passing on a string of OSC or DCS, beside its bytes. */
const REPORTED_NS = 5000;
const STRING_INTRODUCERS: ReadonlySet<string> = new Set([']', 'P']);

/** Escape sequences likewise: full reset, reverse index, index, next line, alignment pattern (ESC # 8). */
const ESC_NS_PER_CELL: Readonly<Record<string, number>> = { c: 25, M: 2, D: 2, E: 2, '#': 10 };

const ESC = 0x1b;
const LF = 0x0a;
const BRACKET = 0x5b;
/** C1 CSI: the second byte of U+009B, and also of other characters, which are then overestimated. */
const C1_CSI = 0x9b;
/** Range of a sequence's parameters and intermediates. */
const FIRST_PARAMETER = 0x20;
const LAST_PARAMETER = 0x3f;
const MAX_SEQUENCE_BYTES = 64;

/** Cost of one slice: several make a run of the schedule, between which requests are answered. */
export const SLICE_NS = 1_000_000;

export class ParseBudget {
  readonly #cells: number;
  readonly #lineFeedNs: number;
  #leftNs = SLICE_NS;
  #spentBytes = 0;

  constructor({ cols, rows }: Grid) {
    this.#cells = cols * rows;
    this.#lineFeedNs = LINE_FEED_NS_PER_ROW * rows + LINE_FEED_NS_PER_COL * cols;
  }

  get leftNs(): number {
    return this.#leftNs;
  }

  /** Whether nothing more may be taken. */
  get isSpent(): boolean {
    return this.#leftNs <= 0 && this.#spentBytes > 0;
  }

  /** Pays for bytes that were parsed at a known cost. */
  pay(bytes: number, ns: number): void {
    this.#spentBytes += bytes;
    this.#leftNs -= ns;
  }

  /** Number of bytes of `piece` that the budget still allows; at least one sequence or byte in all. */
  take(piece: Uint8Array): number {
    for (let at = 0; at < piece.length;) {
      if (this.#leftNs <= 0 && this.#spentBytes > 0) return at;
      const text = this.#takeText(piece, at);
      const length = text > 0 ? text : this.#spend(piece, at);
      this.#spentBytes += length;
      at += length;
    }
    return piece.length;
  }

  /** Bytes up to the next sequence, as far as the budget goes. Every byte of a flood passes here: locals only. */
  #takeText(piece: Uint8Array, start: number): number {
    const lineFeedNs = this.#lineFeedNs;
    let leftNs = this.#leftNs;
    let at = start;
    for (; at < piece.length && leftNs > 0; at++) {
      const byte = piece[at];
      if (byte === ESC || byte === C1_CSI) break;
      leftNs -= byte === LF ? lineFeedNs : BYTE_NS;
    }
    this.#leftNs = leftNs;
    return at - start;
  }

  /** Bytes of one sequence or character; their cost is taken from the budget. */
  #spend(piece: Uint8Array, at: number): number {
    const byte = piece[at];
    if (byte !== ESC && byte !== C1_CSI) {
      this.#leftNs -= byte === LF ? this.#lineFeedNs : BYTE_NS;
      return 1;
    }
    const isCsi = byte === C1_CSI || piece[at + 1] === BRACKET;
    const introducer = byte === C1_CSI || !isCsi ? 1 : 2;
    const end = isCsi ? endOfParameters(piece, at + introducer) : at + introducer;
    const final = String.fromCharCode(piece[end] ?? 0);
    const nsPerCell = (isCsi ? CSI_NS_PER_CELL : ESC_NS_PER_CELL)[final] ?? 0;
    const isTold = (isCsi ? ANSWERED_CSI : STRING_INTRODUCERS).has(final);
    this.#leftNs -= SEQUENCE_NS + nsPerCell * this.#cells + (isTold ? REPORTED_NS : 0);
    return Math.min(end + 1, piece.length) - at;
  }
}

function endOfParameters(piece: Uint8Array, start: number): number {
  const limit = Math.min(piece.length, start + MAX_SEQUENCE_BYTES);
  let at = start;
  while (at < limit) {
    const byte = piece[at] ?? 0;
    if (byte < FIRST_PARAMETER || byte > LAST_PARAMETER) break;
    at++;
  }
  return at;
}
