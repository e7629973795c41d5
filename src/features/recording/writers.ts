/**
 * Starts the thread that writes recordings with the first open file, ends it with the last, and talks to it. Files are lost with
 * the thread, and none of what is recorded.
 */
import { Worker } from 'node:worker_threads';
import { threadProgram } from './writer-thread-program.js';
import type { CastEvent, NewFile, WriterReport, WriterRequest } from './writer-messages.js';

/** Called in this order: `opened` at most once, `written` for each piece, `closed` last. */
export interface FileListener {
  /** @param inode of the file */
  opened(inode: number): void;
  settled(): void;
  /** @param weight of the events that are in the file now @param size of the file */
  written(weight: number, size: number): void;
  /** @param error that ended it early, or kept it from being opened */
  closed(error: Error | undefined): void;
}

export class Writers {
  readonly #listeners = new Map<number, FileListener>();
  readonly #program: () => string;
  #files = 0;
  #thread: Worker | undefined;

  /** @param program source code of the thread: CommonJS */
  constructor(program: () => string = threadProgram) {
    this.#program = program;
  }

  /**
   * @returns the number of the file in later calls
   * @throws Error if the thread cannot be started
   */
  open(facts: NewFile, listener: FileListener): number {
    this.#thread ??= this.#start();
    const file = ++this.#files;
    this.#listeners.set(file, listener);
    this.#ask({ kind: 'open', file, facts });
    return file;
  }

  append(file: number, event: CastEvent): void {
    this.#ask({ kind: 'append', file, event }, typeof event.text === 'string' ? [] : [event.text.buffer]);
  }

  settle(file: number): void {
    this.#ask({ kind: 'settle', file });
  }

  finish(file: number): void {
    this.#ask({ kind: 'finish', file });
  }

  /** At a shutdown: a disk that does not answer may hold the thread. */
  dispose(): void {
    this.#end();
  }

  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  #ask(request: WriterRequest, transferred: readonly ArrayBuffer[] = []): void {
    this.#thread?.postMessage(request, transferred);
  }

  #start(): Worker {
    const thread = new Worker(this.#program(), { eval: true });
    let reason = 'it was stopped';
    thread.on('message', (report: WriterReport) => this.#reported(report));
    thread.on('error', (error: Error) => (reason = error.message));
    thread.on('exit', () => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      const lost = [...this.#listeners.values()];
      this.#listeners.clear();
      for (const listener of lost) listener.closed(new Error(`the thread that writes it has ended: ${reason}`));
    });
    return thread;
  }

  #end(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    void thread?.terminate();
  }

  #reported(report: WriterReport): void {
    const listener = this.#listeners.get(report.file);
    if (report.kind === 'opened') listener?.opened(report.inode);
    else if (report.kind === 'settled') listener?.settled();
    else if (report.kind === 'written') listener?.written(report.weight, report.size);
    else {
      const { error, file } = report;
      this.#listeners.delete(file);
      if (this.#listeners.size === 0) this.#end();
      listener?.closed(error && Object.assign(new Error(error.message), { code: error.code }));
    }
  }
}
