import { writeFileSync } from 'node:fs';
import { T4aError, quote } from '../protocol/errors.js';

/** @throws T4aError `usage` with the system's reason */
export function writePicture(path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new T4aError('usage', `The picture cannot be written to ${quote(path)} (${code ?? String(error)}).`, {
      hint: 'Name another file with --output, or "-" for standard output.',
    });
  }
}
