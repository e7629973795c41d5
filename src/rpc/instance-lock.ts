/**
 * At most one daemon per socket: a file beside it that names its owner. Its owner may replace the socket.
 *
 * The file appears with its content (`link(2)` of a finished temporary file), so no reader sees half of it. The lock of a
 * dead owner is removed only by the holder of a second lock, named after the nonce in the first: without that a slow
 * process could remove the lock of the dead owner's successor. Everything between a check and the act on it is
 * synchronous. A process that is killed within these microseconds can leave a small file behind, never a wrong owner.
 *
 * Another machine's lock is held for as long as it is there, since nothing here can see its owner. Nor can the owner be seen from
 * another container; but there is one clock, and the owner renews the time of its lock.
 */
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lutimesSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { FEATURES } from '../protocol/features.js';
import { PROTOCOL_VERSION } from '../protocol/limits.js';
import type { T4aError } from '../protocol/errors.js';
import { foreignSocket, unusableSocketPath } from '../protocol/socket-path.js';
import { errnoOf } from '../base/errno.js';
import { randomHex } from './random-hex.js';
import { identityOf, isAlive, originOf, ownPidSpace, type PidSpace, type ProcessIdentity } from './process-identity.js';

interface Owner extends ProcessIdentity {
  readonly nonce: string;
  /** Undefined in the lock of an earlier version. */
  readonly space: PidSpace | undefined;
  readonly renewedMs: number;
}

/** Content of the file. */
interface LockContent extends ProcessIdentity, PidSpace {
  readonly nonce: string;
  /** Version of the protocol that its owner speaks, for clients. */
  readonly protocol: number;
  /** Features that requests may carry, for clients. */
  readonly features: readonly string[];
}

/** Another process is removing a dead lock right now: 200 attempts, 10 ms apart, outlast any process that is not stopped. */
const MAX_ATTEMPTS = 200;
const ATTEMPT_INTERVAL_MS = 10;

/** The owner renews the time of its lock at this interval at most. */
const RENEWAL_MS = 5000;

/** A container's lock that was not renewed for so long is a dead owner's: two renewals, and a slow machine. */
const MAX_UNRENEWED_MS = 15_000;

/** Locks upon locks of processes that died while removing the lock before. */
const MAX_DEPTH = 4;

export class InstanceLock {
  readonly #path: string;
  readonly nonce: string;
  /** The previous owner, if this lock replaced one: a process that died without releasing it. */
  readonly deadOwnerPid: number | undefined;
  #renewedMs = Date.now();

  constructor(path: string, nonce: string, deadOwnerPid?: number) {
    this.#path = path;
    this.nonce = nonce;
    this.deadOwnerPid = deadOwnerPid;
  }

  /** Undefined: a living process has it. @throws T4aError `socket_path`: a process of another machine or container has it */
  static async acquire(path: string): Promise<InstanceLock | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const result = tryAcquire(path, 0);
      if (result instanceof InstanceLock) return result;
      if (result !== 'changing') {
        if (result.elsewhere !== undefined) throw heldElsewhere(path, result);
        return undefined;
      }
      await delay(ATTEMPT_INTERVAL_MS);
    }
    return undefined;
  }

  /**
   * Makes the file anew if it was removed, or if its owner since then has died. To be called again and again, at least every
   * {@link RENEWAL_MS}.
   * @returns pid and place of the process that has it, in words, where it is another one
   */
  keep(): 'kept' | 'restored' | 'changing' | { readonly holder: string } {
    if (readOwner(this.#path)?.nonce === this.nonce) {
      this.#renew();
      return 'kept';
    }
    const result = tryAcquire(this.#path, 0, this.nonce);
    if (result instanceof InstanceLock) return 'restored';
    return result === 'changing' ? result : { holder: `pid ${result.pid}${result.elsewhere ?? ''}` };
  }

  #renew(): void {
    const now = Date.now();
    // A clock that was set back renews as well.
    if (Math.abs(now - this.#renewedMs) < RENEWAL_MS) return;
    this.#renewedMs = now;
    lutimesSync(this.#path, now / 1000, now / 1000);
  }

  /** The file names another process as the owner, in one step, with the same nonce: this lock is that one's. */
  handTo(pid: number): void {
    const temporary = writeTemporary(this.#path, this.nonce, pid);
    try {
      renameSync(temporary, this.#path);
    } finally {
      removeTemporary(temporary);
    }
  }

  /** Removes the file if it is still this lock's; no other process replaces it while its owner is alive. */
  release(): void {
    if (readOwner(this.#path)?.nonce === this.nonce) unlinkSync(this.#path);
  }
}

interface Holder {
  readonly pid: number;
  /** Undefined if it can be seen here; else the rest of a sentence. */
  readonly elsewhere: string | undefined;
}

/** A holder: a living process, or one that cannot be seen. `changing`: it was given up or is being removed; try again. */
function tryAcquire(path: string, depth: number, nonce = randomHex(8)): InstanceLock | Holder | 'changing' {
  const owner = readOwner(path);
  if (owner === undefined) return create(path, nonce) ?? 'changing';
  const holder = holderOf(owner);
  if (holder !== undefined) return holder;
  if (depth === MAX_DEPTH) throw unusableSocketPath(path, `${path} and the locks beside it belong to dead processes`);
  const removal = tryAcquire(`${path}.${owner.nonce}`, depth + 1);
  if (!(removal instanceof InstanceLock)) return 'changing';
  try {
    // Only the holder of `removal` removes a lock of this nonce, so it cannot change between the read and the unlink.
    if (readOwner(path)?.nonce === owner.nonce) unlinkSync(path);
  } finally {
    removal.release();
  }
  return create(path, nonce, owner.pid) ?? 'changing';
}

/** Undefined: it is no lock, or half of one. */
export function isLockOfDeadOwner(content: string, renewedMs: number): boolean | undefined {
  const owner = parseOwner(content, renewedMs);
  return owner && holderOf(owner) === undefined;
}

/** Undefined: it is dead. */
function holderOf(owner: Owner): Holder | undefined {
  const { pid, space } = owner;
  const origin = space === undefined ? 'here' : originOf(space);
  if (origin === 'machine') return { pid, elsewhere: ` of the machine ${JSON.stringify(space?.host)}` };
  if (origin === 'container') {
    const isRenewed = Math.abs(Date.now() - owner.renewedMs) < MAX_UNRENEWED_MS;
    return isRenewed ? { pid, elsewhere: ` of another container, ${JSON.stringify(space?.host)}` } : undefined;
  }
  return origin === 'here' && isAlive(owner) ? { pid, elsewhere: undefined } : undefined;
}

function heldElsewhere(path: string, { pid, elsewhere }: Holder): T4aError {
  const next = `set T4A_SOCKET to a path of this machine alone, such as one in /tmp, or remove ${JSON.stringify(path)} if that daemon has ended`;
  return unusableSocketPath(path, `the daemon with pid ${pid}${elsewhere} holds it: ${next}`);
}

function create(path: string, nonce: string, deadOwnerPid?: number): InstanceLock | undefined {
  const temporary = writeTemporary(path, nonce, process.pid);
  try {
    linkSync(temporary, path);
    return new InstanceLock(path, nonce, deadOwnerPid || undefined);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return undefined;
    throw error;
  } finally {
    removeTemporary(temporary);
  }
}

/** @returns the path of a lock that is in nobody's way yet */
function writeTemporary(path: string, nonce: string, pid: number): string {
  const owner = identityOf(pid) ?? { pid, started: null };
  const temporary = `${path}.${randomHex(8)}.tmp`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(temporary, flags, 0o600);
  try {
    const content: LockContent = { ...owner, ...ownPidSpace(), nonce, protocol: PROTOCOL_VERSION, features: FEATURES };
    const bytes = Buffer.from(`${JSON.stringify(content)}\n`);
    // A full disk, or a limit on the size of files, takes a part; the next part fails.
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
  } catch (error) {
    removeTemporary(temporary);
    throw error;
  } finally {
    closeSync(fd);
  }
  return temporary;
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
    if (stat.size === 0) {
      return { pid: 0, started: null, nonce: `empty-${stat.ino}`, space: undefined, renewedMs: stat.mtimeMs };
    }
    return parseOwner(readFileSync(fd, 'utf8'), stat.mtimeMs) ?? notALock(path);
  } finally {
    closeSync(fd);
  }
}

function parseOwner(content: string, renewedMs: number): Owner | undefined {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, started, nonce } = value as Record<string, unknown>;
  if (!Number.isSafeInteger(pid) || typeof nonce !== 'string' || !/^[0-9a-z-]{1,64}$/.test(nonce)) return undefined;
  const start = typeof started === 'string' ? started : null;
  return { pid: pid as number, started: start, nonce, space: parseSpace(value as Record<string, unknown>), renewedMs };
}

function parseSpace({ host, boot, pid_namespace: namespace }: Record<string, unknown>): PidSpace | undefined {
  if (typeof host !== 'string') return undefined;
  return {
    host,
    boot: typeof boot === 'string' ? boot : null,
    pid_namespace: typeof namespace === 'string' ? namespace : null,
  };
}

function notALock(path: string): never {
  throw unusableSocketPath(path, 'a file that is not a lock of t4a is in the place of the lock');
}
