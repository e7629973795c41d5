/** Which version of the protocol the daemon of a socket speaks, by its lock. */
import { daemonLock } from './daemon-lock.js';

/** Undefined where that is not known: the lock of an earlier version, none, or something else in its place. */
export function servedProtocol(socketPath: string, lock = daemonLock(socketPath)): number | undefined {
  const protocol = lock?.['protocol'];
  return typeof protocol === 'number' ? protocol : undefined;
}
