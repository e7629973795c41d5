/**
 * Which process a pid means. A pid alone is given out again; together with the time of the process's start it is unique.
 * A zombie counts as gone: in a container without an init process no process ever reaps a killed daemon.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errnoOf } from '../base/errno.js';

export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque, equal for one process only; null if the system has no start times. */
  readonly started: string | null;
}

/** Space in which a pid means what it meant to its writer: directories are shared by machines (NFS) and by containers (volumes). */
export interface PidSpace {
  readonly host: string;
  /** Boot of Linux; null if unknown. */
  readonly boot: string | null;
  /** Namespace of Linux; null if unknown. */
  readonly pid_namespace: string | null;
}

export function ownPidSpace(): PidSpace {
  return { host: hostname(), boot: bootId() || null, pid_namespace: pidNamespace() };
}

/**
 * `here`: {@link isAlive} answers. `before`: of this machine before it was started anew, so the process is gone. `machine` and
 * `container`: nothing here can see the process. One kernel may have several host names, so equal boots outweigh these.
 */
export type Origin = 'here' | 'before' | 'machine' | 'container';

export function originOf(recorded: PidSpace, own = ownPidSpace()): Origin {
  const isOneBoot = recorded.boot !== null && recorded.boot === own.boot;
  if (!isOneBoot && recorded.host !== own.host) return 'machine';
  if (!isOneBoot && recorded.boot !== null && own.boot !== null) return 'before';
  const isOneSpace = recorded.pid_namespace === null || own.pid_namespace === null;
  return isOneSpace || recorded.pid_namespace === own.pid_namespace ? 'here' : 'container';
}

export function identityOf(pid: number): ProcessIdentity | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromSignal(pid);
}

export function isAlive(recorded: ProcessIdentity): boolean {
  const now = identityOf(recorded.pid);
  if (now === undefined) return false;
  return recorded.started === null || now.started === null || recorded.started === now.started;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, fields 3 (state) and 22 (starttime, in ticks since boot). */
function fromProc(pid: number): ProcessIdentity | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    // ESRCH: the process ended between open and read.
    if (['ENOENT', 'ESRCH'].includes(errnoOf(error) ?? '')) return procIsMounted() ? undefined : fromSignal(pid);
    throw error;
  }
  // Field 2, the program's name, may itself hold blanks and parentheses.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  return { pid, started: `${bootId()}/${rest[18] ?? ''}` };
}

function procIsMounted(): boolean {
  try {
    readFileSync('/proc/self/stat');
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Ticks since boot mean nothing across a reboot, which a lock outside of a tmpfs survives. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) return '';
    throw error;
  }
}

/** https://man7.org/linux/man-pages/man7/pid_namespaces.7.html */
function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // No /proc, or one of another system.
    return null;
  }
}

function fromSignal(pid: number): ProcessIdentity | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return undefined;
    if (errnoOf(error) !== 'EPERM') throw error;
  }
  return startFromPs(pid);
}

function startFromPs(pid: number): ProcessIdentity | undefined {
  // `env` sets the two variables, so that nothing here reads the environment.
  const command = ['LC_ALL=C', 'TZ=UTC', 'ps', '-o', 'state=,lstart=', '-p', String(pid)];
  try {
    const [state, ...started] = execFileSync('env', command, { encoding: 'utf8', stdio: 'pipe' }).trim().split(/\s+/);
    if (state?.startsWith('Z')) return undefined;
    return { pid, started: started.join(' ') || null };
  } catch {
    // No ps, or the process has just ended: the only known fact is that the signal was deliverable.
    return { pid, started: null };
  }
}
