/** Adler-32 (RFC 1950), and the checksum of two byte strings joined, from theirs. */
const MODULUS = 65_521;

/** Longest run of bytes, in eights, whose sums stay within 31 bits: small integers to V8. */
const RUN = 2_592;

export function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let start = 0; start < bytes.length; start += RUN) {
    const end = Math.min(bytes.length, start + RUN);
    let index = start;
    // Eight at a time: the plain loop waits for one addition after the other.
    for (const last = end - 7; index < last; index += 8) {
      const b0 = bytes[index] as number;
      const b1 = bytes[index + 1] as number;
      const b2 = bytes[index + 2] as number;
      const b3 = bytes[index + 3] as number;
      const b4 = bytes[index + 4] as number;
      const b5 = bytes[index + 5] as number;
      const b6 = bytes[index + 6] as number;
      const b7 = bytes[index + 7] as number;
      b += 8 * (a + b0) + 7 * b1 + 6 * b2 + 5 * b3 + 4 * b4 + 3 * b5 + 2 * b6 + b7;
      a += b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7;
    }
    for (; index < end; index++) {
      a += bytes[index] as number;
      b += a;
    }
    a %= MODULUS;
    b %= MODULUS;
  }
  return b * 0x1_0000 + a;
}

/** The checksum of `first` followed by `second`, which is `secondLength` bytes long. */
export function combineAdler32(first: number, second: number, secondLength: number): number {
  const a1 = first % 0x1_0000;
  const b1 = Math.floor(first / 0x1_0000);
  const a2 = second % 0x1_0000;
  const b2 = Math.floor(second / 0x1_0000);
  const a = (a1 + a2 + MODULUS - 1) % MODULUS;
  const b = (b1 + b2 + (secondLength % MODULUS) * (a1 + MODULUS - 1)) % MODULUS;
  return b * 0x1_0000 + a;
}
