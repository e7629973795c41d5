/**
 * The daemon's end of the reader thread, which starts with the first PTY and serves them all. Its program is read when the
 * daemon starts: by the first PTY the package may have been replaced or removed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ReaderReport, ReaderRequest } from './pty-reader-messages.js';

export interface ReaderListener {
  data(bytes: Uint8Array): void;
  /** After the last `data`; the descriptor is closed. */
  finished(): void;
  /** The thread has ended, by a defect: nothing is read any more, and the PTY's `finish` will not be answered. */
  lost(): void;
}

export class PtyReaders {
  readonly #program: string;
  readonly #listeners = new Map<number, ReaderListener>();
  #ptys = 0;
  #thread: Worker | undefined;

  /** @param program source of the thread: CommonJS */
  constructor(program: string = threadProgram()) {
    this.#program = program;
  }

  /**
   * @param windowBytes read at most before they are acknowledged
   * @returns the number that names the PTY from here on
   */
  open(fd: number, windowBytes: number, listener: ReaderListener): number {
    const pty = ++this.#ptys;
    this.#listeners.set(pty, listener);
    this.#ask({ kind: 'open', pty, fd, windowBytes });
    return pty;
  }

  /** The thread may read so many bytes more. */
  acknowledge(pty: number, bytes: number): void {
    this.#ask({ kind: 'acknowledge', pty, bytes });
  }

  /** Once the process has been reaped: reads the rest, closes the descriptor, tells `finished`. */
  finish(pty: number): void {
    this.#ask({ kind: 'finish', pty });
  }

  #ask(request: ReaderRequest): void {
    this.#thread ??= this.#start();
    this.#thread.postMessage(request);
  }

  #start(): Worker {
    const thread = new Worker(this.#program, { eval: true });
    thread.unref();
    thread.on('message', (report: ReaderReport) => {
      const listener = this.#listeners.get(report.pty);
      if (report.kind === 'data') return listener?.data(report.bytes);
      this.#listeners.delete(report.pty);
      listener?.finished();
    });
    // An error is also the thread's end; without a listener here it reaches the daemon's log as uncaught.
    thread.on('exit', () => {
      this.#thread = undefined;
      const lost = [...this.#listeners.values()];
      this.#listeners.clear();
      for (const listener of lost) listener.lost();
    });
    return thread;
  }
}

/** Beside the daemon's bundle; sources run as they are, by tests, use the built one. */
function threadProgram(): string {
  const candidates = ['./pty-reader-thread.cjs', '../../dist/pty-reader-thread.cjs'];
  const files = candidates.map((file) => fileURLToPath(new URL(file, import.meta.url)));
  return readFileSync(files.find((file) => existsSync(file)) ?? files[0] ?? '', 'utf8');
}
