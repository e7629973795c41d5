/** CRC-32 of byte strings joined, from theirs: what follows multiplies what came before by x^(8 * length), modulo the polynomial. */

/** Bits reversed, as PNG has it: the highest is x^0. */
const POLYNOMIAL = 0xedb8_8320;
const ONE = 1 << 31;
const LENGTH_BITS = 32;

/** x^(8 * 2^n), by n. */
const POWERS = powers();

/** What {@link joinCrc32} needs to know of the second string's length. */
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

/** Of two polynomials, modulo the third. Without branches, which nobody could predict. */
function product(a: number, b: number): number {
  let result = 0;
  let factor = b | 0;
  for (let bit = a | 0; bit !== 0; bit <<= 1) {
    result ^= factor & (bit >> 31);
    factor = (factor >>> 1) ^ (POLYNOMIAL & -(factor & 1));
  }
  return result;
}
