/** The two codes of one block of deflate: of literals and lengths, and of distances. */
import { DISTANCE_SYMBOLS, FIXED_DISTANCE_BITS, FIXED_LITERAL_BITS, LITERAL_SYMBOLS } from './deflate-symbols.js';
import { canonicalCodes } from './huffman.js';

/** By symbol: how many bits, and `code << CODE_SHIFT | bits`, the code's bits in the order in which they are written. */
export interface PrefixCode {
  readonly literalBits: Uint8Array;
  readonly literals: Int32Array;
  readonly distanceBits: Uint8Array;
  readonly distances: Int32Array;
}

export function newCode(): PrefixCode {
  return codeOf(new Uint8Array(LITERAL_SYMBOLS), new Uint8Array(DISTANCE_SYMBOLS));
}

export function fixedCode(): PrefixCode {
  const code = codeOf(FIXED_LITERAL_BITS, FIXED_DISTANCE_BITS);
  assignCodes(code);
  return code;
}

/** Works out the codes from how many bits each has. */
export function assignCodes({ literalBits, literals, distanceBits, distances }: PrefixCode): void {
  canonicalCodes(literalBits, literals);
  canonicalCodes(distanceBits, distances);
}

function codeOf(literalBits: Uint8Array, distanceBits: Uint8Array): PrefixCode {
  return {
    literalBits,
    literals: new Int32Array(literalBits.length),
    distanceBits,
    distances: new Int32Array(distanceBits.length),
  };
}
