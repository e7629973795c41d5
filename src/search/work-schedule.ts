/**
 * Shares the process between all long work: what ends within a few milliseconds is done at once; the rest continues in
 * slices, job by job, with a return to the event loop in between. Other requests wait for one slice at most, however
 * many searches run and whatever their patterns.
 */
import type { Disposable } from '../base/lifetime.js';
import type { Work } from './work.js';

/** Milliseconds for all work together, in one round of the event loop: too short to be noticed in a reply. */
const SLICE_MS = 4;
/** Slice of one job among several. */
const JOB_MS = 1;

/** Continues until it has ended (returns true) or its time is up. */
type Job = (untilMs: number) => boolean;

export class WorkSchedule {
  readonly #sliceMs: number;
  /** Not begun, in the order in which they came. Nearly all of them end within their first slice: they go first. */
  readonly #new: Job[] = [];
  readonly #waiting: Job[] = [];
  #scheduled = false;
  /** End of this round's slice. */
  #sliceEndMs = 0;

  /** @param sliceMs for all work of this schedule, in one round of the event loop */
  constructor(sliceMs = SLICE_MS) {
    this.#sliceMs = sliceMs;
  }

  /**
   * Calls `onEnd` once, perhaps before this returns. Its argument returns the result, or throws the error of the work.
   * @returns disposing it stops the work
   */
  run<T>(work: Work<T>, onEnd: (result: () => T) => void): Disposable {
    let givenUp = false;
    const job: Job = (untilMs) => {
      const result = givenUp ? undefined : advance(work, untilMs);
      if (result !== undefined) onEnd(result);
      return givenUp || result !== undefined;
    };
    if (!this.#scheduled) this.#beginSlice();
    if (this.#new.length > 0 || performance.now() >= this.#sliceEndMs) this.#new.push(job);
    else if (!job(this.#sliceEndMs)) this.#waiting.unshift(job);
    return {
      dispose: () => {
        givenUp = true;
      },
    };
  }

  /** @throws the error of the work; the signal's reason */
  async finish<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    let running: Disposable | undefined;
    let onAbort: (() => void) | undefined;
    try {
      const result = await new Promise<() => T>((resolve, reject) => {
        running = this.run(work, resolve);
        // A second signal for its end would cost a stack trace each time.
        onAbort = () => reject(signal.reason as Error);
        signal.addEventListener('abort', onAbort, { once: true });
      });
      return result();
    } finally {
      running?.dispose();
      if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
    }
  }

  #beginSlice(): void {
    this.#scheduled = true;
    this.#sliceEndMs = performance.now() + this.#sliceMs;
    setImmediate(this.#slice);
  }

  readonly #slice = (): void => {
    this.#scheduled = false;
    if (this.#new.length + this.#waiting.length === 0) return;
    this.#beginSlice();
    for (let now = performance.now(); now < this.#sliceEndMs; now = performance.now()) {
      const job = this.#new.shift() ?? this.#waiting.shift();
      if (job === undefined) return;
      if (!job(Math.min(now + JOB_MS, this.#sliceEndMs))) this.#waiting.push(job);
    }
  };
}

/** @returns undefined while the work goes on; else a function that returns its result or throws its error */
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
