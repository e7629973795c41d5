/** The name of a process, from /proc. */
import { readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** Node 24 names its main thread, and with it the process, `MainThread`; Node 26 `node-MainThread`. */
const RUNTIMES_THREAD = /(?:^|-)MainThread$/;

/**
 * @param name as the system reports it: the main thread's name, which is the program's unless changed
 * @returns that name; the program's name if a runtime has changed it
 */
export function processName(pid: number, name: string): string {
  if (!RUNTIMES_THREAD.test(name)) return name;
  return programFile(pid) ?? firstArgument(pid) ?? name;
}

/** Undefined for another user's process. */
function programFile(pid: number): string | undefined {
  try {
    return path.basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '') || undefined;
  } catch {
    return undefined;
  }
}

/** The program as it was called; readable for everyone unless /proc hides other users' processes. */
function firstArgument(pid: number): string | undefined {
  try {
    return path.basename(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '') || undefined;
  } catch {
    return undefined;
  }
}
