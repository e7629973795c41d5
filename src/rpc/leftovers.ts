/**
 * Files that a killed process left beside the socket: half-made locks, passing names of sockets, a client's turn to start
 * the daemon. Removed by the holder of the instance lock, when it begins and when it ends; each only once it is certain
 * that nobody is about to use it.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '../base/errno.js';
import { isLockOfDeadOwner } from './instance-lock.js';
import { identityOf } from './process-identity.js';

/** A passing name lives for microseconds; this outlasts a process that was held up in between. */
const MIN_SOCKET_AGE_MS = 1000;

/** A whole lock has some 500. */
const HEAD_BYTES = 4096;

const PASSING_NAME = /^\.t4a[0-9a-f]{4,16}$/;

export function removeLeftovers(socketPath: string): void {
  const directory = dirname(socketPath);
  for (const name of namesIn(directory)) {
    const path = join(directory, name);
    if (isLeftover(name, path, basename(socketPath))) remove(path);
  }
}

function isLeftover(name: string, path: string, socketName: string): boolean {
  if (PASSING_NAME.test(name)) return isOldSocket(path);
  const namesOwner = name === `${socketName}.start` || name.startsWith(`${socketName}.lock.`);
  return namesOwner && isOfDeadProcess(path);
}

function isOldSocket(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isSocket() === true && stat.uid === process.getuid?.() && Date.now() - stat.mtimeMs > MIN_SOCKET_AGE_MS;
}

/** An empty file has just been made and names no process yet. A whole lock has the machine and the start of its process, others its pid alone. */
function isOfDeadProcess(path: string): boolean {
  const { text, changedMs } = ownText(path);
  const pid = /^(?:\{"pid":)?(\d+)/.exec(text)?.[1];
  return isLockOfDeadOwner(text, changedMs) ?? (pid !== undefined && identityOf(Number(pid)) === undefined);
}

const NOTHING = { text: '', changedMs: 0 };

/** Beginning of a regular file of this user. */
function ownText(path: string): { readonly text: string; readonly changedMs: number } {
  let fd: number;
  try {
    // Non-blocking, so that a FIFO of that name cannot hold us up.
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ELOOP', 'ENXIO'].includes(errnoOf(error) ?? '')) return NOTHING;
    throw error;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.uid !== process.getuid?.()) return NOTHING;
    const head = Buffer.alloc(HEAD_BYTES);
    return { text: head.toString('utf8', 0, readSync(fd, head)), changedMs: stat.mtimeMs };
  } finally {
    closeSync(fd);
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    // A directory may be entered and written, and not be listed.
    return [];
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // ENOENT: its owner was quicker. EPERM: not ours.
  }
}
