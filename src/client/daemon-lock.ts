/**
 * The content of the lock that a daemon holds while it serves a socket. Read once a connection exists, it belongs to
 * the daemon that accepted the connection, or that daemon has ended and reads nothing any more.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { lockPath } from '../protocol/socket-path.js';

/** The reader checks the fields. Undefined if there is no lock, or something else in its place. */
export type DaemonLock = Readonly<Record<string, unknown>> | undefined;

/** A lock has some 100 bytes. */
const MAX_LOCK_BYTES = 1024;

export function daemonLock(socketPath: string): DaemonLock {
  // The address of a route, which has no file.
  if (!socketPath.startsWith('/')) return undefined;
  try {
    // Non-blocking, so that a FIFO of that name cannot block.
    const file = openSync(lockPath(socketPath), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(MAX_LOCK_BYTES);
      const content: unknown = JSON.parse(bytes.toString('latin1', 0, readSync(file, bytes)));
      return typeof content === 'object' && content !== null ? (content as Record<string, unknown>) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Version of the protocol that the daemon of a socket speaks; undefined if unknown: an earlier version's lock, none, or something else in its place. */
export function servedProtocol(socketPath: string, lock = daemonLock(socketPath)): number | undefined {
  const protocol = lock?.['protocol'];
  return typeof protocol === 'number' ? protocol : undefined;
}
