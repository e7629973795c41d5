/**
 * How many more files, sockets and pseudoterminals this process may open. Unlimited if the system does not report it
 * (macOS).
 */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

export function descriptorRoom(proc = '/proc'): number {
  try {
    const limits = readFileSync(path.join(proc, 'self/limits'), 'latin1');
    const most = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    // The listing itself uses one of the listed descriptors.
    return most === undefined ? Infinity : Number(most) - (readdirSync(path.join(proc, 'self/fd')).length - 1);
  } catch {
    return Infinity; // ENOENT, EACCES
  }
}
