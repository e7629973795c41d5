/**
 * What a daemon that was killed has left running: its terminals' programs get SIGHUP from the system when their PTYs close,
 * and those that ignore it live on. They are told, and not ended: whoever started them with nohup meant it.
 */
import { readFileSync, readdirSync } from 'node:fs';

/** Processes that were started in a terminal of a daemon on this socket; empty where the system has no /proc. */
export function orphansOf(socketPath: string): number[] {
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return [];
  }
  return entries.filter((entry) => /^\d+$/.test(entry) && wasStartedOn(entry, socketPath)).map(Number);
}

/** By its environment, which programs keep as they got it. */
function wasStartedOn(pid: string, socketPath: string): boolean {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return variables.includes(`T4A_SOCKET=${socketPath}`) && variables.some((each) => each.startsWith('T4A_TERMINAL='));
  } catch {
    // EACCES: another user's. ENOENT, ESRCH: it has ended.
    return false;
  }
}
