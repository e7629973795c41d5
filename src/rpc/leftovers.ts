/**
 * Files that a killed process left beside the socket: half-made locks, passing names of sockets, a client's turn to start
 * the daemon. Removed by the holder of the instance lock, when it begins and when it ends; each only once it is certain
 * that nobody is about to use it.
 */
import { lstatSync, readFileSync, readdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '../base/errno.js';
import { identityOf } from './process-identity.js';

/** A passing name lives for microseconds; this outlasts a process that was held up meanwhile. */
const MIN_SOCKET_AGE_MS = 1000;

const PASSING_NAME = /^\.t4a[0-9a-f]{4}$/;

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

/** What is empty has just been made, and names nobody yet. */
function isOfDeadProcess(path: string): boolean {
  try {
    if (!lstatSync(path).isFile()) return false;
    const pid = /^(?:\{"pid":)?(\d+)/.exec(readFileSync(path, 'utf8'))?.[1];
    return pid !== undefined && identityOf(Number(pid)) === undefined;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ELOOP'].includes(errnoOf(error) ?? '')) return false;
    throw error;
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
