/**
 * Writing to a file descriptor, all of it, before going on: what was printed is out when the process exits, and a stream of
 * events waits for its reader (the daemon then drops with notice). Streams of Node would cost 2 ms at the start.
 */
import { writeSync } from 'node:fs';
import { T4aError } from '../../protocol/errors.js';
import { ClosedOutput } from '../host.js';

/** Between attempts on a pipe that another process has made non-blocking, and that is full. */
const RETRY_MS = 5;

/** @throws ClosedOutput when its reader has gone; T4aError `usage` with the system's reason, such as a full disk */
export function writeOut(descriptor: number, data: string | Uint8Array): void {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  for (let written = 0; written < bytes.length;) written += writeSome(descriptor, bytes, written);
}

function writeSome(descriptor: number, bytes: Uint8Array, offset: number): number {
  try {
    return writeSync(descriptor, bytes, offset);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EPIPE') throw new ClosedOutput();
    if (code !== 'EAGAIN') throw new T4aError('usage', `What t4a prints cannot be written (${code}).`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    return 0;
  }
}
