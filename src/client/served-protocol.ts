/**
 * Which version of the protocol the daemon of a socket speaks, by the lock that it holds for as long as it serves. Read
 * once a connection is there, it is of whoever accepted that, or that one has ended and nothing more reaches it.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { lockPath } from '../protocol/socket-path.js';

/** A lock has some 100 bytes. */
const MAX_LOCK_BYTES = 1024;

/** Undefined where that is not known: the lock of an earlier version, none, or something else in its place. */
export function servedProtocol(socketPath: string): number | undefined {
  try {
    // Non-blocking, so that a FIFO of that name cannot hold us up.
    const file = openSync(lockPath(socketPath), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(MAX_LOCK_BYTES);
      const content: unknown = JSON.parse(bytes.toString('latin1', 0, readSync(file, bytes)));
      const { protocol } = (content ?? {}) as { readonly protocol?: unknown };
      return typeof protocol === 'number' ? protocol : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
