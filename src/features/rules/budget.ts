/** Time for the rules of all terminals together, so that rules that match everything slow nothing but themselves down. */
import type { Clock } from '../../base/clock.js';
import type { Work } from '../../search/work.js';

/** Milliseconds of each second. */
const MS_A_SECOND = 50;
const BURST_MS = 100;

export class Budget {
  readonly #clock: Clock;
  #left = BURST_MS;
  #atMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#atMs = clock.now();
  }

  /** Milliseconds until there is time again; 0 if there is. */
  get delayMs(): number {
    const now = this.#clock.now();
    this.#left = Math.min(BURST_MS, this.#left + ((now - this.#atMs) * MS_A_SECOND) / 1000);
    this.#atMs = now;
    return this.#left >= 0 ? 0 : (-this.#left * 1000) / MS_A_SECOND;
  }

  /** The same work, whose time is taken from here. */
  *spend<T>(work: Work<T>): Work<T> {
    for (;;) {
      const startMs = performance.now();
      const next = work.next();
      this.#left -= performance.now() - startMs;
      if (next.done === true) return next.value;
      yield next.value;
    }
  }
}
