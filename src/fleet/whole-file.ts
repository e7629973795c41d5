/** Writes a file of the configuration folder: it is whole at every instant, and its owner's alone. */
import { dirname } from 'node:path';
import { errnoOf } from '../base/errno.js';
import { makeFolder } from '../base/make-folder.js';
import { writePrivateFile } from '../base/private-file.js';
import { T4aError } from '../protocol/errors.js';

/** @throws T4aError `usage` */
export function writeWhole(path: string, value: object): void {
  try {
    makeFolder(dirname(path), 0o700);
    writePrivateFile(path, `${JSON.stringify(value, null, 2)}\n`);
  } catch (error) {
    throw new T4aError('usage', `${JSON.stringify(path)} cannot be written (${errnoOf(error) ?? String(error)}).`);
  }
}
