/**
 * Where pictures wait until there is memory to draw them: in the order in which they came, but small ones in a line of
 * their own, so that none of them waits for a giant, and no giant for ever for small ones. One that is larger than all of its
 * line's memory is drawn when nothing else of that line is.
 */
import type { Disposable } from '../../base/lifetime.js';
import { SizeQueue } from '../../base/size-queue.js';

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
      drawing: small.entered + large.entered,
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
