/** Shortens pauses: what happened stays in its order, and no two events are further apart than a limit. */
import type { TimedEvent } from './recording-event.js';

export class IdleLimit {
  readonly #limitMs: number;
  #lastMs = 0;
  #removedMs = 0;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** The next event with the time at which it is shown. */
  apply<T extends TimedEvent>(event: T): T {
    const pauseMs = event.atMs - this.#lastMs;
    this.#lastMs = event.atMs;
    if (pauseMs > this.#limitMs) this.#removedMs += pauseMs - this.#limitMs;
    return this.#removedMs === 0 ? event : { ...event, atMs: event.atMs - this.#removedMs };
  }
}
