import { expect, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import { LoopLag } from '../../../src/terminal/system/loop-lag.js';

/** A clock whose timers run so much later than they are due. */
class LateClock extends FakeClock {
  readonly #lateMs: number[];

  constructor(lateMs: readonly number[]) {
    super();
    this.#lateMs = [...lateMs];
  }

  override after(delayMs: number, callback: () => void) {
    return super.after(delayMs + (this.#lateMs.shift() ?? 0), callback);
  }
}

test('lateness is reported as median, 99th percentile and maximum', () => {
  const latenesses = Array.from({ length: 101 }, (_, i) => i).toReversed();
  const clock = new LateClock(latenesses);
  const lag = new LoopLag(clock);
  clock.advance(101 * 100 + latenesses.reduce((sum, ms) => sum + ms, 0));
  expect(lag.figures()).toMatchObject({ lag_p50_ms: 50, lag_p99_ms: 99, lag_max_ms: 100 });
});

test('lateness has two decimals', () => {
  const clock = new LateClock([1.23456]);
  const lag = new LoopLag(clock);
  clock.advance(150);
  expect(lag.figures().lag_max_ms).toBe(1.23);
});

test('lateness is absent before the first measurement, and for an early timer', () => {
  const clock = new LateClock([-5]);
  const lag = new LoopLag(clock);
  const { busy, ...latenesses } = lag.figures();
  expect(latenesses).toEqual({ lag_p50_ms: 0, lag_p99_ms: 0, lag_max_ms: 0 });
  expect(busy).toBeGreaterThanOrEqual(0);
  clock.advance(100);
  expect(lag.figures().lag_max_ms).toBe(0);
});

test('the share of work is between 0 and 1', () => {
  const clock = new FakeClock();
  const lag = new LoopLag(clock);
  clock.advance(1000);
  const { busy } = lag.figures();
  expect(busy).toBeGreaterThanOrEqual(0);
  expect(busy).toBeLessThanOrEqual(1);
});

test('latenesses of the last minute count', () => {
  const clock = new LateClock([500]);
  const lag = new LoopLag(clock);
  clock.advance(600 + 599 * 100);
  expect(lag.figures().lag_max_ms).toBe(500);
  clock.advance(100);
  expect(lag.figures().lag_max_ms).toBe(0);
});

test('disposing leaves no timer', () => {
  const clock = new FakeClock();
  const lag = new LoopLag(clock);
  clock.advance(1000);
  expect(clock.pendingTimers).toBe(1);
  lag.dispose();
  expect(clock.pendingTimers).toBe(0);
});
