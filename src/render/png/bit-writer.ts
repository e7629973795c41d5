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
import { type BlockCode, CODE_BITS_MASK, CODE_SHIFT } from './huffman.js';

/** Written beyond the end, and then again. */
const SLACK_BYTES = 8;
const MAX_KEPT_BYTES = 1 << 20;

export class BitWriter {
  #bytes = new Uint8Array(1 << 14);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  #bits = 0;
  #waiting = 0;

  /** Makes room for so many more. */
  reserve(bits: number): void {
    const needed = this.#length + (bits >> 3) + SLACK_BYTES;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#use(larger);
  }

  /** @param count at most 24 */
  put(value: number, count: number): void {
    const bits = this.#bits | (value << this.#waiting);
    const waiting = this.#waiting + count;
    this.#view.setInt32(this.#length, bits, true);
    this.#length += waiting >> 3;
    this.#bits = bits >>> (waiting & 0x18);
    this.#waiting = waiting & 7;
  }

  /**
   * All of a block but its header. Before a token no more than 7 bits wait: two literals of 12 make them 31, as do the code of a
   * distance, of 11, and its 13 extra bits; a length makes them 24.
   * @param at where in `bytes` the first literal is
   */
  putTokens(tokens: Tokens, count: number, bytes: Uint8Array, at: number, code: BlockCode): void {
    const view = this.#view;
    const [literals, distances] = [code.literals.codes, code.distances.codes];
    // Held here, since the loop would look them up in the module each time.
    const [lengthSymbols, lengthExtra] = [LENGTH_SYMBOL, LENGTH_EXTRA];
    const [lengthBits, distanceBits] = [LENGTH_EXTRA_BITS, DISTANCE_EXTRA_BITS];
    const [codeShift, codeMask, lengthShift, distanceMask] = [CODE_SHIFT, CODE_BITS_MASK, LENGTH_SHIFT, DISTANCE_MASK];
    let length = this.#length;
    let bits = this.#bits;
    let waiting = this.#waiting;
    let from = at;
    for (let index = 0; index < count; index++) {
      const token = tokens[index] as number;
      if (token < 0) {
        const end = from - token;
        for (; from < end - 1; from += 2) {
          const first = literals[bytes[from] as number] as number;
          const second = literals[bytes[from + 1] as number] as number;
          bits |= (first >> codeShift) << waiting;
          waiting += first & codeMask;
          bits |= (second >> codeShift) << waiting;
          waiting += second & codeMask;
          view.setInt32(length, bits, true);
          length += waiting >> 3;
          bits >>>= waiting & 0x18;
          waiting &= 7;
        }
        if (from === end) continue;
        const lone = literals[bytes[from++] as number] as number;
        bits |= (lone >> codeShift) << waiting;
        waiting += lone & codeMask;
      } else {
        const matched = token >>> lengthShift;
        from += matched;
        const symbol = lengthSymbols[matched] as number;
        const lengthCode = literals[symbol] as number;
        bits |= (lengthCode >> codeShift) << waiting;
        waiting += lengthCode & codeMask;
        bits |= (lengthExtra[matched] as number) << waiting;
        waiting += lengthBits[symbol] as number;
        view.setInt32(length, bits, true);
        length += waiting >> 3;
        bits >>>= waiting & 0x18;
        waiting &= 7;
        const distance = token & distanceMask;
        const place = distanceSymbol(distance);
        const placeCode = distances[place] as number;
        bits |= (placeCode >> codeShift) << waiting;
        waiting += placeCode & codeMask;
        const extraBits = distanceBits[place] as number;
        bits |= ((distance - 1) & ((1 << extraBits) - 1)) << waiting;
        waiting += extraBits;
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
    if (this.#bytes.length > MAX_KEPT_BYTES) this.#use(new Uint8Array(1 << 14));
    return taken;
  }

  #use(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}
