/**
 * Where pictures wait until there is memory to draw them: in the order in which they came, but small ones in a line of
 * their own, so that none of them waits for a giant, and no giant for ever for small ones. One that is larger than all of its
 * line's memory is drawn when nothing else of that line is.
 */
import type { Disposable } from '../../base/lifetime.js';

/** Share of the memory that is kept for small pictures, and the largest size of a small one. */
const SMALL_SHARE = 1 / 4;
const SMALL_PICTURE = 1 / 16;

export interface DrawingFigures {
  readonly drawing: number;
  readonly waiting: number;
  /** Memory that the pictures being drawn may take. */
  readonly bytes: number;
}

export class DrawingQueue {
  readonly #mostBytes: () => number;
  readonly #small: SizeQueue;
  readonly #large: SizeQueue;

  /** @param mostBytes for all that are drawn at once; asked again for each */
  constructor(mostBytes: () => number) {
    this.#mostBytes = mostBytes;
    this.#small = new SizeQueue(() => mostBytes() * SMALL_SHARE);
    this.#large = new SizeQueue(() => mostBytes() * (1 - SMALL_SHARE));
  }

  get figures(): DrawingFigures {
    const [small, large] = [this.#small.figures, this.#large.figures];
    return {
      drawing: small.drawing + large.drawing,
      waiting: small.waiting + large.waiting,
      bytes: small.bytes + large.bytes,
    };
  }

  /**
   * Resolves once it is this picture's turn; who is drawn gives the place back by disposing of it.
   * @throws the signal's reason, when that is aborted first
   */
  enter(bytes: number, signal?: AbortSignal): Promise<Disposable> {
    const line = bytes <= this.#mostBytes() * SMALL_PICTURE ? this.#small : this.#large;
    return line.enter(bytes, signal);
  }
}

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

class SizeQueue {
  readonly #mostBytes: () => number;
  readonly #waiting: Waiting[] = [];
  #drawing = 0;
  #bytes = 0;

  constructor(mostBytes: () => number) {
    this.#mostBytes = mostBytes;
  }

  get figures(): DrawingFigures {
    return { drawing: this.#drawing, waiting: this.#waiting.length, bytes: this.#bytes };
  }

  async enter(bytes: number, signal: AbortSignal | undefined): Promise<Disposable> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const place = { bytes, begin };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(place), 1);
        reject(signal?.reason as Error);
        // The next pictures may be smaller.
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
      if (this.#drawing > 0 && this.#bytes + first.bytes > this.#mostBytes()) return;
      this.#waiting.shift();
      this.#drawing++;
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
        this.#drawing--;
        this.#bytes -= bytes;
        this.#admit();
      },
    };
  }
}
