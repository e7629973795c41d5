/**
 * Notices that this process stood still: it was stopped, or the machine slept. Others may have taken it for gone meanwhile, and what
 * was said to it waits in its sockets.
 */
import type { Clock } from '../base/clock.js';

/** Shorter than others wait for an answer, and longer than a busy machine keeps a process waiting. */
const STILL_MS = 2500;
const LOOK_MS = 500;

export class Standstill {
  readonly #timer = setInterval(() => this.#look(), LOOK_MS).unref();
  readonly #clock: Clock;
  #last: Instant;
  #has = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#last = instant(clock);
  }

  /** Whether it has stood still since the last call of {@link forget}. */
  get has(): boolean {
    this.#look();
    return this.#has;
  }

  forget(): void {
    this.#has = false;
  }

  dispose(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = instant(this.#clock);
    // One of the clocks stands still while the machine sleeps.
    this.#has ||= Math.max(now.monotonicMs - this.#last.monotonicMs, now.wallMs - this.#last.wallMs) >= STILL_MS;
    this.#last = now;
  }
}

interface Instant {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

function instant(clock: Clock): Instant {
  return { monotonicMs: clock.now(), wallMs: clock.wallNow() };
}
