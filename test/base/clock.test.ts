import { expect, test } from 'vitest';
import { FakeClock, systemClock } from '../../src/base/clock.js';

test('a fake clock runs due callbacks in the order of their times, then of their registration', () => {
  const clock = new FakeClock();
  const ran: string[] = [];
  const at = (ms: number, name: string) => clock.after(ms, () => ran.push(`${name} at ${clock.now()}`));
  at(20, 'b');
  at(10, 'a');
  at(20, 'c');
  at(30, 'never').dispose();
  clock.after(5, () => at(5, 'nested'));
  expect(clock.pendingTimers).toBe(4);
  clock.advance(20);
  expect(ran).toEqual(['a at 10', 'nested at 10', 'b at 20', 'c at 20']);
  expect([clock.now(), clock.wallNow(), clock.pendingTimers]).toEqual([20, 20, 0]);
  at(1, 'd');
  clock.advance(0);
  expect(ran).toHaveLength(4);
  clock.advance(1);
  expect(ran.at(-1)).toBe('d at 21');
});

test("the system's clock measures spans and returns the time of day", async () => {
  const before = systemClock.now();
  await new Promise<void>((resolve) => systemClock.after(1, resolve));
  expect(systemClock.now()).toBeGreaterThan(before);
  expect(Math.abs(systemClock.wallNow() - Date.now())).toBeLessThan(60_000);
  expect(systemClock.now()).toBeLessThan(systemClock.wallNow());
  await new Promise<void>((resolve, reject) => {
    systemClock.after(1, () => reject(new Error('it was disposed of'))).dispose();
    systemClock.after(2, resolve);
  });
});
