/**
 * Lines of streams as bytes. An event goes to all of its subscribers, one after another: it is encoded for the first of them. Only the
 * last ones are kept, since those who read slowly are few.
 */
import { encodeLine } from '../protocol/framing.js';
import type { RequestId } from '../protocol/request.js';

/** A burst of events, which each subscriber takes as a whole. */
const KEPT_LINES = 64;
/** A longer one is encoded again: 1 MiB is kept in all. */
const MAX_KEPT_BYTES = 16 * 1024;

/** Lines by the values, which do not change. */
const kept = new Map<object, Uint8Array>();

export function streamLine(line: object, req: RequestId | undefined): Uint8Array {
  const bytes = encodedOnce(line);
  if (req === undefined) return bytes;
  const head = Buffer.from(`{"req":${JSON.stringify(req)}${bytes.length > EMPTY_LENGTH ? ',' : ''}`);
  return Buffer.concat([head, bytes.subarray(1)]);
}

/** `{}` and a line feed. */
const EMPTY_LENGTH = 3;

function encodedOnce(line: object): Uint8Array {
  const before = kept.get(line);
  if (before !== undefined) return before;
  const bytes = encodeLine(line);
  if (bytes.length > MAX_KEPT_BYTES) return bytes;
  kept.set(line, bytes);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT_LINES) break;
    kept.delete(oldest);
  }
  return bytes;
}
