/**
 * Starts the daemon's program, detached from this process, with its log beside the socket. If the log is not writable,
 * the program reports a failed start on its standard output instead.
 */
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { callerHere } from '../base/caller.js';
import { errnoOf } from '../base/errno.js';
import type { T4aError } from '../protocol/errors.js';
import { asPlaceError, logPath, SANDBOX_HINT, unusableSocketPath } from '../protocol/socket-path.js';
import { refusalOfSockets, unreachable } from './open-socket.js';
import { daemonEnvironment } from './paths.js';

export interface DaemonProgram {
  readonly socketPath: string;
  /** The JavaScript file that Node runs. */
  readonly entry: string;
  /** The daemon exits after this time without terminals and clients. Default: never. */
  readonly idleTimeoutMs?: number | undefined;
}

/** A longer log of earlier daemons is truncated. */
const MAX_KEPT_LOG_BYTES = 1024 * 1024;

/** `left`: it found another daemon and exited. */
export type StartState = 'running' | 'left' | 'failed';

export class DaemonStart {
  readonly #program: DaemonProgram;
  /** Undefined if the system refused it at once. */
  readonly #child: ChildProcess | undefined;
  readonly #logStart: number;
  #spawnError: Error | undefined;
  /** It has ended, and its standard output is complete. */
  #isOver = false;
  #stdoutText = '';

  constructor(program: DaemonProgram) {
    callerHere()?.starts?.();
    this.#program = program;
    const log = openLog(program.socketPath);
    this.#logStart = fstatSync(log).size;
    try {
      const args = program.idleTimeoutMs === undefined ? [] : [String(program.idleTimeoutMs)];
      // Loaded only here: it takes a millisecond, and most calls find a daemon.
      const { spawn } = process.getBuiltinModule('node:child_process');
      this.#child = spawn(process.execPath, [program.entry, ...args], {
        detached: true,
        stdio: ['ignore', 'pipe', log],
        env: daemonEnvironment(program.socketPath),
      });
      this.#watch(this.#child);
    } catch (error) {
      // Node throws the error of a sandbox (EPERM), and reports more usual ones (EMFILE, EAGAIN) by an event.
      if (errnoOf(error) === undefined) throw error;
      this.#spawnError = error as Error;
    } finally {
      closeSync(log);
    }
  }

  #watch(child: ChildProcess): void {
    child.once('error', (error) => {
      this.#spawnError = error;
    });
    child.once('close', () => {
      this.#isOver = true;
    });
    child.stdout
      ?.on('data', (chunk: Buffer) => {
        this.#stdoutText += chunk.toString();
      })
      .on('error', () => {
        // ENOTCONN: the process was refused, which its own event reports.
      });
    // Neither the daemon nor its standard output keeps the client alive.
    child.unref();
    (child.stdout as Socket | null)?.unref();
  }

  get state(): StartState {
    if (this.#child?.exitCode === 0) return 'left';
    return this.#isOver || this.#spawnError !== undefined ? 'failed' : 'running';
  }

  /** Call it once the daemon answers, or the start is given up: its output is not needed any more. */
  release(): void {
    this.#child?.stdout?.destroy();
  }

  /** The error of a failed start: a sandbox that refuses sockets, or the daemon's last line. */
  async failure(): Promise<T4aError> {
    const { socketPath } = this.#program;
    // A sandbox that kills a process for creating a socket would kill this one as well.
    if (this.#child?.signalCode === 'SIGSYS')
      return unreachable(socketPath, 'a sandbox (seccomp) killed it at start-up with SIGSYS', SANDBOX_HINT);
    const refusal = await refusalOfSockets();
    if (refusal !== undefined) return refusal;
    if (this.#child === undefined || this.#spawnError !== undefined) return refusedStart(socketPath, this.#spawnError);
    const how = this.#child.signalCode ?? `exit status ${this.#child.exitCode}`;
    const logged = readFileSync(logPath(socketPath)).subarray(this.#logStart).toString();
    const lastLine = lastWords(this.#stdoutText || logged);
    const reason = `the daemon ended at start-up with ${how}${lastLine ? `: ${lastLine.replace(/\.$/, '')}` : ''}`;
    return unreachable(socketPath, reason, this.#stdoutText ? unwritableHint(socketPath) : undefined);
  }
}

/** The system's errors when it starts no process. */
const NO_PROCESS: Readonly<Record<string, readonly [says: string, hint: string]>> = {
  EMFILE: ['too many files are open', 'Raise the limit on open files (ulimit -n).'],
  ENFILE: ['too many files are open on the whole machine', 'Close some, or raise /proc/sys/fs/file-max.'],
  EAGAIN: ['there are too many processes', 'End some, or raise the limit (ulimit -u, pids.max of the control group).'],
  ENOENT: ['Node or /dev/null is not there', 'Give the sandbox a /dev, as "bwrap --dev /dev" does.'],
  ENOMEM: ['there is too little memory', 'End some programs, or raise the limit of the control group (memory.max).'],
};

function refusedStart(socketPath: string, error: Error | undefined): T4aError {
  const errno = errnoOf(error) ?? '';
  const [says, hint] = NO_PROCESS[errno] ?? [error?.message ?? 'the reason is unknown', 'Check its limits: ulimit -a'];
  return unreachable(socketPath, `the system does not start it, since ${says} (${errno})`, hint);
}

/** The daemon's own sentence, else the last line: of a stack, for example. */
function lastWords(text: string): string | undefined {
  const lines = text.trim().split('\n');
  return lines.findLast((line) => line.startsWith('t4a daemon: ')) ?? lines.at(-1);
}

function unwritableHint(socketPath: string): string {
  const log = JSON.stringify(logPath(socketPath));
  return `The log ${log} cannot be written: free some space there, raise "ulimit -f", or set T4A_SOCKET to another place.`;
}

function openLog(socketPath: string): number {
  const path = logPath(socketPath);
  const flags =
    constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let fd: number;
  try {
    fd = openSync(path, flags, 0o600);
  } catch (error) {
    if (isThere(path))
      throw unusableSocketPath(socketPath, `${JSON.stringify(path)} cannot be written (${errnoOf(error)})`);
    throw asPlaceError(socketPath, error);
  }
  const stat = fstatSync(fd);
  // Through a second name of the file another user could make the daemon write into it.
  if (stat.isFile() && stat.nlink === 1 && stat.uid === process.getuid?.()) {
    if (stat.size > MAX_KEPT_LOG_BYTES) ftruncateSync(fd);
    return fd;
  }
  closeSync(fd);
  throw unusableSocketPath(socketPath, `${JSON.stringify(path)} is not your log file`);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // ENOTDIR, EACCES: the problem is its directory.
    return false;
  }
}
