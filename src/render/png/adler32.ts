/** Adler-32 (RFC 1950), and the checksum of two byte strings joined, from theirs. */
const MODULUS = 65_521;

/** Longest run of bytes whose sums stay within 31 bits: small integers to V8. */
const RUN = 2_600;

export function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let start = 0; start < bytes.length; start += RUN) {
    const end = Math.min(bytes.length, start + RUN);
    for (let index = start; index < end; index++) {
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
