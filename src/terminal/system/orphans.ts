/**
 * Processes that a killed daemon has left running: programs of its terminals get SIGHUP from the system when their PTYs
 * close, and those that ignore it survive. They are reported and not ended: `nohup` is used on purpose.
 */
import { readFileSync, readdirSync } from 'node:fs';

/** Processes that were started in a terminal of a daemon on this socket; empty on a system without /proc. */
export function orphansOf(socketPath: string): number[] {
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return [];
  }
  return entries.filter((entry) => /^\d+$/.test(entry) && wasStartedOn(entry, socketPath)).map(Number);
}

/** Checks the initial environment of the process. */
function wasStartedOn(pid: string, socketPath: string): boolean {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return variables.includes(`T4A_SOCKET=${socketPath}`) && variables.some((each) => each.startsWith('T4A_TERMINAL='));
  } catch {
    // EACCES: another user's. ENOENT, ESRCH: it has ended.
    return false;
  }
}
