/**
 * What a replaced daemon becomes so that its programs keep their parent: `cat`, which reads a pipe that nothing is written to, and ends
 * with the last process that has it open for writing. It waits for no program (a shell would), so those that end stay zombies, whose
 * status the daemon that has taken over reads (ended-program.ts). It takes 0.2 MB.
 *
 * A process that was not started in a session of its own stays what it is: its starter may send it signals, which it passes on.
 */
import { execFile } from 'node:child_process';
import { accessSync, closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { closeInheritedDescriptors } from '../../terminal/system/inherited-descriptors.js';
import { readStat } from '../../terminal/system/processes.js';
import type { Stub } from './program-ends.js';

/** `mkfifo` takes 2 ms. */
const MAKE_MS = 2000;

/** https://nodejs.org/api/process.html#processexecvefile-args-env, from Node 22.15 on. */
const { execve } = process as { execve?: (file: string, args: readonly string[], env: object) => never };

/** What this process needs to become one. */
export interface OwnStub {
  /** Open for reading and writing here, and in the daemon that takes over. */
  readonly pipe: number;
  /** Path of the program. */
  readonly cat: string;
  readonly stays: boolean;
}

/** The pipes of stubs, which a daemon that takes over gets behind the masters. */
export class StubPipes {
  readonly #before: readonly Stub[];
  #own: OwnStub | undefined;
  readonly fds: readonly number[];

  private constructor(before: readonly Stub[], own: OwnStub | undefined) {
    this.#before = before;
    this.#own = own;
    this.fds = [...before.map(({ fd }) => fd), ...(own === undefined ? [] : [own.pipe])];
  }

  /** @param before daemons before this one @param env of this one */
  static async open(before: readonly Stub[], env: NodeJS.ProcessEnv): Promise<StubPipes> {
    const cat = canBecomeStub() ? catOf(env) : undefined;
    const pipe = cat === undefined ? undefined : await makePipe();
    const own = cat === undefined || pipe === undefined ? undefined : { pipe, cat, stays: isMainProcess(env) };
    return new StubPipes([...before], own);
  }

  /** Undefined if this process becomes none. */
  get own(): OwnStub | undefined {
    return this.#own;
  }

  dropOwn(): void {
    if (this.#own !== undefined) closeSync(this.#own.pipe);
    this.#own = undefined;
  }

  /** @param firstFd of them in the other process @param pids of living programs whose parent this process is */
  freeze(firstFd: number, pids: readonly number[]): readonly Stub[] {
    const own = this.#own === undefined ? [] : [{ pids, stays: this.#own.stays, pid: process.pid }];
    return [...this.#before, ...own].map((stub, at) => ({ ...stub, pids: [...stub.pids], fd: firstFd + at }));
  }
}

/** Whether a service manager or a container ends with this process. */
export function isMainProcess(env: NodeJS.ProcessEnv): boolean {
  return process.pid === 1 || env['SYSTEMD_EXEC_PID'] === String(process.pid);
}

/** Returns only if it cannot be. */
export function becomeStub({ pipe, cat }: Omit<OwnStub, 'stays'>): void {
  // A directory in use cannot be unmounted.
  process.chdir('/');
  // Opened anew it blocks its reader, and is not open for writing. The lowest free number is given out.
  closeSync(0);
  if (openSync(`/proc/self/fd/${pipe}`, constants.O_RDONLY) !== 0) return;
  for (const standard of [1, 2]) {
    closeSync(standard);
    openSync('/dev/null', constants.O_WRONLY);
  }
  closeInheritedDescriptors(undefined);
  execve?.(cat, ['cat'], {});
}

/** Whether this process can become one. */
function canBecomeStub(): boolean {
  if (execve === undefined || process.platform !== 'linux' || process.pid === 1) return false;
  const own = readStat(process.pid);
  // Another pid namespace's /proc has other numbers, and one with "hidepid" hides what runs as another user.
  if (own?.parent !== process.ppid || readStat(1) === undefined) return false;
  return own.session === process.pid && own.terminal === 0;
}

/** @returns a descriptor of a new pipe, open for reading and writing; undefined if there is none to be had */
async function makePipe(): Promise<number | undefined> {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(path.join(tmpdir(), 't4a-'));
    const file = path.join(folder, 'pipe');
    await promisify(execFile)('mkfifo', ['-m', '600', file], { timeout: MAKE_MS });
    return openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  } catch {
    return undefined;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function catOf(env: NodeJS.ProcessEnv): string | undefined {
  const folders = ['/bin', '/usr/bin', ...(env['PATH'] ?? '').split(':').filter((each) => path.isAbsolute(each))];
  return folders.map((folder) => path.join(folder, 'cat')).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
