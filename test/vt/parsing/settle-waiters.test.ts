import { beforeEach, describe, expect, test } from 'vitest';
import { type Clock, FakeClock } from '../../../src/base/clock.js';
import { SettleWaiters, SYNCHRONIZED_OUTPUT_LIMIT_MS } from '../../../src/vt/parsing/settle-waiters.js';

let clock: FakeClock;
let waiters: SettleWaiters;

beforeEach(() => {
  clock = new FakeClock();
  waiters = new SettleWaiters(clock);
});

describe('readers', () => {
  test('wait until their own output is parsed', async () => {
    const first = waiters.add(1, 1000);
    const second = waiters.add(2, 1000);
    expect(waiters.size).toBe(2);
    waiters.check(0, false);
    expect(waiters.size).toBe(2);
    waiters.check(1, false);
    expect(waiters.size).toBe(1);
    expect(await first).toBe(true);
    waiters.check(5, false);
    expect(await second).toBe(true);
    expect([waiters.size, clock.pendingTimers]).toEqual([0, 0]);
  });

  test('stop waiting at their own deadline and leave the others waiting', async () => {
    const short = waiters.add(1, 20);
    const long = waiters.add(1, 40);
    clock.advance(19);
    expect(waiters.size).toBe(2);
    clock.advance(1);
    expect(waiters.size).toBe(1);
    expect(await short).toBe(false);
    waiters.check(1, false);
    expect(await long).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  test('with an expired deadline are released by the next check, whether their output is parsed or not', async () => {
    const late = waiters.add(2, 0);
    const done = waiters.add(1, 0);
    waiters.check(1, false);
    expect([waiters.size, clock.pendingTimers]).toEqual([0, 0]);
    expect([await late, await done]).toEqual([false, true]);
  });

  test('end unsettled when the waiters are disposed', async () => {
    const parsed = waiters.add(1, 1000);
    const unparsed = waiters.add(2, 1000);
    waiters.check(1, true);
    waiters.dispose();
    expect([await parsed, await unparsed]).toEqual([false, false]);
    expect([waiters.size, clock.pendingTimers]).toEqual([0, 0]);
  });
});

describe('a synchronized update', () => {
  test('starts no timer without a reader', () => {
    waiters.check(1, true);
    waiters.check(2, true);
    expect(clock.pendingTimers).toBe(0);
  });

  test('holds readers until it ends, and its timer ends with it', async () => {
    const reader = waiters.add(1, 1000);
    waiters.check(1, true);
    expect([waiters.size, clock.pendingTimers]).toEqual([1, 2]);
    waiters.check(2, true);
    expect([waiters.size, clock.pendingTimers]).toEqual([1, 2]);
    waiters.check(3, false);
    expect([waiters.size, clock.pendingTimers]).toEqual([0, 0]);
    expect(await reader).toBe(true);
  });

  test('holds readers up to its limit, counted from the time when it was first seen', async () => {
    waiters.check(1, true);
    clock.advance(100);
    const reader = waiters.add(1, 1000);
    waiters.check(1, true);
    clock.advance(SYNCHRONIZED_OUTPUT_LIMIT_MS - 101);
    expect(waiters.size).toBe(1);
    clock.advance(1);
    expect([waiters.size, clock.pendingTimers]).toEqual([0, 0]);
    expect(await reader).toBe(true);
  });

  test('holds no reader after its limit, but readers still wait for their bytes', async () => {
    waiters.check(1, true);
    clock.advance(SYNCHRONIZED_OUTPUT_LIMIT_MS);
    const parsed = waiters.add(1, 1000);
    const unparsed = waiters.add(2, 1000);
    waiters.check(1, true);
    expect([waiters.size, clock.pendingTimers]).toEqual([1, 1]);
    waiters.check(2, true);
    expect([await parsed, await unparsed]).toEqual([true, true]);
    expect(clock.pendingTimers).toBe(0);
  });

  test('has its own limit after another update', async () => {
    waiters.check(1, true);
    clock.advance(SYNCHRONIZED_OUTPUT_LIMIT_MS);
    waiters.check(1, false);
    waiters.check(2, true);
    const reader = waiters.add(2, 1000);
    waiters.check(2, true);
    clock.advance(SYNCHRONIZED_OUTPUT_LIMIT_MS - 1);
    expect(waiters.size).toBe(1);
    clock.advance(1);
    expect(waiters.size).toBe(0);
    expect(await reader).toBe(true);
  });

  test('that exceeds its limit releases its reader, and the next update has its own timer', async () => {
    const first = waiters.add(1, 1000);
    waiters.check(1, true);
    clock.advance(SYNCHRONIZED_OUTPUT_LIMIT_MS);
    expect(await first).toBe(true);
    waiters.check(1, false);
    const second = waiters.add(2, 1000);
    waiters.check(2, true);
    expect([waiters.size, clock.pendingTimers]).toEqual([1, 2]);
    clock.advance(SYNCHRONIZED_OUTPUT_LIMIT_MS);
    expect(await second).toBe(true);
  });

  test('is held longer by the time for which the process was held up, once', async () => {
    let heldUpMs = 0;
    const late: Clock = {
      now: () => clock.now() + heldUpMs,
      wallNow: () => clock.wallNow(),
      after: (delayMs, callback) => clock.after(delayMs, callback),
    };
    const heldUp = new SettleWaiters(late);
    const reader = heldUp.add(1, 1000);
    heldUp.check(1, true);
    heldUpMs = 80;
    clock.advance(SYNCHRONIZED_OUTPUT_LIMIT_MS);
    expect(heldUp.size).toBe(1);
    clock.advance(79);
    expect(heldUp.size).toBe(1);
    heldUpMs = 400;
    clock.advance(1);
    expect([heldUp.size, clock.pendingTimers]).toEqual([0, 0]);
    expect(await reader).toBe(true);
  });
});
