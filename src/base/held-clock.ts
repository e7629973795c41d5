/** A clock whose timers can be held: what becomes due meanwhile runs at the release, in the order in which it became due. */
import type { Clock } from './clock.js';
import type { Disposable } from './lifetime.js';

export class HeldClock implements Clock {
  readonly #clock: Clock;
  #due: (() => void)[] | undefined;
  #isEnded = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  wallNow(): number {
    return this.#clock.wallNow();
  }

  after(delayMs: number, callback: () => void): Disposable {
    let isDisposed = false;
    const run = (): void => {
      if (isDisposed || this.#isEnded) return;
      if (this.#due === undefined) callback();
      else this.#due.push(run);
    };
    const timer = this.#clock.after(delayMs, run);
    return {
      dispose() {
        isDisposed = true;
        timer.dispose();
      },
    };
  }

  hold(): void {
    this.#due ??= [];
  }

  /** Nothing becomes due any more, and what has is dropped. */
  end(): void {
    this.#isEnded = true;
    this.#due = [];
  }

  release(): void {
    const due = this.#due ?? [];
    this.#due = undefined;
    for (const run of due) run();
  }
}
