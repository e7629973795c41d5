/**
 * How soon after a look the next one may be. A screen that moves while rules find nothing, as one with a spinner does, is looked at
 * less often. Pure: times come in.
 */
import { MIN_INTERVAL_MS } from './due-looks.js';

const SLOW_INTERVAL_MS = 250;
/** Looks in a row that found nothing: some two seconds of a spinner. */
const MANY_LOOKS = 20;
/** After that long without a look a screen has stood still: what moves next is something new. */
const STILL_MS = 500;

export class Pace {
  #lookedMs = -Infinity;
  #inVain = 0;

  /** Milliseconds until there may be a look; 0 or less: at once. */
  restMs(nowMs: number): number {
    if (nowMs - this.#lookedMs >= STILL_MS) this.#inVain = 0;
    return this.#lookedMs + (this.#inVain < MANY_LOOKS ? MIN_INTERVAL_MS : SLOW_INTERVAL_MS) - nowMs;
  }

  looks(nowMs: number): void {
    this.#lookedMs = nowMs;
  }

  /** @param changes that the last look has found */
  found(changes: number): void {
    this.#inVain = changes === 0 ? this.#inVain + 1 : 0;
  }
}
