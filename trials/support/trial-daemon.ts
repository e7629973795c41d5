/** A daemon of the trial's own, in its own directory, and what the process table says of it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ALLOCATOR_ENVIRONMENT } from '../../src/base/allocator.js';

/** A collection takes some 50 ms; the daemon may be at work, and the machine busy. */
const COLLECTED_MS = 30_000;

export class TrialDaemon {
  readonly dir: string;
  readonly socketPath: string;
  readonly process: ChildProcess;
  readonly exited: Promise<unknown>;

  private constructor(dir: string, child: ChildProcess) {
    this.dir = dir;
    this.socketPath = path.join(dir, 's');
    this.process = child;
    this.exited = once(child, 'exit');
  }

  /** @param dir of an earlier one, to take over from it */
  static async start(
    root: string,
    dir = mkdtempSync('/tmp/t4a-trial-'),
    more: Readonly<Record<string, string>> = {},
  ): Promise<TrialDaemon> {
    const socketPath = path.join(dir, 's');
    const log = openSync(`${socketPath}.log`, 'a', 0o600);
    const collector = path.join(root, 'trials/support/collect-on-signal.cjs');
    const args = ['--require', collector, path.join(root, 'dist/daemon.cjs'), '--socket', socketPath];
    const child = spawn(process.execPath, args, {
      cwd: dir,
      stdio: ['ignore', 'ignore', log],
      env: { ...ALLOCATOR_ENVIRONMENT, ...process.env, HOME: dir, HISTFILE: '', ...more },
    });
    closeSync(log);
    const daemon = new TrialDaemon(dir, child);
    const from = daemon.log.length;
    while (!daemon.log.slice(from).includes(`(pid ${child.pid}) listens on`)) {
      if (daemon.over) throw new Error(`the daemon ended at its start: ${daemon.log.slice(from)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return daemon;
  }

  /** So that what is resident is what is held. */
  async collectGarbage(): Promise<void> {
    const collections = (): number => this.log.split('collected garbage\n').length;
    const before = collections();
    this.process.kill('SIGUSR2');
    const isThere = await eventually(() => collections() !== before || this.over, COLLECTED_MS);
    if (!isThere) throw new Error(`the daemon has collected no garbage in ${COLLECTED_MS} ms`);
  }

  get log(): string {
    return readFileSync(`${this.socketPath}.log`, 'utf8');
  }

  /** What each of its descriptors is open on. */
  get descriptors(): string[] {
    const dir = `/proc/${this.process.pid}/fd`;
    return readdirSync(dir).flatMap((fd) => {
      try {
        return [readlinkSync(path.join(dir, fd))];
      } catch {
        return []; // ENOENT: closed meanwhile.
      }
    });
  }

  get over(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  async stop(): Promise<void> {
    if (!this.over) this.process.kill('SIGTERM');
    await this.exited;
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

export interface TableEntry {
  readonly pid: number;
  readonly command: string;
}

/** Children of a process that have ended, and that it has not waited for. They have neither environment nor command line. */
export function zombiesOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
        const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return state === 'Z' && Number(ppid) === parent;
      } catch {
        return false; // ENOENT, ESRCH: it is gone altogether.
      }
    })
    .map(Number);
}

/** Processes that were given this socket in their environment or on their command line. */
export function processesOf(socketPath: string): TableEntry[] {
  const found: TableEntry[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    try {
      const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const environment = readFileSync(`/proc/${entry}/environ`, 'utf8').split('\0');
      if (!command.includes(socketPath) && !environment.includes(`T4A_SOCKET=${socketPath}`)) continue;
      found.push({ pid: Number(entry), command });
    } catch {
      // ENOENT, ESRCH: it has ended. EACCES: another user's.
    }
  }
  return found;
}

/** Looks until `isTrue`, for at most `timeoutMs`. */
export async function eventually(isTrue: () => boolean, timeoutMs: number): Promise<boolean> {
  for (const end = performance.now() + timeoutMs; !isTrue();) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
