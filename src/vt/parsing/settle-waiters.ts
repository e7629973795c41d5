/** Readers that wait until the screen has parsed everything written before their call. */
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';

/** A frame takes far less. An update that does not end is drawn as it stands, and does not delay readers again. */
export const SYNCHRONIZED_OUTPUT_LIMIT_MS = 150;

/** A timer that is later than this was held up, and with it the end of the update, which may be there to be read. */
const LATE_MS = 5;

interface Waiter {
  /** Items of the queue that must be parsed. */
  readonly barrier: number;
  readonly dueMs: number;
  readonly resolve: (settled: boolean) => void;
  readonly timer: Disposable;
}

export class SettleWaiters implements Disposable {
  readonly #clock: Clock;
  #waiters: Waiter[] = [];
  #parsed = 0;
  /** Time at which the current synchronized update was first seen. */
  #synchronizedSinceMs: number | undefined;
  #synchronizedTimer: Disposable | undefined;
  #madeGood = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiters.length;
  }

  /** Afterwards {@link check} must be called, now or after the next parse. */
  add(barrier: number, deadlineMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const dueMs = this.#clock.now() + deadlineMs;
      const timer = this.#clock.after(deadlineMs, () => this.#expire(waiter));
      const waiter: Waiter = { barrier, dueMs, resolve, timer };
      this.#waiters.push(waiter);
    });
  }

  check(parsed: number, synchronizedOutput: boolean): void {
    this.#parsed = parsed;
    if (!synchronizedOutput) {
      this.#synchronizedSinceMs = undefined;
      this.#madeGood = false;
      this.#synchronizedTimer?.dispose();
      this.#synchronizedTimer = undefined;
    } else this.#synchronizedSinceMs ??= this.#clock.now();
    if (this.#waiters.length > 0) this.#release();
  }

  dispose(): void {
    this.#synchronizedTimer?.dispose();
    for (const waiter of this.#waiters.splice(0)) finish(waiter, false);
  }

  #release(): void {
    const holdMs = this.#holdMs();
    const waiting: Waiter[] = [];
    for (const waiter of this.#waiters) {
      if (waiter.barrier <= this.#parsed && holdMs <= 0) finish(waiter, true);
      else if (this.#clock.now() >= waiter.dueMs) finish(waiter, false);
      else waiting.push(waiter);
    }
    this.#waiters = waiting;
    if (waiting.length === 0 || holdMs <= 0 || this.#synchronizedTimer !== undefined) return;
    const dueMs = this.#clock.now() + holdMs;
    this.#synchronizedTimer = this.#clock.after(holdMs, () => {
      this.#synchronizedTimer = undefined;
      this.#makeGood(this.#clock.now() - dueMs);
      this.#release();
    });
  }

  /** The update has the time for which this process was held up once more: once, and as long as the limit at most. */
  #makeGood(lateMs: number): void {
    if (lateMs <= LATE_MS || this.#madeGood || this.#synchronizedSinceMs === undefined) return;
    this.#madeGood = true;
    this.#synchronizedSinceMs = this.#clock.now() - Math.max(0, SYNCHRONIZED_OUTPUT_LIMIT_MS - lateMs);
  }

  /** Milliseconds for which a synchronized update may still delay readers; 0 if there is none. */
  #holdMs(): number {
    if (this.#synchronizedSinceMs === undefined) return 0;
    return this.#synchronizedSinceMs + SYNCHRONIZED_OUTPUT_LIMIT_MS - this.#clock.now();
  }

  #expire(waiter: Waiter): void {
    this.#waiters = this.#waiters.filter((other) => other !== waiter);
    finish(waiter, false);
  }
}

function finish({ resolve, timer }: Waiter, settled: boolean): void {
  timer.dispose();
  resolve(settled);
}
