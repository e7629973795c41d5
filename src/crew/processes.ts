/** Of a process its parent, and the terminal that its environment names: from /proc, else from ps. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Processes {
  /** Undefined: it has gone, or has none in this namespace of pids. */
  readonly parentOf: (pid: number) => number | undefined;
  /** Variables with which it was started. Undefined: the system does not show them. */
  readonly environmentOf: (pid: number) => ReadonlySet<string> | undefined;
}

export function systemProcesses(): Processes {
  return { parentOf, environmentOf };
}

/**
 * Parent of this process, as /proc numbers it: in a namespace of pids that has no /proc of its own those are the pids of the system, which
 * the daemon names too. There `process.ppid` is 0, or the number of another process.
 */
export function ownParent(): number {
  return parentOf('self') ?? process.ppid;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: field 4, behind the name, which may hold blanks and parentheses. */
function parentOf(pid: number | 'self'): number | undefined {
  let ppid: string | undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    ppid = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    if (process.platform !== 'linux' && pid !== 'self') ppid = parentByPs(pid);
  }
  const number = Number(ppid);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

function parentByPs(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], {
      encoding: 'latin1',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}

function environmentOf(pid: number): ReadonlySet<string> | undefined {
  try {
    return new Set(readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'));
  } catch {
    return undefined;
  }
}
