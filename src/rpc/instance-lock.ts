/**
 * At most one daemon per socket: a file beside it that names its owner. Its owner may replace the socket.
 *
 * The file appears with its content (`link(2)` of a finished temporary file), so no reader sees half of it. The lock of a
 * dead owner is removed only by the holder of a second lock, named after the nonce in the first: without that a slow
 * process could remove the lock of the dead owner's successor. Everything between a check and the act on it is
 * synchronous. A process that is killed within these microseconds can leave a small file behind, never a wrong owner.
 */
import { closeSync, constants, fstatSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { FEATURES } from '../protocol/features.js';
import { PROTOCOL_VERSION } from '../protocol/limits.js';
import { foreignSocket, unusableSocketPath } from '../protocol/socket-path.js';
import { errnoOf } from '../base/errno.js';
import { randomHex } from './random-hex.js';
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.js';

interface Owner extends ProcessIdentity {
  readonly nonce: string;
}

/** What stands in the file. */
interface LockContent extends Owner {
  /** For clients: which version of the protocol its owner speaks. */
  readonly protocol: number;
  /** For clients: what requests may carry. */
  readonly features: readonly string[];
}

/** Another process is removing a dead lock right now: 200 attempts, 10 ms apart, outlast any process that is not stopped. */
const MAX_ATTEMPTS = 200;
const ATTEMPT_INTERVAL_MS = 10;

/** Locks upon locks of processes that died while removing the lock before. */
const MAX_DEPTH = 4;

export class InstanceLock {
  readonly #path: string;
  readonly nonce: string;
  /** The previous owner, if this lock replaced one: a process that died without releasing it. */
  readonly deadOwnerPid: number | undefined;

  constructor(path: string, nonce: string, deadOwnerPid?: number) {
    this.#path = path;
    this.nonce = nonce;
    this.deadOwnerPid = deadOwnerPid;
  }

  /** Undefined: a living process has it. */
  static async acquire(path: string): Promise<InstanceLock | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const result = tryAcquire(path, 0);
      if (result instanceof InstanceLock) return result;
      if (result === 'held') return undefined;
      await delay(ATTEMPT_INTERVAL_MS);
    }
    return undefined;
  }

  /** Removes the file if it is still this lock's; no other process replaces it while its owner is alive. */
  release(): void {
    if (readOwner(this.#path)?.nonce === this.nonce) unlinkSync(this.#path);
  }
}

/** `held`: by a living process. `changing`: it was given up or is being removed; try again. */
function tryAcquire(path: string, depth: number): InstanceLock | 'held' | 'changing' {
  const owner = readOwner(path);
  if (owner === undefined) return create(path) ?? 'changing';
  if (isAlive(owner)) return 'held';
  if (depth === MAX_DEPTH) throw unusableSocketPath(path, `${path} and the locks beside it belong to dead processes`);
  const removal = tryAcquire(`${path}.${owner.nonce}`, depth + 1);
  if (!(removal instanceof InstanceLock)) return 'changing';
  try {
    // Only the holder of `removal` removes a lock of this nonce, so it cannot change between the read and the unlink.
    if (readOwner(path)?.nonce === owner.nonce) unlinkSync(path);
  } finally {
    removal.release();
  }
  return create(path, owner.pid) ?? 'changing';
}

function create(path: string, deadOwnerPid?: number): InstanceLock | undefined {
  const nonce = randomHex(8);
  const self = identityOf(process.pid) ?? { pid: process.pid, started: null };
  const temporary = `${path}.${nonce}.tmp`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(temporary, flags, 0o600);
  try {
    const content: LockContent = { ...self, nonce, protocol: PROTOCOL_VERSION, features: FEATURES };
    writeSync(fd, `${JSON.stringify(content)}\n`);
    linkSync(temporary, path);
    return new InstanceLock(path, nonce, deadOwnerPid || undefined);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return undefined;
    throw error;
  } finally {
    closeSync(fd);
    removeTemporary(temporary);
  }
}

/** `rmSync` would load Node's removal of directories: a millisecond of the daemon's start. */
function removeTemporary(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

function readOwner(path: string): Owner | undefined {
  let fd: number;
  try {
    // Non-blocking, so that a FIFO of that name cannot hold us up.
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    if (errnoOf(error) === 'ELOOP') throw unusableSocketPath(path, 'a symbolic link is in the place of the lock');
    throw error;
  }
  try {
    const stat = fstatSync(fd);
    if (stat.uid !== process.getuid?.()) throw foreignSocket(path, stat.uid);
    if (!stat.isFile()) throw unusableSocketPath(path, 'the lock is not a regular file');
    // A file system that lost power can leave a file without its content. Its inode stands for the nonce.
    if (stat.size === 0) return { pid: 0, started: null, nonce: `empty-${stat.ino}` };
    return parseOwner(readFileSync(fd, 'utf8')) ?? notALock(path);
  } finally {
    closeSync(fd);
  }
}

function parseOwner(content: string): Owner | undefined {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, started, nonce } = value as Record<string, unknown>;
  if (!Number.isSafeInteger(pid) || typeof nonce !== 'string' || !/^[0-9a-z-]{1,64}$/.test(nonce)) return undefined;
  return { pid: pid as number, started: typeof started === 'string' ? started : null, nonce };
}

function notALock(path: string): never {
  throw unusableSocketPath(path, 'a file that is not a lock of t4a is in the place of the lock');
}
