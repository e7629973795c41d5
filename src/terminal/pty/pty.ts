/**
 * One pseudoterminal and its process. Bytes are read in the reader thread (see reader.ts, also for why the end of the
 * output is never lost); input is written here.
 *
 * Order at the end of a process: it is reaped, the reader thread reads the rest and closes the master, then the slave
 * that was held open for this is closed, then `onExit` is emitted.
 */
import { constants, closeSync, openSync } from 'node:fs';
import { Emitter } from '../../base/emitter.js';
import { DEFAULT_CONFIG } from '../../protocol/commands/config.js';
import { LentBuffers } from './burst-buffers.js';
import { withOpenFiles } from '../system/open-files.js';
import { sendSignal } from '../system/processes.js';
import { loadNative } from './native.js';
import type { PtyReaders } from './readers.js';
import { OutputWindow } from './output-window.js';
import { type Abandonable, PtyWriter } from './writer.js';

export interface PtyOptions {
  /** Absolute path of the program. */
  readonly file: string;
  /** Arguments after the program's own name. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
  /** Soft limit of open files. Default: that of this process. */
  readonly openFiles?: number | undefined;
  /** Most output read ahead of {@link Pty.acknowledge}; beyond it the program waits. Default: the configuration's. */
  readonly windowBytes?: number;
  /** What of it is open at first, until output is parsed fast. Default: all. */
  readonly firstWindowBytes?: number;
  /** Input waiting for the program to read it; beyond it a write is refused. Default: the configuration's. */
  readonly maxPendingInputBytes?: number;
}

export interface PtyExit {
  /** Exit code; null when a signal ended the process. */
  readonly code: number | null;
  /** Signal number; null when the process ended by itself. */
  readonly signal: number | null;
}

/** A pseudoterminal that another process has opened. It is held at first: {@link Pty.resume}. */
export interface AdoptedPty {
  readonly pid: number;
  /** Path of the slave device. */
  readonly device: string;
  /** Of the master; undefined once its process and its output have ended. */
  readonly fd: number | undefined;
  /** Calls back once the process has ended, as its parent says. */
  onReaped(listener: (exit: PtyExit) => void): void;
}

type Reaped = (exit: PtyExit) => void;

/** All that a terminal uses of it; what hands it on is apart. */
export type PtyPart = Omit<Pick<Pty, keyof Pty>, 'hold' | 'resume' | 'release' | 'fd'>;

export class Pty {
  readonly pid: number;
  /** Path of the slave device, for example /dev/pts/3. */
  readonly device: string;
  readonly onData = new Emitter<Uint8Array>();
  /** Emitted after the last `onData`. */
  readonly onExit = new Emitter<PtyExit>();
  /** Of the master. */
  readonly fd: number;
  readonly #readers: PtyReaders;
  readonly #reading: number;
  readonly #writer: PtyWriter;
  #slaveFd: number | undefined;
  /** Set once the process has been reaped. */
  #exit: PtyExit | undefined;
  #closed = false;
  /** The reader has closed the descriptor: no more output comes. */
  #outputHasEnded = false;
  readonly #window: OutputWindow;
  readonly #lent = new LentBuffers();
  /** Used up by the owner, and not yet acknowledged to the reader. */
  #usedBuffers: ArrayBuffer[] = [];
  #paused = false;
  #heldBack = false;
  #isHeld = false;

  /**
   * @param adopted in place of one that it opens
   * @throws Error if the system refuses a PTY or a process
   */
  constructor(options: PtyOptions, readers: PtyReaders, adopted?: AdoptedPty) {
    const reaped: Reaped = (exit) => this.#reaped(exit);
    const child = adopted ?? fork(options, reaped);
    adopted?.onReaped(reaped);
    const fd = child.fd ?? NO_FD;
    this.pid = child.pid;
    this.device = child.device;
    this.fd = fd;
    this.#isHeld = adopted !== undefined;
    this.#writer = new PtyWriter(fd, options.maxPendingInputBytes ?? DEFAULT_CONFIG.input_buffer_bytes);
    const mostBytes = options.windowBytes ?? DEFAULT_CONFIG.output_buffer_bytes;
    this.#window = new OutputWindow(
      readers.windows,
      Math.min(mostBytes, options.firstWindowBytes ?? mostBytes),
      mostBytes,
    );
    this.#readers = readers;
    if (fd === NO_FD) {
      this.#reading = NO_FD;
      this.#leaveToReader();
      this.#outputHasEnded = true;
      return;
    }
    this.#slaveFd = openSlave(child.device);
    try {
      this.#reading = readers.open(
        fd,
        this.#window.firstBytes,
        {
          data: (bytes) => {
            this.#lent.received(bytes);
            this.#window.received(bytes.length);
            this.onData.emit(bytes);
          },
          // After lost output the rest would be misleading. Closing the descriptor hangs up on the program.
          failed: () => this.#finishReading(),
          finished: () => this.#outputEnded(),
          lost: () => this.#lost(),
        },
        adopted !== undefined,
      );
    } catch (error) {
      this.#leaveToReader();
      for (const each of [fd, this.#slaveFd]) if (each !== undefined) closeSync(each);
      sendSignal(-child.pid, 'SIGKILL');
      throw error;
    }
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The owner has used the next `bytes` of `onData`, in one slice: as many more may be read, and their memory is reused. */
  acknowledge(bytes: number): void {
    if (bytes > 0) this.#window.used(bytes);
    this.#usedBuffers.push(...this.#lent.used(bytes));
    if (this.#closed || this.#paused || this.#heldBack) return;
    const credit = this.#window.takeCredit();
    if (credit === 0) return;
    this.#readers.acknowledge(this.#reading, credit, this.#usedBuffers);
    this.#usedBuffers = [];
  }

  /**
   * Resolves once `onData` has delivered all that was printed before the call, or as much of it as the window has room
   * for.
   */
  catchUp(): Promise<void> {
    return this.#closed ? Promise.resolve() : this.#readers.catchUp(this.#reading);
  }

  /** While true, only the rest of the window is read, so that the program soon blocks in its writes. */
  get paused(): boolean {
    return this.#paused;
  }

  set paused(paused: boolean) {
    this.#paused = paused;
    this.acknowledge(0);
  }

  /** The same, for a reader that is slower than the program; independent of {@link paused}. */
  holdBack(on: boolean): void {
    if (on === this.#heldBack) return;
    this.#heldBack = on;
    this.acknowledge(0);
  }

  /** Bytes accepted but not yet taken by the kernel. */
  get pendingInputBytes(): number {
    return this.#writer.pendingBytes;
  }

  /**
   * Resolves once the kernel has all of `bytes`.
   * @throws InputBlockedError if the program does not read and the kernel's buffer stays full
   * @throws InputInterruptedError if it is abandonable and an interrupt came
   */
  write(bytes: Uint8Array, abandonable?: Abandonable): Promise<void> {
    return this.#writer.write(bytes, abandonable);
  }

  /** Writes `bytes` before all queued writes; abandonable ones are dropped. */
  interrupt(bytes: Uint8Array): Promise<void> {
    return this.#writer.interrupt(bytes);
  }

  /** Drops queued writes that are abandonable. */
  abandonInput(): void {
    this.#writer.abandon();
  }

  resize(cols: number, rows: number, pixels: { width: number; height: number }): void {
    if (!this.#closed) loadNative().native.resize(this.fd, cols, rows, pixels.width, pixels.height);
  }

  #reaped(exit: PtyExit): void {
    this.#exit = exit;
    if (this.#isHeld) return;
    if (this.#outputHasEnded) return this.#ended(exit);
    this.#finishReading();
  }

  /**
   * Makes the kernel hang up on the session, which reaches processes that the daemon may not signal. The rest of the
   * output is read.
   */
  hangUp(): void {
    this.#finishReading();
  }

  /** Resolves once `onData` has delivered all that was read; nothing more is read, and no end is reported, until {@link resume}. */
  async hold(): Promise<void> {
    this.#isHeld = true;
    if (!this.#closed) await this.#readers.hold(this.#reading);
  }

  resume(): void {
    this.#isHeld = false;
    if (!this.#closed) this.#readers.resume(this.#reading);
    if (this.#exit !== undefined) this.#reaped(this.#exit);
  }

  /** Leaves it to another process that has its descriptor, too. Of this one only the end of the process is reported. */
  release(): void {
    this.#isHeld = false;
    if (this.#closed) return;
    this.#leaveToReader();
    this.#readers.release(this.#reading);
  }

  /** Idempotent: a reader may fail while its process is being reaped. */
  #finishReading(): void {
    if (this.#closed) return;
    this.#leaveToReader();
    this.#readers.finish(this.#reading);
  }

  /**
   * The thread has ended and has closed the descriptor: the kernel hangs up on the programs, unless the thread never
   * had it.
   */
  #lost(): void {
    if (!this.#closed) this.#leaveToReader();
    this.#outputEnded();
    if (this.#exit === undefined) sendSignal(-this.pid, 'SIGHUP');
  }

  /** From here on the reader alone uses the descriptor: it closes it, and its number may then be reused. */
  #leaveToReader(): void {
    this.#closed = true;
    this.#writer.dispose();
  }

  #outputEnded(): void {
    this.#outputHasEnded = true;
    this.#window.close();
    if (this.#slaveFd !== undefined) closeSync(this.#slaveFd);
    this.#slaveFd = undefined;
    if (this.#exit !== undefined) this.#ended(this.#exit);
  }

  #ended(exit: PtyExit): void {
    this.onExit.emit(exit);
    this.onData.clear();
    this.onExit.clear();
  }
}

/** In the place of a descriptor and of a number of a reader. */
const NO_FD = -1;

function fork(options: PtyOptions, reaped: Reaped): Omit<AdoptedPty, 'onReaped'> {
  const { native, helperPath } = loadNative();
  const { file, args } = withOpenFiles(options, options.openFiles);
  const { fd, pid, pty } = native.fork(
    file,
    [...args],
    Object.entries(options.env).map(([name, value]) => `${name}=${value}`),
    options.cwd,
    options.cols,
    options.rows,
    -1,
    -1,
    true,
    helperPath,
    (code, signal) => reaped({ code: signal > 0 ? null : code, signal: signal > 0 ? signal : null }),
  );
  return { fd, pid, device: pty };
}

/** Undefined if the device cannot be opened: the end of the output is then as safe as the platform makes it. */
function openSlave(device: string): number | undefined {
  try {
    return openSync(device, constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
}
