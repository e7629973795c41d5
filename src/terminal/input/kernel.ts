/**
 * Takes back the input that the kernel holds for a program that does not read: whole lines in cooked mode, else all of
 * it. The kernel does the same on Ctrl+C, but cannot see a Ctrl+C behind a full buffer.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';

/** A millisecond each: the kernel holds 68 KB of input and hands on 4 KB at a time. */
const ROUNDS = 30;
const ROUND_MS = 1;
const CHUNK_BYTES = 64 * 1024;
/** In one round; a faster writer must not hold up the daemon. */
const MAX_CHUNKS = 16;

/** @param device path of the slave side */
export async function discardKernelInput(device: string): Promise<void> {
  let fd: number;
  try {
    fd = openSync(device, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  } catch {
    return; // ENOENT, EIO: the terminal is going.
  }
  try {
    // The kernel may just be moving input from one buffer to the next: an empty read does not mean that all is read.
    for (let round = 0; round < ROUNDS; round++) {
      readWhatIsThere(fd);
      await new Promise((resolve) => {
        setTimeout(resolve, ROUND_MS);
      });
    }
  } finally {
    closeSync(fd);
  }
}

function readWhatIsThere(fd: number): void {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    for (let i = 0; i < MAX_CHUNKS && readSync(fd, buffer, 0, buffer.length, null) > 0; i++);
  } catch {
    // EAGAIN: nothing left. EIO: no process has the other side open.
  }
}
