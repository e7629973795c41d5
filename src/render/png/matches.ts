/**
 * Repetitions in the lines of one row of cells. Where to look is known: what a cell shows on a line was shown by the line above,
 * by an earlier cell that began and ended alike, or is a run of one byte. So only whole units are compared, which takes a
 * third of the time that a search from every byte takes and finds as much. Units within a match are not noted as places to find:
 * what they are like was noted before. To look for the latest one instead takes a tenth longer and saves half a percent.
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

/** Literal bytes, as their negated number; and matches, as `length << LENGTH_SHIFT | distance`. */
export type Tokens = Int32Array;
export const LENGTH_SHIFT = 16;
export const DISTANCE_MASK = 0xffff;

/** Bytes that are compared at once. */
const WORD = 4;
const HASH_BITS = 11;
const NOWHERE = -1;
const BYTES_PER_PIXEL = 3;
/** A run of bytes that is taken without a look for one of pixels. */
const LONG_RUN = 8;
/** Bytes of a block, so that what occurs in it can be counted in 22 bits. */
const MAX_BLOCK_BYTES = 1 << 21;

const lastSeen = new Int32Array(1 << HASH_BITS);

/** Counts of each symbol in the tokens found last. */
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

  /** Bytes that were read so far. */
  get position(): number {
    return this.#line * this.#lines.stride;
  }

  /** Fills in the tokens of some lines, and returns how many they are. There is room for one line's bytes at least. */
  next(tokens: Tokens): number {
    literalCounts.fill(0);
    distanceCounts.fill(0);
    const end = Math.min(this.#height, this.#line + Math.max(1, Math.floor(MAX_BLOCK_BYTES / this.#lines.stride)));
    return this.#lines.flat ? this.#pixelRuns(tokens, end) : this.#units(tokens, end);
  }

  #units(tokens: Tokens, lastLine: number): number {
    const { bytes, stride, start, unit } = this.#lines;
    const view = this.#view;
    const seen = lastSeen;
    const literals = literalCounts;
    /** A byte times this is a word of it. */
    const fourfold = 0x0101_0101;
    const hashFactor = 0x9e37_79b1;
    const hashFactorOfEnd = 0x85eb_ca77;
    const hashShift = 32 - HASH_BITS;
    const window = WINDOW;
    const above = stride <= window ? stride : 0;
    const tailAt = unit - WORD;
    /** Whether its first word and its last are all of it. */
    const short = unit <= 2 * WORD;
    const unitsLength = Math.floor((stride - start) / unit) * unit;
    /** A line has at most half as many tokens as bytes; repeats of earlier lines, which have none yet, need one for each 258. */
    const most = tokens.length - stride;
    let y = this.#line;
    let count = 0;
    /** Literal bytes that have no token yet. */
    let plain = 0;
    /** The last byte, a word of it, and how many repeats of it, after those literals, have no token yet. */
    let last = NOWHERE;
    let lastWord = 0;
    let repeats = 0;
    for (; y < lastLine && count + (repeats >> 8) <= most; y++) {
      const firstUnit = y * stride + start;
      const endOfUnits = firstUnit + unitsLength;
      const nextLine = (y + 1) * stride;
      for (let at = y * stride; at < nextLine;) {
        if (at < firstUnit || at >= endOfUnits) {
          for (const end = at < firstUnit ? firstUnit : nextLine; at < end; at++) {
            const byte = bytes[at] as number;
            if (byte === last) repeats++;
            else {
              if (repeats >= MIN_MATCH) {
                count = addRepeats(tokens, count, plain, repeats);
                plain = 0;
              } else if (repeats > 0) {
                literals[last] = (literals[last] as number) + repeats;
                plain += repeats;
              }
              repeats = 0;
              last = byte;
              plain++;
              literals[byte] = (literals[byte] as number) + 1;
            }
          }
          lastWord = Math.imul(last, fourfold);
          continue;
        }
        const head = view.getInt32(at, true);
        const tail = view.getInt32(at + tailAt, true);
        if (head === lastWord && tail === lastWord && last >= 0 && (short || isAlike(view, at, 1, unit))) {
          do {
            repeats += unit;
            at += unit;
          } while (
            short &&
            at < endOfUnits &&
            view.getInt32(at, true) === lastWord &&
            view.getInt32(at + tailAt, true) === lastWord
          );
          continue;
        }
        const slot = (Math.imul(head, hashFactor) ^ Math.imul(tail, hashFactorOfEnd)) >>> hashShift;
        const earlier = seen[slot] as number;
        seen[slot] = at;
        let length = 0;
        let distance = above;
        if (above !== 0 && y > 0 && view.getInt32(at - above, true) === head)
          length = short
            ? shortAlikeLength(view, at, above, unit, endOfUnits)
            : alikeLength(view, at, above, unit, endOfUnits);
        if (earlier !== NOWHERE && at - earlier <= window && view.getInt32(earlier, true) === head) {
          const found = short
            ? shortAlikeLength(view, at, at - earlier, unit, endOfUnits)
            : alikeLength(view, at, at - earlier, unit, endOfUnits);
          if (found > length) {
            length = found;
            distance = at - earlier;
          }
        }
        if (length > 0) {
          if (repeats > 0 && repeats < MIN_MATCH) {
            literals[last] = (literals[last] as number) + repeats;
            plain += repeats;
            repeats = 0;
          }
          if (repeats > 0) count = addRepeats(tokens, count, plain, repeats);
          else if (plain > 0) tokens[count++] = -plain;
          plain = 0;
          repeats = 0;
          count = addMatch(tokens, count, length, distance);
          at += length;
          last = bytes[at - 1] as number;
          lastWord = Math.imul(last, fourfold);
          continue;
        }
        // Bytes within the unit are not compared. Those at its beginning may repeat the last one, and those at its end one another.
        const unlike = head ^ lastWord;
        const leading = last < 0 ? 0 : unlike === 0 ? WORD : (31 - Math.clz32(unlike & -unlike)) >> 3;
        repeats += leading;
        if (repeats >= MIN_MATCH) {
          count = addRepeats(tokens, count, plain, repeats);
          plain = 0;
        } else if (repeats > 0) {
          literals[last] = (literals[last] as number) + repeats;
          plain += repeats;
        }
        last = tail >>> 24;
        lastWord = Math.imul(last, fourfold);
        const differing = tail ^ lastWord;
        if (differing !== 0) repeats = (Math.clz32(differing) >> 3) - 1;
        else repeats = short && head === lastWord ? unit - 1 : WORD - 1;
        const end = at + unit - repeats;
        at += leading;
        plain += end - at;
        for (; at < end; at++) {
          const byte = bytes[at] as number;
          literals[byte] = (literals[byte] as number) + 1;
        }
        at += repeats;
      }
    }
    this.#line = y;
    if (repeats > 0 && repeats < MIN_MATCH) {
      literals[last] = (literals[last] as number) + repeats;
      plain += repeats;
      repeats = 0;
    }
    if (repeats > 0) return addRepeats(tokens, count, plain, repeats);
    if (plain > 0) tokens[count++] = -plain;
    return count;
  }

  #pixelRuns(tokens: Tokens, lastLine: number): number {
    const { bytes, stride } = this.#lines;
    const view = this.#view;
    const literals = literalCounts;
    const most = tokens.length - stride;
    let y = this.#line;
    let count = 0;
    let plain = 0;
    for (; y < lastLine && count <= most; y++) {
      const end = (y + 1) * stride;
      for (let at = y * stride; at < end;) {
        const ofBytes = at < 1 ? 0 : equalLength(view, at, 1, end);
        const ofPixels = ofBytes >= LONG_RUN || at < BYTES_PER_PIXEL ? 0 : equalLength(view, at, BYTES_PER_PIXEL, end);
        const length = Math.max(ofBytes, ofPixels);
        if (length < MIN_MATCH) {
          const byte = bytes[at++] as number;
          literals[byte] = (literals[byte] as number) + 1;
          plain++;
        } else {
          if (plain > 0) tokens[count++] = -plain;
          plain = 0;
          count = addMatch(tokens, count, length, ofPixels > ofBytes ? BYTES_PER_PIXEL : 1);
          at += length;
        }
      }
    }
    this.#line = y;
    if (plain > 0) tokens[count++] = -plain;
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

/** The same for units of at most two words; the first word of the first unit is known to be alike. */
function shortAlikeLength(view: DataView, at: number, distance: number, unit: number, end: number): number {
  const tailAt = unit - WORD;
  let next = at;
  do {
    if (view.getInt32(next + tailAt, true) !== view.getInt32(next + tailAt - distance, true)) break;
    next += unit;
  } while (next < end && view.getInt32(next, true) === view.getInt32(next - distance, true));
  return next - at;
}

/** Number of bytes from `at` on that equal those `distance` before them. */
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

/** Literals, then the last of them so many times more: matches at distance 1. */
function addRepeats(tokens: Tokens, start: number, plain: number, repeats: number): number {
  let count = start;
  if (plain > 0) tokens[count++] = -plain;
  return addMatch(tokens, count, repeats, 1);
}
