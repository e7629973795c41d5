/** What the process table says. Linux only, as are the tests that ask. */
import { readFileSync } from 'node:fs';

/** False for a process that is gone, or dead and merely not reaped by whoever inherited it. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false; // ENOENT
  }
}
