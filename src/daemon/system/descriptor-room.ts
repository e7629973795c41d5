/** How many more files, sockets and pseudoterminals this process may open. Where the system tells nothing (macOS), there is room. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

export function descriptorRoom(proc = '/proc'): number {
  try {
    const limits = readFileSync(path.join(proc, 'self/limits'), 'latin1');
    const most = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    // The look itself has one of those that are listed.
    return most === undefined ? Infinity : Number(most) - (readdirSync(path.join(proc, 'self/fd')).length - 1);
  } catch {
    return Infinity; // ENOENT, EACCES
  }
}
