/** Small files of /proc, read at once: a terminal that prints has several of them read after each of its writes. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/** Shared: without it a read takes nearly twice as long. */
const ROOM = Buffer.allocUnsafeSlow(4096);
/** The kernel fills the buffer with whole records: with more than this, one that did not fit may be left. */
const SURELY_WHOLE_BYTES = 2048;

/** As latin1. Undefined if the file is gone, or may not be read. */
export function readSmallFile(path: string): string | undefined {
  try {
    const file = openSync(path, 'r');
    let length: number;
    try {
      length = readSync(file, ROOM, 0, ROOM.length, 0);
    } finally {
      closeSync(file);
    }
    return length <= SURELY_WHOLE_BYTES ? ROOM.toString('latin1', 0, length) : readFileSync(path, 'latin1');
  } catch {
    return undefined; // ENOENT, ESRCH, EACCES.
  }
}
