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
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { closeInheritedDescriptors } from '../../terminal/system/inherited-descriptors.js';
import { readStat, sendSignal } from '../../terminal/system/processes.js';
import { WatchedProgram } from './ended-program.js';
import type { Stub } from './program-ends.js';

/** `mkfifo` takes 2 ms. */
const MAKE_MS = 2000;

/** Milliseconds from an end that a thread has got to its coming here: on a busy machine the output's end comes between. */
const TOLD_MS = 2000;
const TURN_MS = 1;

/** https://nodejs.org/api/process.html#processexecvefile-args-env, from Node 22.15 on. */
const { execve } = process as { execve?: (file: string, args: readonly string[], env: object) => never };

/** Parts that this process needs to become one. */
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

/**
 * Resolves only if it cannot be.
 * @param living programs whose ends are not told yet
 * @param sent resolves once the ends that were told have left
 */
export async function becomeStub(
  { pipe, cat }: Omit<OwnStub, 'stays'>,
  living: ReadonlySet<number>,
  sent: () => Promise<void>,
): Promise<void> {
  const programs = new Map([...living].map((pid) => [pid, new WatchedProgram(pid)]));
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
  // That took a while. Nothing may come between the last look and the call.
  await untilTold(living, programs, sent);
  execve?.(cat, ['cat'], {});
}

/**
 * Threads of node-pty wait for the programs. An end that one of them has got, and that has not come here yet, would be lost with the
 * thread: the program is no zombie any more. Resolves once there is none, or after a while.
 */
export async function untilTold(
  living: ReadonlySet<number>,
  programs: ReadonlyMap<number, Pick<WatchedProgram, 'look'>>,
  sent: () => Promise<void>,
): Promise<void> {
  for (const endMs = performance.now() + TOLD_MS; performance.now() < endMs; await delay(TURN_MS)) {
    await sent();
    const pids = [...living];
    // A zombie is about to be waited for. The second look is the faster one: the first takes 2 ms for 200 programs.
    if (pids.some((pid) => programs.get(pid)?.look() !== undefined)) continue;
    if (!pids.some((pid) => sendSignal(pid, 0) === 'gone')) return;
  }
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
