/** One write in the queue, and what of it must still be written when the rest is given up. */
import type { Abandonable } from './writer.js';

export interface PendingWrite {
  bytes: Uint8Array;
  written: number;
  /** Undefined: an interrupt waits for it. */
  abandonable: Abandonable | undefined;
  /** Undefined once its caller has been answered. */
  settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
}

/**
 * Nothing of what was not begun. Else the rest of what opens a bracket, the rest of a character that was cut, and what
 * closes the bracket: a program must be left neither inside of a paste nor in the middle of a character.
 */
export function restToKeep({ bytes, written, abandonable, settle }: PendingWrite): Uint8Array {
  // What was cut short before is already nothing but the rest.
  if (settle === undefined) return bytes.subarray(written);
  if (written === 0) return bytes.subarray(0, 0);
  const { openBytes, closeBytes } = abandonable ?? { openBytes: 0, closeBytes: 0 };
  const closeAt = bytes.length - closeBytes;
  if (written >= closeAt) return bytes.subarray(written);
  let end = Math.max(written, openBytes);
  if (end === written) while (end < closeAt && isContinuation(bytes[end])) end++;
  return Buffer.concat([bytes.subarray(written, end), bytes.subarray(closeAt)]);
}

/** The second and later bytes of a character in UTF-8. */
function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
