/**
 * How many more files, sockets and pseudoterminals this process may open. Unlimited if the system does not report it
 * (macOS).
 */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readSmallFile } from './small-file.js';

/** @param enough a count from here on may be too low: it is found without a list of the open ones */
export function descriptorRoom(proc = '/proc', enough = Infinity): number {
  try {
    const limits = readFileSync(path.join(proc, 'self/limits'), 'latin1');
    const limit = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    if (limit === undefined) return Infinity;
    // Slots of the table of open files, which may be empty.
    const slots = /^FDSize:\s+(\d+)/m.exec(readSmallFile(path.join(proc, 'self/status')) ?? '')?.[1];
    const atLeast = Number(limit) - Number(slots ?? Infinity);
    if (atLeast >= enough) return atLeast;
    // The listing itself uses one of the listed descriptors.
    return Number(limit) - (readdirSync(path.join(proc, 'self/fd')).length - 1);
  } catch {
    return Infinity; // ENOENT, EACCES
  }
}
