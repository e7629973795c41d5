/**
 * Checksums of byte strings that are joined, computed from the checksums of the parts: CRC-32, where the second string multiplies
 * the first by x^(8 * length), modulo the polynomial; and Adler-32 (RFC 1950).
 */

/** Bits reversed, as PNG has it: the highest is x^0. */
const POLYNOMIAL = 0xedb8_8320;
const ONE = 1 << 31;
const LENGTH_BITS = 32;

/** x^(8 * 2^n), by n. */
const POWERS = powers();

/** Shift that {@link joinCrc32} needs to know of the second string's length. */
export function crcShift(length: number): number {
  let shift = ONE;
  for (let bit = 0, left = length; left > 0; bit++, left >>>= 1) {
    if ((left & 1) !== 0) shift = product(POWERS[bit] as number, shift);
  }
  return shift;
}

/** The checksum of one string followed by another. */
export function joinCrc32(first: number, second: number, secondShift: number): number {
  return (product(secondShift, first) ^ second) >>> 0;
}

function powers(): Int32Array {
  const all = new Int32Array(LENGTH_BITS);
  // x^8.
  let power = ONE >>> 8;
  for (let bit = 0; bit < LENGTH_BITS; bit++) {
    all[bit] = power;
    power = product(power, power);
  }
  return all;
}

/** Product of two polynomials, modulo the third. Without branches: the processor could not predict them. */
function product(a: number, b: number): number {
  let result = 0;
  let factor = b | 0;
  for (let bit = a | 0; bit !== 0; bit <<= 1) {
    result ^= factor & (bit >> 31);
    factor = (factor >>> 1) ^ (POLYNOMIAL & -(factor & 1));
  }
  return result;
}

const MODULUS = 65_521;
const NO_WORDS = new Int32Array(0);
/** Bytes that are summed one by one before the sums are cut down. */
const RUN = 4096;

/**
 * Words that are summed before the sums are taken apart, four in a step. Two bytes of each are summed in the halves of one number,
 * and so are the sums before each word: of 16 words those reach 120 * 255, in 16 bits.
 */
const GROUP = 16;
const HALF = 0xffff;
/** Words before the sums are cut down: 16 KB, whose sums stay below 2^40. */
const WORD_RUN = 256 * GROUP;

export function adler32(bytes: Uint8Array): number {
  // Held here, since the loop would look them up in the module each time.
  const lanes = 0x00ff_00ff;
  const group = GROUP;
  let a = 1;
  let b = 0;
  const aligned = bytes.byteOffset % 4 === 0;
  const words = aligned ? new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2) : NO_WORDS;
  const end = words.length - (words.length % group);
  let at = 0;
  while (at < end) {
    const runEnd = Math.min(end, at + WORD_RUN);
    for (; at < runEnd; at += group) {
      // Background, most of a picture, has index 0: it adds nothing to the first sum.
      if (isZero(words, at)) {
        b += 4 * group * a;
        continue;
      }
      let even = 0;
      let odd = 0;
      let evenBefore = 0;
      let oddBefore = 0;
      for (let next = at; next < at + group; next += 4) {
        const word0 = words[next] as number;
        const word1 = words[next + 1] as number;
        const word2 = words[next + 2] as number;
        const word3 = words[next + 3] as number;
        const even0 = word0 & lanes;
        const odd0 = (word0 >>> 8) & lanes;
        // Of two words, and of three. `| 0` spares the checks for numbers beyond 32 bits.
        const even01 = (even0 + (word1 & lanes)) | 0;
        const odd01 = (odd0 + ((word1 >>> 8) & lanes)) | 0;
        const even012 = (even01 + (word2 & lanes)) | 0;
        const odd012 = (odd01 + ((word2 >>> 8) & lanes)) | 0;
        evenBefore = (((evenBefore + (even << 2)) | 0) + ((even0 + even01) | 0) + even012) | 0;
        oddBefore = (((oddBefore + (odd << 2)) | 0) + ((odd0 + odd01) | 0) + odd012) | 0;
        even = (even + even012 + (word3 & lanes)) | 0;
        odd = (odd + odd012 + ((word3 >>> 8) & lanes)) | 0;
      }
      const b0 = even & HALF;
      const b1 = odd & HALF;
      const b2 = even >>> 16;
      const b3 = odd >>> 16;
      const before = (evenBefore & HALF) + (evenBefore >>> 16) + (oddBefore & HALF) + (oddBefore >>> 16);
      b += 4 * (group * a + before + b0) + 3 * b1 + 2 * b2 + b3;
      a += b0 + b1 + b2 + b3;
    }
    a %= MODULUS;
    b %= MODULUS;
  }
  for (let index = at * 4; index < bytes.length; index++) {
    a += bytes[index] as number;
    b += a;
    if (index % RUN !== 0) continue;
    a %= MODULUS;
    b %= MODULUS;
  }
  return (b % MODULUS) * 0x1_0000 + (a % MODULUS);
}

function isZero(words: Int32Array, at: number): boolean {
  for (let next = at; next < at + GROUP; next += 4) {
    const four =
      (words[next] as number) | (words[next + 1] as number) | (words[next + 2] as number) | (words[next + 3] as number);
    if (four !== 0) return false;
  }
  return true;
}

/** The checksum of `first` followed by `second`, which is `secondLength` bytes long. */
export function combineAdler32(first: number, second: number, secondLength: number): number {
  const a1 = first & HALF;
  const sum = a1 + (second & HALF) - 1;
  const a = sum < 0 ? MODULUS - 1 : sum >= MODULUS ? sum - MODULUS : sum;
  const b = ((first >>> 16) + (second >>> 16) + (secondLength % MODULUS) * (a1 + MODULUS - 1)) % MODULUS;
  return b * 0x1_0000 + a;
}
