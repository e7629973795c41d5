/** The daemon's end of the reader thread, which starts with the first PTY and serves them all. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ReaderReport, ReaderRequest } from './pty-reader-messages.js';

export interface ReaderListener {
  data(bytes: Uint8Array): void;
  /** After the last `data`; the descriptor is closed. */
  finished(): void;
}

export class PtyReaders {
  readonly #listeners = new Map<number, ReaderListener>();
  #thread: Worker | undefined;

  open(fd: number, listener: ReaderListener): void {
    this.#listeners.set(fd, listener);
    this.#ask({ kind: 'open', fd });
  }

  /** The thread may read so many bytes more. */
  acknowledge(fd: number, bytes: number): void {
    this.#ask({ kind: 'acknowledge', fd, bytes });
  }

  /** Once the process has been reaped: reads the rest, closes the descriptor, tells `finished`. */
  finish(fd: number): void {
    this.#ask({ kind: 'finish', fd });
  }

  #ask(request: ReaderRequest): void {
    this.#thread ??= this.#start();
    this.#thread.postMessage(request);
  }

  #start(): Worker {
    const thread = new Worker(threadEntry());
    thread.unref();
    thread.on('message', (report: ReaderReport) => {
      const listener = this.#listeners.get(report.fd);
      if (report.kind === 'data') return listener?.data(report.bytes);
      this.#listeners.delete(report.fd);
      listener?.finished();
    });
    // An error is also the thread's end; without a listener here it reaches the daemon's log as uncaught.
    thread.on('exit', () => {
      this.#thread = undefined;
      const lost = [...this.#listeners.values()];
      this.#listeners.clear();
      for (const listener of lost) listener.finished();
    });
    return thread;
  }
}

/** Beside the daemon's bundle; sources run as they are, by tests, use the built one. */
function threadEntry(): string {
  const candidates = ['./pty-reader-thread.js', '../../dist/pty-reader-thread.js'];
  const files = candidates.map((file) => fileURLToPath(new URL(file, import.meta.url)));
  return files.find((file) => existsSync(file)) ?? files[0] ?? '';
}
