/**
 * Shares the process between all work that may take long: what is done within a few milliseconds is done at once; the rest
 * goes on piece by piece, each job in its turn, and back to the event loop in between. However many searches are under way
 * and whatever their patterns, everybody else waits for one slice.
 */
import type { Disposable } from '../../base/lifetime.js';
import type { Work } from './work.js';

/** For all work together, in one round of the event loop: what nobody who waits for a reply notices. */
const SLICE_MS = 4;
/** For one job of several. */
const JOB_MS = 1;

/** Goes on until it has ended (then it returns true) or its time is up. */
type Job = (untilMs: number) => boolean;

export class WorkSchedule {
  readonly #waiting: Job[] = [];
  #scheduled = false;
  /** Of this round of the event loop. */
  #sliceEndMs = 0;

  /**
   * `onEnd` is called once, maybe before this returns. What it is given returns the result, or throws what the work threw.
   * @returns what gives the work up
   */
  run<T>(work: Work<T>, onEnd: (result: () => T) => void): Disposable {
    let givenUp = false;
    const job: Job = (untilMs) => {
      const result = givenUp ? undefined : advance(work, untilMs);
      if (result !== undefined) onEnd(result);
      return givenUp || result !== undefined;
    };
    if (!this.#scheduled) this.#beginSlice();
    // Newcomers go first: nearly all of them end within their first turn.
    if (performance.now() >= this.#sliceEndMs || !job(this.#sliceEndMs)) this.#waiting.unshift(job);
    return {
      dispose: () => {
        givenUp = true;
      },
    };
  }

  /** @throws what the work throws; the signal's reason */
  async finish<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const ended = new AbortController();
    let running: Disposable | undefined;
    try {
      const result = await new Promise<() => T>((resolve, reject) => {
        running = this.run(work, resolve);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: ended.signal });
      });
      return result();
    } finally {
      running?.dispose();
      ended.abort();
    }
  }

  #beginSlice(): void {
    this.#scheduled = true;
    this.#sliceEndMs = performance.now() + SLICE_MS;
    setImmediate(this.#slice);
  }

  readonly #slice = (): void => {
    this.#scheduled = false;
    if (this.#waiting.length === 0) return;
    this.#beginSlice();
    for (let now = performance.now(); now < this.#sliceEndMs; now = performance.now()) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      if (!job(Math.min(now + JOB_MS, this.#sliceEndMs))) this.#waiting.push(job);
    }
  };
}

/** @returns nothing yet, or what returns or throws what came of the work */
function advance<T>(work: Work<T>, untilMs: number): (() => T) | undefined {
  try {
    let next = work.next();
    while (next.done !== true && performance.now() < untilMs) next = work.next();
    if (next.done !== true) return undefined;
    const { value } = next;
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
