/** Lag of the event loop: a timer measures its own delay, ten times a second, over the last minute. */
import { performance } from 'node:perf_hooks';
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';
import { Ring } from '../../base/ring.js';

const INTERVAL_MS = 100;
const KEPT_SAMPLES = 600;

export interface LagFigures {
  readonly lag_p50_ms: number;
  readonly lag_p99_ms: number;
  readonly lag_max_ms: number;
  /** Share of the last minute, or of the time since the start, that the process was busy: 0 to 1. */
  readonly busy: number;
}

export class LoopLag implements Disposable {
  readonly #clock: Clock;
  readonly #latenesses = new Ring<number>(KEPT_SAMPLES);
  readonly #utilizations = new Ring<ReturnType<typeof performance.eventLoopUtilization>>(KEPT_SAMPLES);
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#arm();
  }

  figures(): LagFigures {
    const sorted = [...this.#latenesses].toSorted((a, b) => a - b);
    const at = (share: number): number => round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#utilizations.peek() ?? now);
    return { lag_p50_ms: at(0.5), lag_p99_ms: at(0.99), lag_max_ms: at(1), busy: round(utilization || 0) };
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #arm(): void {
    const dueMs = this.#clock.now() + INTERVAL_MS;
    this.#timer = this.#clock.after(INTERVAL_MS, () => {
      this.#latenesses.push(Math.max(0, this.#clock.now() - dueMs));
      this.#utilizations.push(performance.eventLoopUtilization());
      this.#arm();
    });
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
