/** How a block describes its own codes: the bits of each symbol, run by run, under a code of their own (RFC 1951, 3.2.7). */
import type { BitWriter } from './bit-writer.js';
import { DISTANCE_SYMBOLS, LITERAL_SYMBOLS } from './huffman.js';
import { canonicalCodes, CODE_SHIFT, codeBits, type PrefixCode } from './huffman.js';

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
/** What follows a symbol in `#items`. */
const EXTRA_SHIFT = 5;

export class CodeHeader {
  readonly #lengths = new Uint8Array(LITERAL_SYMBOLS + DISTANCE_SYMBOLS);
  readonly #items = new Uint16Array(LITERAL_SYMBOLS + DISTANCE_SYMBOLS);
  readonly #counts = new Int32Array(SYMBOLS);
  readonly #bits = new Uint8Array(SYMBOLS);
  readonly #codes = new Int32Array(SYMBOLS);
  #itemCount = 0;
  #literals = 0;
  #distances = 0;
  #told = 0;

  /** Works out what {@link write} will write, and how many bits that takes. */
  describe({ literalBits, distanceBits }: PrefixCode): number {
    this.#literals = usedLength(literalBits, FEWEST_LITERALS);
    this.#distances = usedLength(distanceBits, 1);
    this.#lengths.set(literalBits.subarray(0, this.#literals));
    this.#lengths.set(distanceBits.subarray(0, this.#distances), this.#literals);
    this.#runs(this.#literals + this.#distances);
    codeBits(this.#counts, MOST_BITS, this.#bits);
    this.#told = SYMBOLS;
    while (this.#told > FEWEST_LENGTHS && this.#bits[ORDER[this.#told - 1] as number] === 0) this.#told--;
    let bits = 14 + 3 * this.#told;
    for (let symbol = 0; symbol < SYMBOLS; symbol++) {
      bits += (this.#counts[symbol] as number) * ((this.#bits[symbol] as number) + (EXTRA_BITS[symbol] as number));
    }
    return bits;
  }

  write(writer: BitWriter): void {
    canonicalCodes(this.#bits, this.#codes);
    writer.put(this.#literals - FEWEST_LITERALS, 5);
    writer.put(this.#distances - 1, 5);
    writer.put(this.#told - FEWEST_LENGTHS, 4);
    for (let index = 0; index < this.#told; index++) writer.put(this.#bits[ORDER[index] as number] as number, 3);
    for (let index = 0; index < this.#itemCount; index++) {
      const item = this.#items[index] as number;
      const symbol = item & ((1 << EXTRA_SHIFT) - 1);
      const bits = this.#bits[symbol] as number;
      const code = (this.#codes[symbol] as number) >> CODE_SHIFT;
      writer.put(code | ((item >> EXTRA_SHIFT) << bits), bits + (EXTRA_BITS[symbol] as number));
    }
  }

  #runs(count: number): void {
    const lengths = this.#lengths;
    this.#counts.fill(0);
    this.#itemCount = 0;
    for (let at = 0; at < count;) {
      const length = lengths[at] as number;
      let end = at + 1;
      while (end < count && lengths[end] === length) end++;
      let left = end - at;
      at = end;
      if (length === 0) {
        for (; left >= 11; left -= Math.min(left, 138)) this.#add(MANY_ZEROS, Math.min(left, 138) - 11);
        if (left >= 3) {
          this.#add(ZEROS, left - 3);
          left = 0;
        }
      } else {
        this.#add(length, 0);
        for (left--; left >= 3; left -= Math.min(left, 6)) this.#add(REPEAT, Math.min(left, 6) - 3);
      }
      for (; left > 0; left--) this.#add(length, 0);
    }
  }

  #add(symbol: number, extra: number): void {
    this.#items[this.#itemCount++] = symbol | (extra << EXTRA_SHIFT);
    this.#counts[symbol] = (this.#counts[symbol] as number) + 1;
  }
}

function usedLength(bits: Uint8Array, fewest: number): number {
  let length = bits.length;
  while (length > fewest && bits[length - 1] === 0) length--;
  return length;
}
