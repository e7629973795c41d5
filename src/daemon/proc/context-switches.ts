import { readFileSync } from 'node:fs';

/** Times that the thread was given up or taken off the processor; undefined for one that is gone. */
export function contextSwitches(pid: number, thread: number): number | undefined {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'latin1');
  } catch {
    return undefined;
  }
  const counts = [...status.matchAll(/^(?:non)?voluntary_ctxt_switches:\s*(\d+)$/gm)];
  return counts.length === 0 ? undefined : counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
