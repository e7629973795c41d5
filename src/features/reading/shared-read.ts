/** One long read for all who asked for the same: it goes on as long as one of them waits, and is kept until the last has it. */
import type { Disposable } from '../../base/lifetime.js';
import type { MadeBytes } from '../../rpc/made-bytes.js';

export class SharedRead<T> implements Disposable {
  /** Dispose it with the last one. */
  readers = 0;
  readonly made: MadeBytes;
  readonly #make: (signal: AbortSignal) => Promise<T>;
  readonly #abort = new AbortController();
  #made: Promise<T> | undefined;

  constructor(make: (signal: AbortSignal) => Promise<T>, made: MadeBytes) {
    this.#make = make;
    this.made = made;
  }

  /** Begins with the first call. @throws the error of the work; the signal's reason */
  result(signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const made = (this.#made ??= this.#make(this.#abort.signal));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      const ended = (): void => signal.removeEventListener('abort', onAbort);
      signal.addEventListener('abort', onAbort, { once: true });
      made.then(resolve, reject).finally(ended);
    });
  }

  dispose(): void {
    this.#abort.abort();
  }
}
