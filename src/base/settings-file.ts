/**
 * Reads a file of settings. What is no regular file is refused before it is opened: a FIFO or a device would keep its
 * reader waiting, or never end. Links are followed, since people keep their settings elsewhere: what counts is what they
 * lead to. This module also is in what browsers load, which have no files: that of Node is taken when a file is read.
 */

type Stats = ReturnType<typeof process.getBuiltinModule<'node:fs'>>['Stats']['prototype'];

/** Thousands of rules or triggers; the bytes are held three times while they are parsed. */
export const MAX_SETTINGS_BYTES = 1024 * 1024;

/** The file is there, and is not read. The message goes on from its path: "is a FIFO, no regular file". */
export class RefusedFile extends Error {
  /** Whether it is another user's: for the owner that is a mistake; with another user's HOME it is none. */
  readonly isOthers: boolean;

  constructor(says: string, isOthers = false) {
    super(says);
    this.isOthers = isOthers;
  }
}

export interface SettingsFile {
  readonly text: string;
  /** Facts of the file whose bytes were read. */
  readonly stat: Stats;
}

/** @throws RefusedFile; the error of the system, such as ENOENT */
export function openSettingsFile(path: string, maxBytes = MAX_SETTINGS_BYTES): SettingsFile {
  const { closeSync, constants, fstatSync, openSync, statSync } = process.getBuiltinModule('node:fs');
  // Opening a device may act on it.
  check(statSync(path), maxBytes);
  // Another file may be in its place by now: opening a FIFO does not wait, and a terminal does not become the caller's.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const stat = fstatSync(file);
    check(stat, maxBytes);
    return { text: readText(file, maxBytes), stat };
  } finally {
    closeSync(file);
  }
}

/** Text of a settings file alone. @throws as {@link openSettingsFile} */
export function readSettingsFile(path: string): string {
  return openSettingsFile(path).text;
}

/**
 * The text of a file that a person names for this once: also another user's, and a pipe, as in `<(jq …)`. What never ends is refused.
 * @throws RefusedFile; the error of the system
 */
export function readGivenFile(path: string, maxBytes = MAX_SETTINGS_BYTES): string {
  const { closeSync, constants, openSync } = process.getBuiltinModule('node:fs');
  const file = openSync(path, constants.O_RDONLY | constants.O_NOCTTY);
  try {
    return readText(file, maxBytes);
  } finally {
    closeSync(file);
  }
}

function check(stat: Stats, maxBytes: number): void {
  if (!stat.isFile()) throw new RefusedFile(`is ${kindOf(stat)}, no regular file`);
  // Root can change every file, and systems keep settings of their users in its name.
  if (stat.uid !== 0 && stat.uid !== process.getuid?.()) {
    throw new RefusedFile(`belongs to another user (uid ${stat.uid})`, true);
  }
  if (stat.size > maxBytes) throw tooLong(maxBytes);
}

/** Until its end: its length may have changed, and files of the system have none. */
function readText(file: number, maxBytes: number): string {
  const { readSync } = process.getBuiltinModule('node:fs');
  const parts: Buffer[] = [];
  for (let length = 0; ;) {
    const part = Buffer.allocUnsafe(PART_BYTES);
    const count = readSync(file, part);
    if (count === 0) return Buffer.concat(parts, length).toString('utf8');
    parts.push(part.subarray(0, count));
    length += count;
    if (length > maxBytes) throw tooLong(maxBytes);
  }
}

const PART_BYTES = 64 * 1024;

function tooLong(maxBytes: number): RefusedFile {
  return new RefusedFile(`has more than ${maxBytes} bytes`);
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return 'a directory';
  if (stat.isFIFO()) return 'a FIFO';
  return stat.isSocket() ? 'a socket' : 'a device';
}
