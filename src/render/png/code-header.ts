/** Description of a block's own codes: the bits of each symbol, run by run, under a code of their own (RFC 1951, 3.2.7). */
import type { BitWriter } from './bit-writer.js';
import { type BlockCode, CODE_SHIFT, DISTANCE_SYMBOLS, LITERAL_SYMBOLS, PrefixCode } from './huffman.js';

/** Symbols beyond the lengths 0 to 15: the last length again, zeros, many zeros. */
const REPEAT = 16;
const ZEROS = 17;
const MANY_ZEROS = 18;
const SYMBOLS = 19;
const EXTRA_BITS = Uint8Array.from({ length: SYMBOLS }, (_, symbol) => [2, 3, 7][symbol - REPEAT] ?? 0);
/** The order in which the lengths of this code's own codes are written: the least used ones are last. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const;
const MOST_BITS = 7;
const FEWEST_LITERALS = 257;
const FEWEST_LENGTHS = 4;
/** Place of what follows a symbol in `#items`. */
const EXTRA_SHIFT = 5;

export class CodeHeader {
  readonly #items = new Uint16Array(LITERAL_SYMBOLS + DISTANCE_SYMBOLS);
  readonly #counts = new Int32Array(SYMBOLS);
  readonly #code = new PrefixCode(SYMBOLS);
  #itemCount = 0;
  #literals = 0;
  #distances = 0;
  #told = 0;

  /** Works out what {@link write} will write, and how many bits that takes. */
  describe({ literals, distances }: BlockCode): number {
    this.#literals = Math.max(FEWEST_LITERALS, lengthOf(literals));
    this.#distances = Math.max(1, lengthOf(distances));
    this.#counts.fill(0);
    this.#itemCount = 0;
    this.#describe(literals, distances);
    const code = this.#code;
    code.fit(this.#counts, MOST_BITS);
    this.#told = SYMBOLS;
    while (this.#told > FEWEST_LENGTHS && code.bits[ORDER[this.#told - 1] as number] === 0) this.#told--;
    return 14 + 3 * this.#told + code.total(this.#counts, code.bits) + code.total(this.#counts, EXTRA_BITS);
  }

  write(writer: BitWriter): void {
    const { bits, codes } = this.#code;
    this.#code.assign();
    writer.put(this.#literals - FEWEST_LITERALS, 5);
    writer.put(this.#distances - 1, 5);
    writer.put(this.#told - FEWEST_LENGTHS, 4);
    for (let index = 0; index < this.#told; index++) writer.put(bits[ORDER[index] as number] as number, 3);
    for (let index = 0; index < this.#itemCount; index++) {
      const item = this.#items[index] as number;
      const symbol = item & ((1 << EXTRA_SHIFT) - 1);
      const length = bits[symbol] as number;
      const code = (codes[symbol] as number) >> CODE_SHIFT;
      writer.put(code | ((item >> EXTRA_SHIFT) << length), length + (EXTRA_BITS[symbol] as number));
    }
  }

  /** Runs of equal lengths go on from the literals to the distances. */
  #describe(literals: PrefixCode, distances: PrefixCode): void {
    const ofLiterals = literals.count;
    const all = ofLiterals + distances.count;
    /** The place after the last symbol that occurs; its length, and how often that came. */
    let end = 0;
    let last = 0;
    let times = 0;
    for (let index = 0; index < all; index++) {
      const isLiteral = index < ofLiterals;
      const symbol = (isLiteral ? literals.used[index] : distances.used[index - ofLiterals]) as number;
      const length = (isLiteral ? literals.bits[symbol] : distances.bits[symbol]) as number;
      const place = isLiteral ? symbol : this.#literals + symbol;
      if (place === end && length === last) times++;
      else {
        this.#add(last, times);
        if (place > end) this.#addZeros(place - end);
        last = length;
        times = 1;
      }
      end = place + 1;
    }
    this.#add(last, times);
    this.#addZeros(this.#literals + this.#distances - end);
  }

  #add(length: number, times: number): void {
    if (times === 0) return;
    this.#addItem(length, 0);
    let left = times - 1;
    for (; left >= 3; left -= Math.min(left, 6)) this.#addItem(REPEAT, Math.min(left, 6) - 3);
    for (; left > 0; left--) this.#addItem(length, 0);
  }

  #addZeros(times: number): void {
    let left = times;
    for (; left >= 11; left -= Math.min(left, 138)) this.#addItem(MANY_ZEROS, Math.min(left, 138) - 11);
    if (left >= 3) this.#addItem(ZEROS, left - 3);
    else for (; left > 0; left--) this.#addItem(0, 0);
  }

  #addItem(symbol: number, extra: number): void {
    this.#items[this.#itemCount++] = symbol | (extra << EXTRA_SHIFT);
    this.#counts[symbol] = (this.#counts[symbol] as number) + 1;
  }
}

/** Number of lengths that are written, up to that of the last symbol that occurs. */
function lengthOf({ count, used }: PrefixCode): number {
  return count === 0 ? 0 : (used[count - 1] as number) + 1;
}
