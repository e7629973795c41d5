/**
 * Shares the event loop between openings: in each of its rounds one of them works, for a few milliseconds or one change of size, and
 * all else is served between two rounds. Bounded by the openings, each of which waits at most once.
 */

/** A change of a large size takes longer, and is one piece. */
const SLICE_MS = 4;

export class LoopTurns {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  /** Resolves when it is the caller's turn: the loop has gone round since the last one. @throws the signal's reason */
  async next(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
    signal.throwIfAborted();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#run);
  }

  readonly #run = (): void => {
    this.#isScheduled = false;
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#schedule();
  };
}

/** The time of one opening within its turn. */
export class TurnTaker {
  readonly #turns: LoopTurns;
  readonly #signal: AbortSignal;
  #endMs = 0;

  constructor(turns: LoopTurns, signal: AbortSignal) {
    this.#turns = turns;
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  /** @throws the signal's reason */
  async next(): Promise<void> {
    await this.#turns.next(this.#signal);
    this.#endMs = performance.now() + SLICE_MS;
  }
}
