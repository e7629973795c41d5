/** One thread, from /proc/PID/task/TID/status (proc_pid_status(5)), which every user may read. */
import { readFileSync } from 'node:fs';

export interface ThreadStatus {
  /** One letter: `S` for a sleep that input ends. */
  readonly state: string;
  /** Context switches, voluntary and not: if equal twice while it sleeps, it has not run in between. */
  readonly switches: number;
}

/** Undefined if it is gone. */
export function threadStatus(pid: number, thread: number): ThreadStatus | undefined {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'latin1');
  } catch {
    return undefined;
  }
  const counts = [...status.matchAll(/^(?:non)?voluntary_ctxt_switches:\s*(\d+)$/gm)];
  if (counts.length === 0) return undefined;
  return {
    state: /^State:\s*(\w)/m.exec(status)?.[1] ?? '',
    switches: counts.reduce((sum, [, count]) => sum + Number(count), 0),
  };
}
