/** Daemons that a run has left: of a worker that was killed, or of a run that was interrupted. Only Linux lists them. */
import { readdirSync, readFileSync } from 'node:fs';

/** @param homes directories that this run alone has: daemons are found by them in their environment */
export function endLeftDaemons(homes: readonly string[]): void {
  for (const pid of processIds().filter((each) => isDaemonOf(each, homes))) {
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // ESRCH: it has just ended.
    }
  }
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return []; // ENOENT
  }
}

function isDaemonOf(pid: number, homes: readonly string[]): boolean {
  try {
    if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('/daemon.cjs\0')) return false;
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    return homes.some((home) => environment.includes(`=${home}\0`));
  } catch {
    return false; // ENOENT: it has ended; EACCES: another user's.
  }
}
