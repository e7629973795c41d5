/**
 * Shares the event loop between long works of one kind: in each of its rounds one of them goes on, for a few milliseconds or one change
 * of size, and all else is served between two rounds. Bounded by the works, each of which waits at most once.
 */

/** A change of a large size takes longer, and is one piece. */
const SLICE_MS = 4;

export class LoopTurns {
  readonly sliceMs: number;
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;
  #restMs = 0;

  constructor(sliceMs = SLICE_MS) {
    this.sliceMs = sliceMs;
  }

  /** Resolves when it is the caller's turn: the loop has gone round since the last one. @throws the signal's reason */
  async next(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
    signal.throwIfAborted();
  }

  /**
   * A piece of work took longer than a slice: more than its time is for others alone, before the next turn. Most of what they ask then
   * comes at once.
   */
  rest(tookMs: number): void {
    if (tookMs > SLICE_MS) this.#restMs = tookMs * REST_SHARE;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    if (this.#restMs > 0) setTimeout(this.#run, this.#restMs);
    else setImmediate(this.#run);
    this.#restMs = 0;
  }

  readonly #run = (): void => {
    this.#isScheduled = false;
    this.#waiting.shift()?.();
    // Once the first has worked: it may ask for a rest.
    if (this.#waiting.length > 0) setImmediate(() => this.#schedule());
  };
}

const REST_SHARE = 3 / 2;

/** The time of one work within its turn. */
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
    this.#endMs = performance.now() + this.#turns.sliceMs;
  }
}
