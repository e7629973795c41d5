/**
 * A stopped daemon (SIGSTOP) answers no call, while the kernel accepts connections for it. Waiting is in vain until it
 * is continued, and Linux reports that state; a merely slow daemon cannot be detected.
 */
import { readFileSync } from 'node:fs';
import { T4aError } from '../protocol/errors.js';
import { type DaemonLock, daemonLock } from './daemon-lock.js';

/** Undefined if the daemon is not stopped, or if that is unknown. */
export function stoppedError(socketPath: string, lock = daemonLock(socketPath)): T4aError | undefined {
  if (stateOf(lock) !== 'T') return undefined;
  const pid = lock?.['pid'] as number;
  return new T4aError('daemon_stopped', `The daemon (pid ${pid}) is stopped by SIGSTOP and answers no requests.`, {
    hint: `kill -CONT ${pid}`,
  });
}

/** Whether the daemon of that lock is known to run, and not to be stopped. */
export function isRunning(lock: DaemonLock): boolean {
  const state = stateOf(lock);
  return state !== undefined && !STOPPED_OR_DEAD.includes(state);
}

const STOPPED_OR_DEAD = ['T', 'Z', 'X'];

/**
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, fields 3 (state) and 22 (starttime), with which the lock's `started` ends,
 * since pids are reused. State `t` is a debugger's, and strace's for an instant at each system call. Undefined if it is unknown.
 */
function stateOf(lock: DaemonLock): string | undefined {
  const { pid, started } = lock ?? {};
  if (typeof pid !== 'number' || typeof started !== 'string') return undefined;
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // No such process, or no /proc.
    return undefined;
  }
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return started.endsWith(`/${rest[18]}`) ? state : undefined;
}
