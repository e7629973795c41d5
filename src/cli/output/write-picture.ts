/**
 * A picture into the file that a person has named. A screen may hold secrets, so in a directory that all users write to, such
 * as /tmp, others neither read the file nor choose where it goes: what Linux sees to with fs.protected_symlinks and
 * fs.protected_regular, where they are set. Everywhere else the umask decides, as with any program.
 */
import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '../../base/errno.js';
import { T4aError, quote } from '../../protocol/errors.js';
import type { Files, FileStat, OpenFile } from '../files.js';
import type { Host } from '../host.js';
import { writeWholeFile } from './whole-file.js';

/** Sticky, and writable for all users. */
const SHARED = 0o1002;

/** Most links to follow, as many as Linux does. */
const MAX_LINKS = 40;

/** Links there are open files of this process, whatever the path that they show. */
const OPEN_FILES = /^\/(?:proc|dev\/fd)\//;

/** Whether it looks as if the file could be written, before anything is done. @throws T4aError `usage` with the system's reason */
export async function checkOutput(path: string, { files }: Host): Promise<void> {
  try {
    const stat = await files.stat(path).catch(() => undefined);
    await files.access(stat === undefined ? dirname(path) : path, constants.W_OK);
    if (stat?.isDirectory() === true) throw unwritable(path, 'EISDIR');
  } catch (error) {
    if (error instanceof T4aError) throw error;
    throw unwritable(path, (error as NodeJS.ErrnoException).code ?? String(error));
  }
}

/** Prints a picture, which is no text for a terminal. @throws T4aError `usage` */
export function printPicture(bytes: Uint8Array, host: Host): void {
  if (!host.stdoutIsTerminal) return host.out(bytes);
  throw new T4aError('usage', 'A picture is no text for a terminal.', { hint: 'Name a file with --output.' });
}

/**
 * Whole or not at all; a device, a FIFO, and a file in a directory in which no other can be made get their bytes one after the other.
 * @throws T4aError `usage` with the system's reason
 */
export async function writePicture(
  path: string,
  bytes: Uint8Array | readonly Uint8Array[],
  { files }: Pick<Host, 'files'>,
): Promise<void> {
  const chunks = bytes instanceof Uint8Array ? [bytes] : bytes;
  try {
    const target = await endOfLinks(path, files);
    const shared = await sharedDirectory(target, files);
    const stat = await files.stat(OPEN_FILES.test(target) ? path : target);
    if (stat !== undefined && shared !== undefined) checkOwner(target, stat, shared, files);
    const place = { path, target, shared, files };
    if (stat?.isFile() === false || OPEN_FILES.test(target)) return await writeInPlace(place, chunks);
    // What may not be written to is not replaced either.
    if (stat !== undefined) await files.access(target, constants.W_OK);
    try {
      const created = shared === undefined ? 0o666 : 0o600;
      await writeWholeFile(files, target, chunks, { created, kept: stat?.mode });
    } catch (error) {
      if (stat === undefined || !CLOSED_DIRECTORY.has(errnoOf(error) ?? '')) throw error;
      await writeInPlace(place, chunks);
    }
  } catch (error) {
    if (error instanceof T4aError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw unwritable(path, code ?? String(error));
  }
}

/** A file there may be written, but not replaced: a directory of another user, a single mounted file. */
const CLOSED_DIRECTORY: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY']);

interface Place {
  readonly path: string;
  /** End of its links. */
  readonly target: string;
  readonly shared: FileStat | undefined;
  readonly files: Files;
}

async function writeInPlace(place: Place, chunks: readonly Uint8Array[]): Promise<void> {
  const file = await openOutput(place);
  try {
    for (const chunk of chunks) await file.write(chunk);
  } finally {
    await file.close();
  }
}

async function openOutput({ path, target, shared, files }: Place): Promise<OpenFile> {
  const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;
  if (shared === undefined) return files.open(path, O_WRONLY | O_CREAT | O_TRUNC);
  const file = await files.open(target, O_WRONLY | O_NOFOLLOW);
  try {
    // Another user may have made it since the look.
    const stat = await file.stat();
    checkOwner(target, stat, shared, files);
    if (stat.isFile()) await file.truncate();
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function endOfLinks(path: string, files: Files): Promise<string> {
  let at = path;
  for (let links = 0; !OPEN_FILES.test(at); links++) {
    const stat = await files.lstat(at);
    const shared = await sharedDirectory(at, files);
    if (stat !== undefined && shared !== undefined) checkOwner(at, stat, shared, files);
    if (stat?.isSymbolicLink() !== true) return at;
    if (links === MAX_LINKS) throw Object.assign(new Error(`more than ${MAX_LINKS} links`), { code: 'ELOOP' });
    const link = await files.readlink(at);
    at = link.startsWith('/') ? link : `${dirname(at)}/${link}`;
  }
  return at;
}

async function sharedDirectory(path: string, files: Files): Promise<FileStat | undefined> {
  const stat = await files.stat(dirname(path));
  return stat !== undefined && (stat.mode & SHARED) === SHARED ? stat : undefined;
}

/** The owner of the directory could do as they like there anyway. */
function checkOwner(path: string, { uid }: FileStat, directory: FileStat, files: Files): void {
  if (uid === files.uid || uid === directory.uid) return;
  throw unwritable(path, `what is there belongs to another user, uid ${uid}`);
}

function unwritable(path: string, reason: string): T4aError {
  return new T4aError('usage', `${quote(path)} cannot be written (${reason}).`, {
    hint: 'Name another file with --output, or "-" for standard output.',
  });
}
