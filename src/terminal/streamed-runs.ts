/**
 * The output of commands that `run` runs, read while they run. The program waits for the reader: what has not been read is
 * bounded well below what is kept, so nothing of it is lost.
 */
import { Emitter } from '../base/emitter.js';
import type { Disposable } from '../base/lifetime.js';
import { T4aError } from '../protocol/errors.js';
import type { Terminal } from './terminal.js';
import { until } from './until.js';

/** Together with the window of the PTY, below what a terminal keeps of its output. */
const MOST_UNREAD_BYTES = 512 * 1024;
const RESUME_AT_BYTES = MOST_UNREAD_BYTES / 2;

/** Of a terminal whose output is streamed: beyond what is unread, as much is on its way. */
export const MOST_WINDOW_BYTES = 256 * 1024;

export class StreamedRuns {
  readonly #runs = new Map<string, StreamedRun>();

  /** Call {@link StreamedRun.close} at its end. @throws T4aError name_taken */
  open(key: string): StreamedRun {
    if (this.#runs.has(key)) {
      throw new T4aError('name_taken', `A run with the stream "${key}" is under way.`, {
        field: 'stream',
        hint: 'Choose a random key for each run.',
      });
    }
    const run = new StreamedRun(() => this.#runs.delete(key));
    this.#runs.set(key, run);
    return run;
  }

  /** @throws T4aError run_not_found */
  find(key: string): StreamedRun {
    const run = this.#runs.get(key);
    if (run !== undefined) return run;
    throw new T4aError('run_not_found', `No run with the stream "${key}" is under way.`, {
      field: 'run',
      hint: 'Send "run" with this "stream" first; the stream ends with its reply.',
    });
  }
}

export class StreamedRun {
  readonly #drop: () => void;
  /** Emitted when something below has changed. */
  readonly #changed = new Emitter<void>();
  #terminal: Terminal | undefined;
  #listening: Disposable | undefined;
  #isClosed = false;
  /** Offset up to which the output was read. */
  #read = 0;

  constructor(drop: () => void) {
    this.#drop = drop;
  }

  start(terminal: Terminal): void {
    this.#terminal = terminal;
    this.#listening = terminal.feed.add({ onBytes: () => this.#regulate() });
    this.#changed.emit();
  }

  /** Resolves once it has started. @throws T4aError run_not_found if it could not */
  terminal(signal: AbortSignal): Promise<Terminal> {
    return this.#until(signal, () => this.#terminal);
  }

  /** The bytes before this offset are on their way to the reader. */
  handedOut(offset: number): void {
    this.#read = Math.max(this.#read, offset);
    this.#regulate();
    this.#changed.emit();
  }

  /** Resolves once everything before this offset has been handed out. */
  async untilRead(end: number, signal: AbortSignal): Promise<void> {
    await this.#until(signal, () => this.#read >= end || undefined);
  }

  /** What is not read by now is read by nobody: the program goes on. */
  close(): void {
    this.#isClosed = true;
    this.#listening?.dispose();
    this.#terminal?.memory.holdBack(false);
    this.#drop();
    this.#changed.emit();
    this.#changed.clear();
  }

  /** Between the two bounds it stays as it is. */
  #regulate(): void {
    if (this.#isClosed) return;
    const unread = (this.#terminal?.output.total ?? 0) - this.#read;
    if (unread > MOST_UNREAD_BYTES) this.#terminal?.memory.holdBack(true);
    else if (unread <= RESUME_AT_BYTES) this.#terminal?.memory.holdBack(false);
  }

  #until<T>(signal: AbortSignal, reached: () => T | undefined): Promise<T> {
    return until(signal, ({ resolve, reject }, scope) => {
      const check = (): void => {
        const value = reached();
        if (value !== undefined) resolve(value);
        else if (this.#isClosed) reject(new T4aError('run_not_found', 'The run ended before its program started.'));
      };
      scope.add(this.#changed.on(check));
      check();
    });
  }
}
