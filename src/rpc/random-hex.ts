/**
 * Random bytes as hexadecimal digits, from the system's own source: loading `node:crypto` for them takes three milliseconds
 * of the daemon's start.
 */
import { closeSync, openSync, readSync } from 'node:fs';

export function randomHex(bytes: number): string {
  return (fromDevice(bytes) ?? process.getBuiltinModule('node:crypto').randomBytes(bytes)).toString('hex');
}

/** Undefined in a sandbox without the device. */
function fromDevice(length: number): Buffer | undefined {
  try {
    const device = openSync('/dev/urandom', 'r');
    try {
      const bytes = Buffer.alloc(length);
      return readSync(device, bytes) === length ? bytes : undefined;
    } finally {
      closeSync(device);
    }
  } catch {
    return undefined; // ENOENT, EACCES: Node asks the kernel without a file.
  }
}
