import { expect, it } from 'vitest';
import { onwardTime } from '../../src/base/onward-time.js';
import { FakeClock } from '../../src/base/clock.js';

const HOUR_MS = 3_600_000;

function clocks() {
  const clock = new FakeClock();
  const wall = { offsetMs: 1000 };
  const now = onwardTime({
    now: () => clock.now(),
    wallNow: () => clock.now() + wall.offsetMs,
    after: (...args) => clock.after(...args),
  });
  return { clock, wall, now };
}

it('goes on by the time that has passed where the clock is set back', () => {
  const { clock, wall, now } = clocks();
  expect(now()).toBe(1000);
  wall.offsetMs -= HOUR_MS;
  clock.advance(5);
  expect(now()).toBe(1005);
  wall.offsetMs += HOUR_MS;
  clock.advance(5);
  expect(now()).toBe(1010);
});

it('follows the clock where it is set ahead', () => {
  const { clock, wall, now } = clocks();
  now();
  wall.offsetMs += HOUR_MS;
  clock.advance(5);
  expect(now()).toBe(1005 + HOUR_MS);
});
