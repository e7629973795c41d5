/**
 * Who starts the daemon, when many clients find it missing at once: a file beside the socket, made by one of them. It only
 * spares processes: that no more than one daemon serves is the daemon's own lock's business, so a claim that is taken
 * twice, or not at all, does no harm.
 */
import { closeSync, constants, lstatSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { errnoOf } from '../base/errno.js';

/** A claim whose owner is gone is stale at once. An older one's owner is stuck, or its pid is another process's by now. */
const MAX_CLAIM_AGE_MS = 10_000;

export class StartClaim {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Undefined: another client is starting the daemon right now. */
  static take(socketPath: string): StartClaim | undefined {
    const path = `${socketPath}.start`;
    if (isStale(path)) remove(path);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    try {
      const fd = openSync(path, flags, 0o600);
      writeSync(fd, String(process.pid));
      closeSync(fd);
    } catch (error) {
      if (errnoOf(error) === 'EEXIST' && !isStale(path)) return undefined;
      // The place cannot be written, which the daemon will say better, or is in the way for good.
    }
    return new StartClaim(path);
  }

  /** Whether a client is starting the daemon right now. */
  static isTaken(socketPath: string): boolean {
    const path = `${socketPath}.start`;
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined && !isStale(path);
  }

  release(): void {
    remove(this.#path);
  }
}

function isStale(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  // Security: what another user has put there is nobody's claim, and a FIFO is not to be opened.
  if (!stat.isFile() || stat.uid !== process.getuid?.()) return true;
  // Also from the future: the time of day was set back.
  return Math.abs(Date.now() - stat.mtimeMs) > MAX_CLAIM_AGE_MS || isLeftBehind(path);
}

function isLeftBehind(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    // Empty for an instant after it was made.
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return errnoOf(error) === 'ESRCH';
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already, or not ours to remove: either way the claim is not ours.
  }
}
