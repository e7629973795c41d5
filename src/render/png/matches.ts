/**
 * Repetitions in the lines of one row of cells. Where to look is known: what a cell shows on a line was shown by the line above,
 * by the last cell that began and ended alike, or is a run of one byte. So only whole units are compared, which takes a
 * third of the time that a search from every byte takes and finds as much.
 *
 * What the loops read is held in variables of their own: from a module it would be looked up each time.
 */
import {
  DISTANCE_SYMBOLS,
  distanceSymbol,
  LENGTH_SYMBOL,
  LITERAL_SYMBOLS,
  MAX_MATCH,
  MIN_MATCH,
  WINDOW,
} from './huffman.js';
import type { ScanLines } from './lines.js';

/** Literal bytes, and matches as `length << LENGTH_SHIFT | distance`. */
export type Tokens = Int32Array;
export const LENGTH_SHIFT = 16;
export const DISTANCE_MASK = 0xffff;

/** Bytes that are compared at once. */
const WORD = 4;
const HASH_BITS = 11;
const HASH_FACTOR = 0x9e37_79b1;
const HASH_FACTOR_OF_END = 0x85eb_ca77;
const NOWHERE = -1;
const BYTES_PER_PIXEL = 3;
/** A run of bytes that is taken without a look for one of pixels. */
const LONG_RUN = 8;
/** A byte times this is a word of it. */
const FOURFOLD = 0x0101_0101;

const lastSeen = new Int32Array(1 << HASH_BITS);

/** How often each symbol occurs in the tokens found last. */
export const literalCounts = new Int32Array(LITERAL_SYMBOLS);
export const distanceCounts = new Int32Array(DISTANCE_SYMBOLS);

/** Reads lines from the first to the last, as many at a time as there is room for. */
export class MatchFinder {
  readonly #lines: ScanLines;
  readonly #view: DataView;
  readonly #height: number;
  #line = 0;

  constructor(lines: ScanLines) {
    const { bytes, stride } = lines;
    this.#lines = lines;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#height = bytes.length / stride;
    lastSeen.fill(NOWHERE);
  }

  get done(): boolean {
    return this.#line === this.#height;
  }

  /** Fills in the tokens of some lines, and returns how many they are. There is room for one line's bytes at least. */
  next(tokens: Tokens): number {
    literalCounts.fill(0);
    distanceCounts.fill(0);
    return this.#lines.flat ? this.#pixelRuns(tokens) : this.#units(tokens);
  }

  #units(tokens: Tokens): number {
    const { bytes, stride, start, unit } = this.#lines;
    const view = this.#view;
    const seen = lastSeen;
    const literals = literalCounts;
    const above = stride <= WINDOW ? stride : 0;
    const end = unit - WORD;
    /** Its first word and its last are all of it. */
    const short = unit <= 2 * WORD;
    const unitsLength = Math.floor((stride - start) / unit) * unit;
    const most = tokens.length - stride;
    let y = this.#line;
    let count = 0;
    /** The last byte, and how many repeats of it are not written yet. */
    let last = NOWHERE;
    let repeats = 0;
    for (; y < this.#height && count <= most; y++) {
      const firstUnit = y * stride + start;
      const endOfUnits = firstUnit + unitsLength;
      const nextLine = (y + 1) * stride;
      for (let at = y * stride; at < nextLine;) {
        let plainEnd = firstUnit;
        if (at >= endOfUnits) plainEnd = nextLine;
        else if (at >= firstUnit) {
          plainEnd = at + unit;
          const head = view.getInt32(at, true);
          const tail = view.getInt32(at + end, true);
          if (head === tail && head === Math.imul(last, FOURFOLD) && (short || isAlike(view, at, 1, unit))) {
            do {
              repeats += unit;
              at += unit;
            } while (
              short &&
              at < endOfUnits &&
              view.getInt32(at, true) === head &&
              view.getInt32(at + end, true) === head
            );
            continue;
          }
          const slot = (Math.imul(head, HASH_FACTOR) ^ Math.imul(tail, HASH_FACTOR_OF_END)) >>> (32 - HASH_BITS);
          const earlier = seen[slot] as number;
          seen[slot] = at;
          let length = 0;
          let distance = above;
          if (above !== 0 && y > 0 && view.getInt32(at - above, true) === head)
            length = alikeLength(view, at, above, unit, endOfUnits);
          if (earlier !== NOWHERE && at - earlier <= WINDOW && view.getInt32(earlier, true) === head) {
            const found = alikeLength(view, at, at - earlier, unit, endOfUnits);
            if (found > length) {
              length = found;
              distance = at - earlier;
            }
          }
          if (length > 0) {
            if (repeats > 0) count = addRepeats(tokens, count, last, repeats);
            repeats = 0;
            for (let next = at + unit; next < at + length; next += unit) {
              const hash =
                Math.imul(view.getInt32(next, true), HASH_FACTOR) ^
                Math.imul(view.getInt32(next + end, true), HASH_FACTOR_OF_END);
              seen[hash >>> (32 - HASH_BITS)] = next;
            }
            count = addMatch(tokens, count, length, distance);
            at += length;
            last = bytes[at - 1] as number;
            continue;
          }
        }
        for (; at < plainEnd; at++) {
          const byte = bytes[at] as number;
          if (byte === last) repeats++;
          else {
            if (repeats > 0) count = addRepeats(tokens, count, last, repeats);
            repeats = 0;
            last = byte;
            tokens[count++] = byte;
            literals[byte] = (literals[byte] as number) + 1;
          }
        }
      }
    }
    this.#line = y;
    return repeats > 0 ? addRepeats(tokens, count, last, repeats) : count;
  }

  #pixelRuns(tokens: Tokens): number {
    const { bytes, stride } = this.#lines;
    const view = this.#view;
    const most = tokens.length - stride;
    let y = this.#line;
    let count = 0;
    for (; y < this.#height && count <= most; y++) {
      const end = (y + 1) * stride;
      for (let at = y * stride; at < end;) {
        const ofBytes = at < 1 ? 0 : equalLength(view, at, 1, end);
        const ofPixels = ofBytes >= LONG_RUN || at < BYTES_PER_PIXEL ? 0 : equalLength(view, at, BYTES_PER_PIXEL, end);
        const length = Math.max(ofBytes, ofPixels);
        if (length < MIN_MATCH) count = addRepeats(tokens, count, bytes[at++] as number, 1);
        else {
          count = addMatch(tokens, count, length, ofPixels > ofBytes ? BYTES_PER_PIXEL : 1);
          at += length;
        }
      }
    }
    this.#line = y;
    return count;
  }
}

/** Whether a unit is what lies `distance` before it. */
function isAlike(view: DataView, at: number, distance: number, unit: number): boolean {
  const last = at + unit - WORD;
  for (let next = at; next < last; next += WORD) {
    if (view.getInt32(next, true) !== view.getInt32(next - distance, true)) return false;
  }
  return view.getInt32(last, true) === view.getInt32(last - distance, true);
}

/** Bytes of the units from `at` on that are alike. */
function alikeLength(view: DataView, at: number, distance: number, unit: number, end: number): number {
  let next = at;
  while (next < end && isAlike(view, next, distance, unit)) next += unit;
  return next - at;
}

/** How many bytes from `at` on are those that lie `distance` before them. */
function equalLength(view: DataView, at: number, distance: number, end: number): number {
  let next = at;
  while (next + WORD <= end && view.getInt32(next, true) === view.getInt32(next - distance, true)) next += WORD;
  while (next < end && view.getUint8(next) === view.getUint8(next - distance)) next++;
  return next - at;
}

/** Longest matches first, which have no extra bits; what is left is long enough for one more. */
function addMatch(tokens: Tokens, start: number, length: number, distance: number): number {
  let count = start;
  let left = length;
  for (; left >= MAX_MATCH + MIN_MATCH; left -= MAX_MATCH) count = addOneMatch(tokens, count, MAX_MATCH, distance);
  if (left <= MAX_MATCH) return addOneMatch(tokens, count, left, distance);
  return addOneMatch(tokens, addOneMatch(tokens, count, left - MIN_MATCH, distance), MIN_MATCH, distance);
}

function addOneMatch(tokens: Tokens, count: number, length: number, distance: number): number {
  const symbol = LENGTH_SYMBOL[length] as number;
  const place = distanceSymbol(distance);
  literalCounts[symbol] = (literalCounts[symbol] as number) + 1;
  distanceCounts[place] = (distanceCounts[place] as number) + 1;
  tokens[count] = (length << LENGTH_SHIFT) | distance;
  return count + 1;
}

/** The byte before, so many times more: matches at distance 1, and what is too short for one. */
function addRepeats(tokens: Tokens, start: number, byte: number, repeats: number): number {
  if (repeats >= MIN_MATCH) return addMatch(tokens, start, repeats, 1);
  literalCounts[byte] = (literalCounts[byte] as number) + repeats;
  let count = start;
  for (let left = repeats; left > 0; left--) tokens[count++] = byte;
  return count;
}
