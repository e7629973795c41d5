/**
 * The daemon's side of the reader thread, which starts with the first PTY and serves all. Its program is read when the
 * daemon starts: by the first PTY the package may have been replaced or removed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Emitter } from '../../base/emitter.js';
import { WindowPool } from './output-window.js';
import type { ReaderReport, ReaderRequest } from './reader-messages.js';

export interface ReaderListener {
  data(bytes: Uint8Array<ArrayBuffer>): void;
  /**
   * This PTY cannot be read any more, because of an error: no more `data`. Its descriptor is open until `finish`, which
   * is answered by `finished`.
   */
  failed(): void;
  /** Called after the last `data`; the descriptor is closed. */
  finished(): void;
  /**
   * The thread has ended: it was out of memory, or could not start. The descriptors are closed, and no `finished`
   * follows.
   */
  lost(): void;
}

/** PTYs count from 1. */
const NO_PTY = 0;

export class PtyReaders {
  /** Errors in the thread; it continues. */
  readonly onFault = new Emitter<Error>();
  readonly windows = new WindowPool();
  readonly #program: string;
  readonly #listeners = new Map<number, ReaderListener>();
  /** Pending calls of `catchUp` by PTY, in their order. */
  readonly #catchingUp = new Map<number, (() => void)[]>();
  /** Pending calls of `hold`. */
  readonly #holding = new Map<number, () => void>();
  #ptys = 0;
  #thread: Worker | undefined;

  /** @param program source code of the thread: CommonJS */
  constructor(program: string = threadProgram()) {
    this.#program = program;
  }

  /**
   * @param isHeld nothing is read until {@link resume}
   * @param windowBytes bound of unacknowledged bytes, as long as no more bytes are acknowledged than were read
   * @returns the number of the PTY in later calls
   * @throws Error if the system refuses the thread; the caller then keeps the descriptor
   */
  open(fd: number, windowBytes: number, listener: ReaderListener, isHeld = false): number {
    const pty = ++this.#ptys;
    this.#listeners.set(pty, listener);
    try {
      this.#ask({ kind: 'open', pty, fd, windowBytes, isHeld });
    } catch (error) {
      this.#listeners.delete(pty);
      throw error;
    }
    return pty;
  }

  /**
   * Lets the thread read this many bytes more.
   * @param buffers used-up memory of output; it is transferred to the thread
   */
  acknowledge(pty: number, bytes: number, buffers: readonly ArrayBuffer[]): void {
    this.#ask({ kind: 'acknowledge', pty, bytes, buffers }, buffers);
  }

  /** Resolves once all output printed before the call is delivered, or as much of it as the window has room for. */
  catchUp(pty: number): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#listeners.has(pty)) return resolve();
      this.#catchingUp.set(pty, [...(this.#catchingUp.get(pty) ?? []), resolve]);
      this.#ask({ kind: 'catch_up', pty });
    });
  }

  /** Resolves once all that was read is delivered, and nothing more is read until {@link resume}. */
  hold(pty: number): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#listeners.has(pty)) return resolve();
      this.#holding.set(pty, resolve);
      this.#ask({ kind: 'hold', pty });
    });
  }

  /** Starts the thread. @returns whether it answers: one without its program, or without memory, ends instead */
  async begin(): Promise<boolean> {
    await new Promise<void>((resolve) => {
      this.#holding.set(NO_PTY, resolve);
      this.#ask({ kind: 'hold', pty: NO_PTY });
    });
    return this.#thread !== undefined;
  }

  resume(pty: number): void {
    this.#ask({ kind: 'resume', pty });
  }

  /** Closes the descriptor, and leaves the rest of the output to another process that has it; reports `finished`. */
  release(pty: number): void {
    this.#ask({ kind: 'release', pty });
  }

  /** After the process has been reaped: reads the rest, closes the descriptor, reports `finished`. */
  finish(pty: number): void {
    this.#ask({ kind: 'finish', pty });
  }

  /** Ends the thread. It closes the descriptors that it still reads, and the kernel hangs up on their programs. */
  dispose(): void {
    void this.#thread?.terminate();
  }

  #ask(request: ReaderRequest, transferred: readonly ArrayBuffer[] = []): void {
    this.#thread ??= this.#start();
    this.#thread.postMessage(request, transferred);
  }

  #start(): Worker {
    // The daemon opened the descriptors that the thread closes; tracking would print a warning for each.
    const thread = new Worker(this.#program, { eval: true, trackUnmanagedFds: false });
    thread.unref();
    thread.on('message', (report: ReaderReport) => this.#reported(report));
    // An error also ends the thread; it reaches the daemon's log as an uncaught exception, since it has no listener
    // here.
    thread.on('exit', () => {
      this.#thread = undefined;
      const lost = [...this.#listeners.values()];
      this.#listeners.clear();
      for (const pty of this.#catchingUp.keys()) this.#caughtUp(pty, Infinity);
      for (const pty of this.#holding.keys()) this.#isHeld(pty);
      for (const listener of lost) listener.lost();
    });
    return thread;
  }

  /** @param count how many of the pending calls, the oldest ones */
  #caughtUp(pty: number, count: number): void {
    const waiting = this.#catchingUp.get(pty) ?? [];
    const reached = waiting.splice(0, count);
    if (waiting.length === 0) this.#catchingUp.delete(pty);
    for (const resolve of reached) resolve();
  }

  #isHeld(pty: number): void {
    this.#holding.get(pty)?.();
    this.#holding.delete(pty);
  }

  #reported(report: ReaderReport): void {
    switch (report.kind) {
      case 'data':
        this.#listeners.get(report.pty)?.data(report.bytes);
        break;
      case 'failed':
        this.#listeners.get(report.pty)?.failed();
        this.onFault.emit(new Error(`a terminal's output can no longer be read: ${report.reason}`));
        break;
      case 'caught_up':
        this.#caughtUp(report.pty, 1);
        break;
      case 'held':
        this.#isHeld(report.pty);
        break;
      case 'finished': {
        const listener = this.#listeners.get(report.pty);
        this.#listeners.delete(report.pty);
        listener?.finished();
        break;
      }
      case 'fault':
        this.onFault.emit(new Error(`the reader thread: ${report.reason}`));
        break;
    }
  }
}

/** The file beside the daemon's bundle; sources that tests run directly use the built one. */
function threadProgram(): string {
  const candidates = ['./pty-reader-thread.cjs', '../../../dist/pty-reader-thread.cjs'];
  const files = candidates.map((file) => fileURLToPath(new URL(file, import.meta.url)));
  return readFileSync(files.find((file) => existsSync(file)) ?? files[0] ?? '', 'utf8');
}
