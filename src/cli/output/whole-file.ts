/**
 * A file that is written whole or not at all: under another name in the same directory, to the disk, then renamed. On a full disk nothing
 * of it is left, and what stood there stays.
 */
import { constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '../../base/errno.js';
import type { Files, OpenFile } from '../files.js';

export interface FileMode {
  /** Mode of a new file, which the umask lessens. */
  readonly created?: number;
  /** Mode of the file that is replaced. */
  readonly kept?: number | undefined;
}

/** @throws the error of the system */
export async function writeWholeFile(
  files: Files,
  path: string,
  chunks: readonly (Uint8Array | string)[],
  mode: FileMode = {},
): Promise<void> {
  const other = join(dirname(path), `.t4a-${process.pid}-${Math.random().toString(36).slice(2)}`);
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  const file = await files.open(other, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, mode.created ?? 0o666);
  try {
    await writeTo(file, chunks, mode.kept);
    await files.rename(other, path);
  } catch (error) {
    await files.unlink(other);
    throw error;
  }
}

async function writeTo(
  file: OpenFile,
  chunks: readonly (Uint8Array | string)[],
  kept: number | undefined,
): Promise<void> {
  try {
    if (kept !== undefined) await file.chmod(kept & 0o7777);
    for (const chunk of chunks) await file.write(chunk);
    await sync(file);
  } finally {
    await file.close();
  }
}

/** Some file systems find out only here that they are full. */
async function sync(file: OpenFile): Promise<void> {
  try {
    await file.sync();
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP'].includes(errnoOf(error) ?? '')) throw error;
  }
}
