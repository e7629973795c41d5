/** When a screen is looked at: soon after output, at most ten times a second, and once more when it stands. Pure: times come in. */

/** Between output and its look: programs draw in several writes. */
export const QUIET_MS = 50;
export const MIN_INTERVAL_MS = 100;
/** Pause before the look that finds that nothing has changed. */
export const STANDS_MS = 250;

/** Looks that are due for output whose looks were not logged, as if rules had watched it. */
export class DueLooks {
  #lookedMs = -Infinity;
  #dueMs: number | undefined;

  /** Time of the next look; undefined until something is printed. */
  get dueMs(): number | undefined {
    return this.#dueMs;
  }

  printed(ms: number): void {
    const dueMs = Math.max(ms + QUIET_MS, this.#lookedMs + MIN_INTERVAL_MS);
    this.#dueMs = Math.min(dueMs, this.#dueMs ?? Infinity);
  }

  /** The screen is half drawn: it is looked at then, whatever is printed meanwhile. */
  held(untilMs: number): void {
    this.#dueMs = untilMs;
  }

  /** @param isMore another look of the same screen may find something: `now`, lines were left; `later`, entries are open */
  looked(ms: number, isMore: 'now' | 'later' | undefined): void {
    this.#lookedMs = ms;
    this.#dueMs = isMore === undefined ? undefined : ms + (isMore === 'now' ? MIN_INTERVAL_MS : STANDS_MS);
  }
}
