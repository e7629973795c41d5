/** Secrets of links and keys, and the proofs that both sides have one. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** 128 bits. */
const SECRET_BYTES = 16;

export function randomText(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

export function proofOf(key: string, words: string): string {
  return createHmac('sha256', key).update(words).digest('hex');
}

export function isEqual(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
