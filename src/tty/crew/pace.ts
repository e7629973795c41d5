/** When an act that is asked for again and again comes: one at a time, soon after what is urgent, after a pause else. */
import { type Clock, systemClock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';

export interface PaceOptions {
  /** Handles its errors itself. */
  readonly act: () => Promise<void>;
  /** Pause from the end of one to the next, and before one that is not urgent: all that is asked for in between comes with it. */
  readonly pauseMs: number;
  readonly clock?: Clock;
}

export class DrawPace {
  readonly #options: PaceOptions;
  readonly #clock: Clock;
  #timer: Disposable | undefined;
  /** When the next is due; undefined if none is asked for. */
  #dueAt: number | undefined;
  #endedAt = Number.NEGATIVE_INFINITY;
  #isActing = false;
  #isOver = false;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  ask({ isUrgent }: { readonly isUrgent: boolean }): void {
    const now = this.#clock.now();
    const { pauseMs } = this.#options;
    const dueAt = isUrgent ? Math.max(now, this.#endedAt + pauseMs) : now + pauseMs;
    if (this.#dueAt !== undefined && this.#dueAt <= dueAt) return;
    this.#dueAt = dueAt;
    this.#arm();
  }

  dispose(): void {
    this.#isOver = true;
    this.#timer?.dispose();
  }

  #arm(): void {
    this.#timer?.dispose();
    if (this.#isActing || this.#isOver || this.#dueAt === undefined) return;
    this.#timer = this.#clock.after(Math.max(0, this.#dueAt - this.#clock.now()), () => void this.#act());
  }

  async #act(): Promise<void> {
    this.#isActing = true;
    this.#dueAt = undefined;
    await this.#options.act();
    this.#isActing = false;
    this.#endedAt = this.#clock.now();
    if (this.#dueAt !== undefined) this.#dueAt = Math.max(this.#dueAt, this.#endedAt + this.#options.pauseMs);
    this.#arm();
  }
}
