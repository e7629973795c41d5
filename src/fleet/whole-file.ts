/** Writes a file of the configuration folder: it is whole at every instant, and its owner's alone. */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '../base/errno.js';
import { T4aError } from '../protocol/errors.js';

/** @throws T4aError `usage` */
export function writeWhole(path: string, value: object): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(file, `${JSON.stringify(value, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new T4aError('usage', `${JSON.stringify(path)} cannot be written (${errnoOf(error) ?? String(error)}).`);
  }
}
