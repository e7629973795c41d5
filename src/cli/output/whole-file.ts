/**
 * A file that is written whole or not at all: under another name in the same directory, to the disk, then renamed. On a full disk nothing
 * of it is left, and what stood there stays.
 */
import { closeSync, constants, fchmodSync, fsyncSync, openSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '../../base/errno.js';

export interface FileMode {
  /** Of a new file, which the umask lessens. */
  readonly created?: number;
  /** Of the file that is replaced. */
  readonly kept?: number | undefined;
}

/** @throws the error of the system */
export function writeWholeFile(path: string, chunks: readonly (Uint8Array | string)[], mode: FileMode = {}): void {
  const other = join(dirname(path), `.t4a-${process.pid}-${Math.random().toString(36).slice(2)}`);
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  const file = openSync(other, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, mode.created ?? 0o666);
  try {
    writeTo(file, chunks, mode.kept);
    renameSync(other, path);
  } catch (error) {
    unlinkSync(other);
    throw error;
  }
}

function writeTo(file: number, chunks: readonly (Uint8Array | string)[], kept: number | undefined): void {
  try {
    if (kept !== undefined) fchmodSync(file, kept & 0o7777);
    for (const chunk of chunks) writeFileSync(file, chunk);
    sync(file);
  } finally {
    closeSync(file);
  }
}

/** Some file systems find out only here that they are full. */
function sync(file: number): void {
  try {
    fsyncSync(file);
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP'].includes(errnoOf(error) ?? '')) throw error;
  }
}
