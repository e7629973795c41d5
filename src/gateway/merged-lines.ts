/** Events of several hosts as one stream, in the order of their arrival. Bounded: a slow reader slows the hosts' streams. */
import { Emitter, type Listener } from '../base/emitter.js';
import type { Disposable } from '../base/lifetime.js';
import type { LineSource } from '../rpc/service.js';

/** Lines that are read ahead of the client. */
const MAX_QUEUED = 1024;

export class MergedLines implements LineSource {
  readonly #queue: object[] = [];
  readonly #readable = new Emitter<void>();
  readonly #taken = new Emitter<void>();
  readonly #ending = new AbortController();

  /** Aborted when nobody reads any more. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  next(): object | undefined {
    const line = this.#queue.shift();
    if (line !== undefined) this.#taken.emit();
    return line;
  }

  onReadable(listener: Listener<void>): Disposable {
    return this.#readable.on(listener);
  }

  /** Resolves once there is room for more. */
  async put(line: object): Promise<void> {
    this.#queue.push(line);
    this.#readable.emit();
    while (this.#queue.length >= MAX_QUEUED && !this.signal.aborted) {
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
  }
}
