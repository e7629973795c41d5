/**
 * A picture into the file that a person has named. A screen may hold secrets, so in a directory that all users write to, such
 * as /tmp, others neither read the file nor choose where it goes: what Linux sees to with fs.protected_symlinks and
 * fs.protected_regular, where they are set. Everywhere else the umask decides, as with any program.
 */
import {
  accessSync,
  closeSync,
  existsSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readlinkSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '../../base/errno.js';
import { T4aError, quote } from '../../protocol/errors.js';
import type { Host } from '../host.js';
import { writeWholeFile } from './whole-file.js';

/** Sticky, and writable for all users. */
const SHARED = 0o1002;

/** As many as Linux follows. */
const MAX_LINKS = 40;

/** Links there are open files of this process, whatever the path that they show. */
const OPEN_FILES = /^\/(?:proc|dev\/fd)\//;

/** Whether it looks as if the file could be written, before anything is done. @throws T4aError `usage` with the system's reason */
export function checkOutput(path: string): void {
  try {
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) throw unwritable(path, 'EISDIR');
  } catch (error) {
    if (error instanceof T4aError) throw error;
    throw unwritable(path, (error as NodeJS.ErrnoException).code ?? String(error));
  }
}

/** On a terminal a picture is no text. @throws T4aError `usage` */
export function printPicture(bytes: Uint8Array, host: Host): void {
  if (!host.stdoutIsTerminal) return host.out(bytes);
  throw new T4aError('usage', 'A picture is no text for a terminal.', { hint: 'Name a file with --output.' });
}

/**
 * Whole or not at all; a device, a FIFO, and a file in a directory in which no other can be made get their bytes one after the other.
 * @throws T4aError `usage` with the system's reason
 */
export function writePicture(path: string, bytes: Uint8Array | readonly Uint8Array[]): void {
  const chunks = bytes instanceof Uint8Array ? [bytes] : bytes;
  try {
    const target = endOfLinks(path);
    const shared = sharedDirectory(target);
    const stat = OPEN_FILES.test(target) ? statSync(path) : statSync(target, { throwIfNoEntry: false });
    if (stat !== undefined && shared !== undefined) checkOwner(target, stat, shared);
    if (stat?.isFile() === false || OPEN_FILES.test(target)) return writeInPlace(path, target, shared, chunks);
    // What may not be written to is not replaced either.
    if (stat !== undefined) accessSync(target, constants.W_OK);
    try {
      writeWholeFile(target, chunks, { created: shared === undefined ? 0o666 : 0o600, kept: stat?.mode });
    } catch (error) {
      if (stat === undefined || !CLOSED_DIRECTORY.has(errnoOf(error) ?? '')) throw error;
      writeInPlace(path, target, shared, chunks);
    }
  } catch (error) {
    if (error instanceof T4aError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw unwritable(path, code ?? String(error));
  }
}

/** A file there may be written, but not replaced: a directory of another user, a single mounted file. */
const CLOSED_DIRECTORY: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY']);

function writeInPlace(path: string, target: string, shared: Stats | undefined, chunks: readonly Uint8Array[]): void {
  const file = openOutput(path, target, shared);
  try {
    for (const chunk of chunks) writeFileSync(file, chunk);
  } finally {
    closeSync(file);
  }
}

function openOutput(path: string, target: string, shared: Stats | undefined): number {
  if (shared === undefined) return openSync(path, 'w');
  const file = openSync(target, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    // Another user may have made it since the look.
    const stat = fstatSync(file);
    checkOwner(target, stat, shared);
    if (stat.isFile()) ftruncateSync(file);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function endOfLinks(path: string): string {
  let at = path;
  for (let links = 0; !OPEN_FILES.test(at); links++) {
    const stat = lstatSync(at, { throwIfNoEntry: false });
    const shared = sharedDirectory(at);
    if (stat !== undefined && shared !== undefined) checkOwner(at, stat, shared);
    if (stat?.isSymbolicLink() !== true) return at;
    if (links === MAX_LINKS) throw Object.assign(new Error(`more than ${MAX_LINKS} links`), { code: 'ELOOP' });
    const link = readlinkSync(at);
    at = link.startsWith('/') ? link : `${dirname(at)}/${link}`;
  }
  return at;
}

function sharedDirectory(path: string): Stats | undefined {
  const stat = statSync(dirname(path), { throwIfNoEntry: false });
  return stat !== undefined && (stat.mode & SHARED) === SHARED ? stat : undefined;
}

/** The owner of the directory could do as they like there anyway. */
function checkOwner(path: string, { uid }: Stats, directory: Stats): void {
  if (uid === process.getuid?.() || uid === directory.uid) return;
  throw unwritable(path, `what is there belongs to another user, uid ${uid}`);
}

function unwritable(path: string, reason: string): T4aError {
  return new T4aError('usage', `${quote(path)} cannot be written (${reason}).`, {
    hint: 'Name another file with --output, or "-" for standard output.',
  });
}
