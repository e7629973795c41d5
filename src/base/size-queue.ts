/** Queue of works, in the order in which they came, until those that have entered leave room. One that is larger than the room enters alone. */
import type { Disposable } from './lifetime.js';

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

export class SizeQueue {
  readonly #mostBytes: () => number;
  readonly #waiting: Waiting[] = [];
  #entered = 0;
  #bytes = 0;

  constructor(mostBytes: () => number) {
    this.#mostBytes = mostBytes;
  }

  get figures(): { readonly entered: number; readonly waiting: number; readonly bytes: number } {
    return { entered: this.#entered, waiting: this.#waiting.length, bytes: this.#bytes };
  }

  /** Disposing the result gives the place back. @throws the signal's reason, when that is aborted first */
  async enter(bytes: number, signal: AbortSignal | undefined): Promise<Disposable> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const place = { bytes, begin };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(place), 1);
        reject(signal?.reason as Error);
        // The next ones may be smaller.
        this.#admit();
      };
      function begin(): void {
        signal?.removeEventListener('abort', leave);
        resolve();
      }
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(place);
      this.#admit();
    });
    return this.#place(bytes);
  }

  #admit(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      if (this.#entered > 0 && this.#bytes + first.bytes > this.#mostBytes()) return;
      this.#waiting.shift();
      this.#entered++;
      this.#bytes += first.bytes;
      first.begin();
    }
  }

  #place(bytes: number): Disposable {
    let given = false;
    return {
      dispose: () => {
        if (given) return;
        given = true;
        this.#entered--;
        this.#bytes -= bytes;
        this.#admit();
      },
    };
  }
}
