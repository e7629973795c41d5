/**
 * Openings that go on at the same time: each has a thread, and a terminal that nobody sees yet. The others wait in their order, one
 * of each connection at a time, so that many of one client hold up no other. Bounded by the requests of all connections.
 */
import type { Disposable } from '../../base/lifetime.js';

const MAX_RUNNING = 2;

interface Waiting {
  readonly owner: object;
  readonly start: () => void;
}

export class Places {
  readonly #running = new Set<object>();
  #waiting: readonly Waiting[] = [];

  /** Dispose it when the opening has ended. @param owner its connection @throws the signal's reason */
  async take(owner: object, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (!this.#hasPlace(owner)) await this.#until(owner, signal);
    else this.#running.add(owner);
    return {
      dispose: () => {
        this.#running.delete(owner);
        this.#startNext();
      },
    };
  }

  #hasPlace(owner: object): boolean {
    return this.#running.size < MAX_RUNNING && !this.#running.has(owner);
  }

  #until(owner: object, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(signal.reason as Error);
      };
      const start = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const waiting: Waiting = { owner, start };
      this.#waiting = [...this.#waiting, waiting];
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #startNext(): void {
    const next = this.#waiting.find(({ owner }) => this.#hasPlace(owner));
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    // Before it goes on: another one may come in between.
    this.#running.add(next.owner);
    next.start();
  }
}
