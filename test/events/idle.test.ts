import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { IdleDetector } from '../../src/events/idle.js';

function watch(timeoutMs: number) {
  const clock = new FakeClock();
  const events: string[] = [];
  const detector = new IdleDetector({
    clock,
    timeoutMs,
    onIdle: (afterMs) => events.push(`idle ${afterMs} at ${clock.now()}`),
    onActivity: () => events.push(`activity at ${clock.now()}`),
  });
  return { clock, events, detector };
}

describe('idle', () => {
  test('is reported once, exactly one timeout after the last bytes', () => {
    const { clock, events, detector } = watch(2000);
    detector.onBytes();
    clock.advance(1500);
    detector.onBytes();
    clock.advance(1999);
    expect(events).toEqual([]);
    clock.advance(1);
    expect(events).toEqual(['idle 2000 at 3500']);
    clock.advance(60_000);
    expect(events).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  test('is not reported before the first output, and the first output reports no activity', () => {
    const { clock, events, detector } = watch(100);
    clock.advance(1000);
    detector.onBytes();
    expect(events).toEqual([]);
  });

  test('is followed by one activity at the instant of the next bytes', () => {
    const { clock, events, detector } = watch(100);
    detector.onBytes();
    clock.advance(250);
    detector.onBytes();
    detector.onBytes();
    expect(events).toEqual(['idle 100 at 100', 'activity at 250']);
    expect(detector.state).toBe('active');
  });

  test('a new timeout counts from the last bytes', () => {
    const { clock, events, detector } = watch(10_000);
    detector.onBytes();
    clock.advance(300);
    detector.setTimeoutMs(500);
    clock.advance(199);
    expect(events).toEqual([]);
    clock.advance(1);
    expect(events).toEqual(['idle 500 at 500']);
  });

  test('a new timeout that has already passed reports idle at the next turn of the event loop', () => {
    const { clock, events, detector } = watch(10_000);
    detector.onBytes();
    clock.advance(300);
    detector.setTimeoutMs(50);
    clock.advance(0);
    expect(events).toEqual(['idle 50 at 300']);
  });

  test('is not reported after the detector is disposed, which leaves no timer', () => {
    const { clock, events, detector } = watch(100);
    detector.onBytes();
    detector.dispose();
    detector.onBytes();
    clock.advance(1000);
    expect(events).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  test('is reported once for each silence of the timeout or longer, for any rhythm of output', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.integer({ min: 0, max: 100 })), (timeoutMs, gaps) => {
        const { clock, events, detector } = watch(timeoutMs);
        const expected: string[] = [];
        detector.onBytes();
        for (const gapMs of gaps) {
          const startMs = clock.now();
          clock.advance(gapMs);
          detector.onBytes();
          if (gapMs >= timeoutMs)
            expected.push(`idle ${timeoutMs} at ${startMs + timeoutMs}`, `activity at ${clock.now()}`);
        }
        expect(events).toEqual(expected);
      }),
    );
  });
});

describe('a new timeout', () => {
  test('starts no timer before the first output', () => {
    const { clock, events, detector } = watch(100);
    detector.setTimeoutMs(50);
    expect([detector.timeoutMs, detector.state, clock.pendingTimers]).toEqual([50, 'quiet', 0]);
    clock.advance(1000);
    expect(events).toEqual([]);
  });

  test('replaces the previous timeout', () => {
    const { clock, events, detector } = watch(100);
    detector.onBytes();
    clock.advance(30);
    detector.setTimeoutMs(500);
    expect(clock.pendingTimers).toBe(1);
    clock.advance(469);
    expect(events).toEqual([]);
    clock.advance(1);
    expect(events).toEqual(['idle 500 at 500']);
    detector.setTimeoutMs(10);
    expect([detector.state, clock.pendingTimers]).toEqual(['idle', 0]);
  });
});

test('a disposed detector sets no timer and reports nothing', () => {
  const { clock, events, detector } = watch(100);
  detector.onBytes();
  detector.dispose();
  expect(clock.pendingTimers).toBe(0);
  detector.onBytes();
  detector.setTimeoutMs(10);
  expect(clock.pendingTimers).toBe(0);
  clock.advance(1000);
  expect(events).toEqual([]);
});
