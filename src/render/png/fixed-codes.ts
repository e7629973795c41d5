/**
 * The fixed Huffman codes of deflate (RFC 1951, 3.2.5 and 3.2.6), each as `number of bits << CODE_BITS_SHIFT | code`: bits
 * reversed as they are written, extra bits included.
 */

export const MIN_MATCH = 3;
export const MAX_MATCH = 258;
export const CODE_BITS_SHIFT = 24;
export const CODE_MASK = (1 << CODE_BITS_SHIFT) - 1;
/** All zeros. */
export const END_OF_BLOCK_BITS = 7;

const FIRST_LENGTH_SYMBOL = 257;
const DISTANCE_BITS = 5;

export interface FixedCodes {
  /** By byte. */
  readonly literals: Int32Array;
  /** By length of a match. */
  readonly lengths: Int32Array;
  /** By distance of a match. */
  readonly distances: Int32Array;
}

export function fixedCodes(maxDistance: number): FixedCodes {
  return {
    literals: Int32Array.from({ length: 256 }, (_, byte) => symbolCode(byte)),
    lengths: lengthCodes(),
    distances: Int32Array.from({ length: maxDistance + 1 }, (_, distance) =>
      distance === 0 ? 0 : distanceCode(distance),
    ),
  };
}

/** Four symbols to a number of extra bits, but eight without any, and the last symbol for the longest match alone. */
function lengthCodes(): Int32Array {
  const codes = new Int32Array(MAX_MATCH + 1);
  let length = MIN_MATCH;
  for (let symbol = FIRST_LENGTH_SYMBOL; length < MAX_MATCH; symbol++) {
    const extraBits = Math.max(0, ((symbol - FIRST_LENGTH_SYMBOL) >> 2) - 1);
    for (let extra = 0; extra < 1 << extraBits && length < MAX_MATCH; extra++, length++) {
      codes[length] = withExtra(symbolCode(symbol), extra, extraBits);
    }
  }
  codes[MAX_MATCH] = symbolCode(285);
  return codes;
}

/** Two symbols to a number of extra bits, but four without any. */
function distanceCode(distance: number): number {
  const last = distance - 1;
  const extraBits = Math.max(0, 30 - Math.clz32(last));
  const symbol = 2 * extraBits + (last >>> extraBits);
  return withExtra(coded(symbol, DISTANCE_BITS), last & ((1 << extraBits) - 1), extraBits);
}

function symbolCode(symbol: number): number {
  if (symbol < 144) return coded(0x30 + symbol, 8);
  if (symbol < 256) return coded(0x190 + symbol - 144, 9);
  return symbol < 280 ? coded(symbol - 256, 7) : coded(0xc0 + symbol - 280, 8);
}

function withExtra(code: number, extra: number, extraBits: number): number {
  const bits = code >>> CODE_BITS_SHIFT;
  return ((bits + extraBits) << CODE_BITS_SHIFT) | (extra << bits) | (code & CODE_MASK);
}

function coded(code: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed |= ((code >> bit) & 1) << (bits - 1 - bit);
  return (bits << CODE_BITS_SHIFT) | reversed;
}
