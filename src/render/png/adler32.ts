/** Adler-32 (RFC 1950), and the checksum of two byte strings joined, from theirs. */
const MODULUS = 65_521;
const NO_WORDS = new Int32Array(0);
/** Bytes that are summed one by one before the sums are cut down. */
const RUN = 4096;

/**
 * Words that are summed before the sums are taken apart. Two bytes of each are summed in the halves of one number, and so are the
 * sums before each word: of 16 words those reach 120 * 255, in 16 bits.
 */
const GROUP = 16;
const LANES = 0x00ff_00ff;
const HALF = 0xffff;
/** Groups before the sums are cut down: 16 KB, whose sums stay below 2^40. */
const MAX_GROUPS = 256;

export function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  const aligned = bytes.byteOffset % 4 === 0;
  const words = aligned ? new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2) : NO_WORDS;
  let at = 0;
  for (let groups = 0; at + GROUP <= words.length; groups++) {
    let even = 0;
    let odd = 0;
    let evenBefore = 0;
    let oddBefore = 0;
    for (const end = at + GROUP; at < end; at++) {
      const word = words[at] as number;
      evenBefore += even;
      oddBefore += odd;
      even += word & LANES;
      odd += (word >>> 8) & LANES;
    }
    const b0 = even & HALF;
    const b1 = odd & HALF;
    const b2 = even >>> 16;
    const b3 = odd >>> 16;
    const before = (evenBefore & HALF) + (evenBefore >>> 16) + (oddBefore & HALF) + (oddBefore >>> 16);
    b += 4 * (GROUP * a + before + b0) + 3 * b1 + 2 * b2 + b3;
    a += b0 + b1 + b2 + b3;
    if (groups % MAX_GROUPS !== 0) continue;
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

/** The checksum of `first` followed by `second`, which is `secondLength` bytes long. */
export function combineAdler32(first: number, second: number, secondLength: number): number {
  const a1 = first & HALF;
  const sum = a1 + (second & HALF) - 1;
  const a = sum < 0 ? MODULUS - 1 : sum >= MODULUS ? sum - MODULUS : sum;
  const b = ((first >>> 16) + (second >>> 16) + (secondLength % MODULUS) * (a1 + MODULUS - 1)) % MODULUS;
  return b * 0x1_0000 + a;
}
