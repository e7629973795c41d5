/** Moves the moment on by itself, at a speed. */
import type { Then } from './then.js';

export const SPEEDS = [0.5, 1, 2, 4, 8, 16, 64] as const;

/** Between two moments that are asked for. */
const STEP_MS = 60;

export class Player {
  speed = 1;
  readonly #then: Then;
  #timer: ReturnType<typeof setInterval> | undefined;
  #lastMs = 0;

  constructor(then: Then) {
    this.#then = then;
  }

  get isPlaying(): boolean {
    return this.#timer !== undefined;
  }

  /** From the end it begins anew. */
  play(): void {
    const { extent, moment } = this.#then;
    if (extent === undefined || this.isPlaying) return;
    if (moment === undefined || moment.ms >= extent.toMs) this.#then.goTo(extent.fromMs);
    this.#lastMs = performance.now();
    this.#timer = setInterval(() => this.#step(), STEP_MS);
  }

  pause(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #step(): void {
    const nowMs = performance.now();
    const passedMs = (nowMs - this.#lastMs) * this.speed;
    this.#lastMs = nowMs;
    const { extent, moment } = this.#then;
    // A person went to now.
    if (extent === undefined || moment === undefined) return this.pause();
    if (moment.ms + passedMs >= extent.toMs) this.pause();
    this.#then.goTo(moment.ms + passedMs);
  }
}
