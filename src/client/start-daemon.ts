/**
 * Starts the daemon's program, detached from this process, with its complaints in a log beside the socket. Where the log
 * cannot be written, it gives the reason of a failed start on its standard output instead.
 */
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { errnoOf } from '../base/errno.js';
import type { T4aError } from '../protocol/errors.js';
import { asPlaceError, logPath, unusableSocketPath } from '../protocol/socket-path.js';
import { unreachable } from './open-socket.js';
import { daemonEnvironment } from './paths.js';

export interface DaemonProgram {
  readonly socketPath: string;
  /** The JavaScript file that Node runs. */
  readonly entry: string;
  /** The daemon leaves when there was no terminal and no client for so long. Default: never. */
  readonly idleTimeoutMs?: number | undefined;
}

/** A longer log of earlier daemons is begun anew. */
const MAX_KEPT_LOG_BYTES = 1024 * 1024;

/** `left`: it found another daemon and made way. */
export type StartState = 'running' | 'left' | 'failed';

export class DaemonStart {
  readonly #program: DaemonProgram;
  readonly #child: ChildProcess;
  readonly #logStart: number;
  #spawnError: Error | undefined;
  /** It has ended, and all that it said on its standard output is here. */
  #isOver = false;
  #saidOnStdout = '';

  constructor(program: DaemonProgram) {
    this.#program = program;
    const log = openLog(program.socketPath);
    try {
      this.#logStart = fstatSync(log).size;
      const args = program.idleTimeoutMs === undefined ? [] : [String(program.idleTimeoutMs)];
      // Loaded only here: it takes a millisecond, and most calls find a daemon.
      const { spawn } = process.getBuiltinModule('node:child_process');
      this.#child = spawn(process.execPath, [program.entry, ...args], {
        detached: true,
        stdio: ['ignore', 'pipe', log],
        env: daemonEnvironment(program.socketPath),
      });
    } finally {
      closeSync(log);
    }
    this.#child.once('error', (error) => {
      this.#spawnError = error;
    });
    this.#child.once('close', () => {
      this.#isOver = true;
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.#saidOnStdout += chunk.toString();
    });
    // Neither the daemon nor its standard output keeps the client alive.
    this.#child.unref();
    (this.#child.stdout as Socket | null)?.unref();
  }

  get state(): StartState {
    if (this.#child.exitCode === 0) return 'left';
    return this.#isOver || this.#spawnError !== undefined ? 'failed' : 'running';
  }

  /** Once the daemon answers, or the start is given up: it has nothing more to say here. */
  release(): void {
    this.#child.stdout?.destroy();
  }

  /** What a start that failed is to be reported as: the last thing that the daemon said. */
  failure(): T4aError {
    const { socketPath } = this.#program;
    if (this.#spawnError !== undefined) return unreachable(socketPath, this.#spawnError.message);
    const how = this.#child.signalCode ?? `exit status ${this.#child.exitCode}`;
    const logged = readFileSync(logPath(socketPath)).subarray(this.#logStart).toString();
    const said = lastWords(this.#saidOnStdout || logged);
    const reason = `the daemon ended at its start with ${how}${said ? `, saying: ${said.replace(/\.$/, '')}` : ''}`;
    return unreachable(socketPath, reason, this.#saidOnStdout ? unwritableHint(socketPath) : undefined);
  }
}

/** The daemon's own sentence, else whatever came last: a stack, say. */
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
  // A second name of the file would be a way to have the daemon write into it.
  if (stat.isFile() && stat.nlink === 1 && stat.uid === process.getuid?.()) {
    if (stat.size > MAX_KEPT_LOG_BYTES) ftruncateSync(fd);
    return fd;
  }
  closeSync(fd);
  throw unusableSocketPath(socketPath, `${JSON.stringify(path)} is not a log of yours`);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // ENOTDIR, EACCES: what is wrong is its directory.
    return false;
  }
}
