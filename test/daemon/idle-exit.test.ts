import { expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { leaveWhenUnused } from '../../src/daemon/idle-exit.js';

function watched(timeoutMs: number) {
  const clock = new FakeClock();
  const seen = { isUsed: false, left: 0 };
  const watch = leaveWhenUnused(
    clock,
    timeoutMs,
    () => seen.isUsed,
    () => void seen.left++,
  );
  return { clock, seen, watch };
}

test('an unused daemon leaves once, after the timeout', () => {
  const { clock, seen } = watched(2500);
  clock.advance(2499);
  expect(seen.left).toBe(0);
  clock.advance(1);
  expect(seen.left).toBe(1);
  clock.advance(10_000);
  expect(seen.left).toBe(1);
  expect(clock.pendingTimers).toBe(0);
});

test('the timeout counts from the last use', () => {
  const { clock, seen } = watched(2000);
  clock.advance(1500);
  seen.isUsed = true;
  clock.advance(20_500);
  expect(seen.left).toBe(0);
  seen.isUsed = false;
  clock.advance(1999);
  expect(seen.left).toBe(0);
  clock.advance(1);
  expect(seen.left).toBe(1);
});

test('a disposed watch does not make the daemon leave', () => {
  const { clock, seen, watch } = watched(2000);
  clock.advance(1500);
  watch.dispose();
  clock.advance(10_000);
  expect(seen.left).toBe(0);
  expect(clock.pendingTimers).toBe(0);
});
