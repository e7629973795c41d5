/**
 * A clock that can be held and made to stand. What becomes due while it is held runs at the release, in the order in which it became due.
 * While it stands, its time is that of one moment: what another process has frozen then keeps its age.
 */
import type { Clock } from './clock.js';
import type { Disposable } from './lifetime.js';

/** More than any pause lasts. */
const MOST_BEHIND_MS = 3_600_000;

export class HeldClock implements Clock {
  readonly #clock: Clock;
  #due: (() => void)[] | undefined;
  #isEnded = false;
  #standing: { readonly ms: number; readonly wallMs: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#standing?.ms ?? this.#clock.now();
  }

  wallNow(): number {
    return this.#standing?.wallMs ?? this.#clock.wallNow();
  }

  after(delayMs: number, callback: () => void): Disposable {
    let isDisposed = false;
    const run = (): void => {
      if (isDisposed || this.#isEnded) return;
      if (this.#due === undefined) callback();
      else this.#due.push(run);
    };
    const timer = this.#clock.after(Math.max(0, delayMs - (this.#clock.now() - this.now())), run);
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

  /** Time stands until the release. @param wallMs a moment since the last hour, now by default */
  stand(wallMs?: number): void {
    const agoMs = wallMs === undefined ? 0 : this.#clock.wallNow() - wallMs;
    // A clock of the system that was set says nothing of the time since.
    const behindMs = agoMs < 0 || agoMs > MOST_BEHIND_MS ? 0 : agoMs;
    this.#standing = { ms: this.#clock.now() - behindMs, wallMs: this.#clock.wallNow() - behindMs };
  }

  /** Nothing becomes due any more, and what has is dropped. */
  end(): void {
    this.#standing = undefined;
    this.#isEnded = true;
    this.#due = [];
  }

  release(): void {
    this.#standing = undefined;
    const due = this.#due ?? [];
    this.#due = undefined;
    for (const run of due) run();
  }
}
