/**
 * HMAC with SHA-256, FIPS 180-4 and RFC 2104. The browser's own is there in secure contexts only, and plain HTTP beyond
 * the machine is none.
 */

const BLOCK = 64;

export function hmac(key: string, message: string): string {
  const given = new TextEncoder().encode(key);
  const block = new Uint8Array(BLOCK);
  block.set(given.length > BLOCK ? sha256(given) : given);
  const inner = joined(
    block.map((byte) => byte ^ 0x36),
    new TextEncoder().encode(message),
  );
  const outer = joined(
    block.map((byte) => byte ^ 0x5c),
    sha256(inner),
  );
  return Array.from(sha256(outer), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** First 32 bits of the fractional parts of roots of the first primes. */
const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter(
  (n) => n > 1 && !Array.from({ length: n }, (_, d) => d).some((d) => d > 1 && n % d === 0),
);
const ROUND_WORDS = PRIMES.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

function fraction(value: number): number {
  return ((value - Math.floor(value)) * 2 ** 32) | 0;
}

function sha256(message: Uint8Array): Uint8Array {
  const length = Math.ceil((message.length + 9) / BLOCK) * BLOCK;
  const padded = new DataView(new ArrayBuffer(length));
  message.forEach((byte, i) => padded.setUint8(i, byte));
  padded.setUint8(message.length, 0x80);
  padded.setUint32(length - 4, message.length * 8);
  let state = START;
  for (let at = 0; at < length; at += BLOCK) state = round(state, padded, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setInt32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

function round(state: readonly number[], block: DataView, at: number): number[] {
  const words: number[] = [];
  for (let i = 0; i < 64; i++) words.push(i < 16 ? block.getInt32(at + 4 * i) : expanded(words, i));
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const sum1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + sum1 + ((e & f) ^ (~e & g)) + (ROUND_WORDS[i] ?? 0) + (words[i] ?? 0)) | 0;
    const sum0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + (state[i] ?? 0)) | 0);
}

function expanded(words: readonly number[], i: number): number {
  const w15 = words[i - 15] ?? 0;
  const w2 = words[i - 2] ?? 0;
  const s0 = turned(w15, 7) ^ turned(w15, 18) ^ (w15 >>> 3);
  const s1 = turned(w2, 17) ^ turned(w2, 19) ^ (w2 >>> 10);
  return ((words[i - 16] ?? 0) + s0 + (words[i - 7] ?? 0) + s1) | 0;
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
