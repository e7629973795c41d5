/** The event `settled`: once for each time that the screen has come to rest. */
import type { Clock } from '../base/clock.js';
import type { Settled, SettledDetector } from './settled.js';

/** Stillness of the screen before `settled` is published; waits name their own. */
export const SETTLED_EVENT_MS = 500;

export class SettledReports {
  readonly #detector: SettledDetector;
  readonly #clock: Clock;
  readonly #report: (settled: Settled) => void;
  #isWatching = false;
  #reportedMs = -1;

  constructor(detector: SettledDetector, clock: Clock, report: (settled: Settled) => void) {
    this.#detector = detector;
    this.#clock = clock;
    this.#report = report;
  }

  /** The screen has changed since the last report. */
  get isWatching(): boolean {
    return this.#isWatching;
  }

  onScreenChanged(): void {
    this.#detector.onScreenChanged();
    if (this.#isWatching) return;
    this.#isWatching = true;
    this.#detector.watch(SETTLED_EVENT_MS, this.#clock.now(), (settled) => {
      this.#isWatching = false;
      // Only cells that are left out have changed since: the screen is as settled as it was.
      if (this.#detector.lastChangeAtMs === this.#reportedMs) return;
      this.#reportedMs = this.#detector.lastChangeAtMs;
      this.#report(settled);
    });
  }
}
