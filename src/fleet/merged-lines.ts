/** Events of several hosts as one stream, in the order of their arrival. Bounded: a slow reader slows the hosts' streams. */
import { Emitter, type EmitterListener } from '../base/emitter.js';
import { bytesOfLine } from '../client/event-stream.js';
import type { Disposable } from '../base/lifetime.js';

/** Bound of the lines that are read ahead of the client: 1,024 short ones, and few of the longest. */
const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

interface Queued<Line> {
  readonly line: Line;
  readonly bytes: number;
}

export class MergedLines<Line extends object = object> {
  readonly #queue: Queued<Line>[] = [];
  #bytes = 0;
  readonly #readable = new Emitter<void>();
  readonly #taken = new Emitter<void>();
  readonly #ending = new AbortController();

  /** Aborted when nobody reads any more. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  next(): Line | undefined {
    const next = this.#queue.shift();
    if (next === undefined) return undefined;
    this.#bytes -= next.bytes;
    this.#taken.emit();
    return next.line;
  }

  onReadable(listener: EmitterListener<void>): Disposable {
    return this.#readable.on(listener);
  }

  /** Resolves once there is room for more. @param received the line as it came; another one is short */
  async put(line: Line, received: object = line): Promise<void> {
    const bytes = bytesOfLine(received);
    this.#queue.push({ line, bytes });
    this.#bytes += bytes;
    this.#readable.emit();
    while (this.#bytes >= MAX_QUEUED_BYTES && !this.signal.aborted) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          listening.dispose();
          this.signal.removeEventListener('abort', done);
          resolve();
        };
        const listening = this.#taken.on(done);
        this.signal.addEventListener('abort', done, { once: true });
      });
    }
  }

  dispose(): void {
    this.#ending.abort();
    this.#queue.length = 0;
    this.#bytes = 0;
  }
}
