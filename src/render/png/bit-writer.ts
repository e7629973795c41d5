/** Bits of deflate, the lowest first, into a buffer that is used again for every row. */
import {
  DISTANCE_EXTRA_BITS,
  distanceSymbol,
  END_OF_BLOCK,
  LENGTH_EXTRA,
  LENGTH_EXTRA_BITS,
  LENGTH_SYMBOL,
} from './huffman.js';
import { DISTANCE_MASK, LENGTH_SHIFT, type Tokens } from './matches.js';
import { CODE_BITS_MASK, CODE_SHIFT, type PrefixCode } from './huffman.js';

/** Written beyond the end, and then again. */
const SLACK_BYTES = 8;
const MAX_KEPT_BYTES = 1 << 20;

export class BitWriter {
  #bytes = new Uint8Array(1 << 14);
  #length = 0;
  #bits = 0;
  #waiting = 0;

  /** Makes room for so many more. */
  reserve(bits: number): void {
    const needed = this.#length + (bits >> 3) + SLACK_BYTES;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }

  /** @param count at most 24 */
  put(value: number, count: number): void {
    let bits = this.#bits | (value << this.#waiting);
    let waiting = this.#waiting + count;
    for (; waiting >= 8; waiting -= 8, bits >>>= 8) this.#bytes[this.#length++] = bits;
    this.#bits = bits;
    this.#waiting = waiting;
  }

  /** All of a block but its header. No more than 7 bits wait before a symbol: with 15 of it and 5 extra bits of a length they are 27. */
  putTokens(tokens: Tokens, count: number, { literals, distances }: PrefixCode): void {
    const view = new DataView(this.#bytes.buffer);
    let length = this.#length;
    let bits = this.#bits;
    let waiting = this.#waiting;
    for (let index = 0; index < count; index++) {
      const token = tokens[index] as number;
      const matched = token >>> LENGTH_SHIFT;
      if (matched === 0) {
        const code = literals[token] as number;
        bits |= (code >> CODE_SHIFT) << waiting;
        waiting += code & CODE_BITS_MASK;
      } else {
        const symbol = LENGTH_SYMBOL[matched] as number;
        const code = literals[symbol] as number;
        bits |= (code >> CODE_SHIFT) << waiting;
        waiting += code & CODE_BITS_MASK;
        bits |= (LENGTH_EXTRA[matched] as number) << waiting;
        waiting += LENGTH_EXTRA_BITS[symbol] as number;
        view.setInt32(length, bits, true);
        length += waiting >> 3;
        bits >>>= waiting & 0x18;
        waiting &= 7;
        const distance = token & DISTANCE_MASK;
        const place = distanceSymbol(distance);
        const placeCode = distances[place] as number;
        bits |= (placeCode >> CODE_SHIFT) << waiting;
        waiting += placeCode & CODE_BITS_MASK;
        const extraBits = DISTANCE_EXTRA_BITS[place] as number;
        if (extraBits > 0) {
          view.setInt32(length, bits, true);
          length += waiting >> 3;
          bits >>>= waiting & 0x18;
          waiting &= 7;
          bits |= ((distance - 1) & ((1 << extraBits) - 1)) << waiting;
          waiting += extraBits;
        }
      }
      view.setInt32(length, bits, true);
      length += waiting >> 3;
      bits >>>= waiting & 0x18;
      waiting &= 7;
    }
    this.#length = length;
    this.#bits = bits;
    this.#waiting = waiting;
    const end = literals[END_OF_BLOCK] as number;
    this.put(end >> CODE_SHIFT, end & CODE_BITS_MASK);
  }

  /** Goes on at a whole byte. */
  align(): void {
    if (this.#waiting > 0) this.put(0, 8 - this.#waiting);
  }

  /** A copy of what was written; begins anew. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    if (this.#bytes.length > MAX_KEPT_BYTES) this.#bytes = new Uint8Array(1 << 14);
    return taken;
  }
}
