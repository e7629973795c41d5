/**
 * A stopped daemon (SIGSTOP) answers no call, while the kernel accepts connections for it. Waiting is in vain until it
 * is continued, and Linux reports that state; a merely slow daemon cannot be detected.
 */
import { readFileSync } from 'node:fs';
import { T4aError } from '../protocol/errors.js';
import { daemonLock } from './daemon-lock.js';

/** Undefined if the daemon is not stopped, or if that is unknown. */
export function stoppedError(socketPath: string, lock = daemonLock(socketPath)): T4aError | undefined {
  const { pid, started } = lock ?? {};
  if (typeof pid !== 'number' || typeof started !== 'string' || !isStopped(pid, started)) return undefined;
  return new T4aError('daemon_stopped', `The daemon (pid ${pid}) is stopped by SIGSTOP and answers no requests.`, {
    hint: `kill -CONT ${pid}`,
  });
}

/**
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, fields 3 (state) and 22 (starttime). State `t` is a
 * debugger's, and strace's for an instant at each system call. @param started ends with the start time, since pids are
 * reused
 */
function isStopped(pid: number, started: string): boolean {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // No such process, or no /proc.
    return false;
  }
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'T' && started.endsWith(`/${rest[18]}`);
}
