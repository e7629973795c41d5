/** What a process has read, of whatever: /proc/PID/io (proc_pid_io(5)). */
import { readFileSync } from 'node:fs';

/** Undefined for one that is gone or another user's, and where the kernel counts nothing. */
export function bytesRead(pid: number): number | undefined {
  let counts: string;
  try {
    counts = readFileSync(`/proc/${pid}/io`, 'latin1');
  } catch {
    return undefined;
  }
  const [, count] = /^rchar: (\d+)$/m.exec(counts) ?? [];
  return count === undefined ? undefined : Number(count);
}
