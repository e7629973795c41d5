/** What a process is called, where the system tells it by /proc. */
import { readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** Node 24 calls its main thread, whose name the process has, `MainThread`, Node 26 `node-MainThread`. */
const RUNTIMES_THREAD = /(?:^|-)MainThread$/;

/**
 * @param name what the system calls it: its main thread's name, which is its program's until somebody sets another
 * @returns that name, and where a runtime has set it the program's instead
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

/** The program as it was called, which everybody may read unless /proc hides others' processes. */
function firstArgument(pid: number): string | undefined {
  try {
    return path.basename(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '') || undefined;
  } catch {
    return undefined;
  }
}
