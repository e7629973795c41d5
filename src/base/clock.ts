/** Time as a parameter: the daemon passes {@link systemClock}, tests a {@link FakeClock} that they advance. */
import type { Disposable } from './lifetime.js';

export interface Clock {
  /** Monotonic milliseconds, for measuring spans; unaffected by changes of the wall clock. */
  now(): number;
  /** Milliseconds since the Unix epoch, for time stamps. */
  wallNow(): number;
  /** Runs `callback` once after `delayMs`, unless disposed before. */
  after(delayMs: number, callback: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return { dispose: () => clearTimeout(timer) };
  },
};

interface FakeTimer {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Stands still until {@link advance}; due timers then run in the order of their times. */
export class FakeClock implements Clock {
  #nowMs = 0;
  #order = 0;
  readonly #timers = new Set<FakeTimer>();

  get pendingTimers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#nowMs;
  }

  wallNow(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): Disposable {
    const timer: FakeTimer = { dueMs: this.#nowMs + delayMs, order: this.#order++, callback };
    this.#timers.add(timer);
    return { dispose: () => void this.#timers.delete(timer) };
  }

  advance(ms: number): void {
    const targetMs = this.#nowMs + ms;
    for (let next = this.#nextDue(targetMs); next !== undefined; next = this.#nextDue(targetMs)) {
      this.#timers.delete(next);
      this.#nowMs = next.dueMs;
      next.callback();
    }
    this.#nowMs = targetMs;
  }

  #nextDue(limitMs: number): FakeTimer | undefined {
    let best: FakeTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs > limitMs) continue;
      if (best === undefined || timer.dueMs < best.dueMs || (timer.dueMs === best.dueMs && timer.order < best.order)) {
        best = timer;
      }
    }
    return best;
  }
}
