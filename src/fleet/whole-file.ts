/** Writes a file of the configuration folder: it is whole at every instant, and its owner's alone. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '../base/errno.js';
import { makeFolder } from '../base/make-folder.js';
import { T4aError } from '../protocol/errors.js';

/** @throws T4aError `usage` */
export function writeWhole(path: string, value: object): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    makeFolder(dirname(path), 0o700);
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(file, `${JSON.stringify(value, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    remove(temporary);
    throw new T4aError('usage', `${JSON.stringify(path)} cannot be written (${errnoOf(error) ?? String(error)}).`);
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Its folder is none, ENOTDIR: the first error says why.
  }
}
