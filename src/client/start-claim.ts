/**
 * Selects the client that starts the daemon when many find it missing at once: a file beside the socket, created by one
 * of them. It only saves processes: the daemon's own lock guarantees that one daemon serves, so a claim that is taken
 * twice, or not at all, does no harm.
 */
import { closeSync, constants, lstatSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { errnoOf } from '../base/errno.js';

/** A claim whose owner is gone is stale at once. An older one's owner is stuck, or its pid has been reused. */
const MAX_CLAIM_AGE_MS = 10_000;

export class StartClaim {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Undefined if another client is starting the daemon right now. */
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
      // The place is not writable, which the daemon reports better, or is blocked permanently.
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
  // Security: another user's file is no claim, and a FIFO must not be opened.
  if (!stat.isFile() || stat.uid !== process.getuid?.()) return true;
  // Also from the future: the time of day was set back.
  return Math.abs(Date.now() - stat.mtimeMs) > MAX_CLAIM_AGE_MS || isLeftBehind(path);
}

function isLeftBehind(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    // Empty for an instant after its creation.
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
    // Gone already, or not ours to remove: in both cases the claim is not ours.
  }
}
