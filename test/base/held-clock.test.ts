/** Time that is held, and time that stands. */
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { HeldClock } from '../../src/base/held-clock.js';

const HOUR_MS = 3_600_000;

describe('a clock that stands', () => {
  test('stays at its moment until it is released', () => {
    const clock = new FakeClock();
    const held = new HeldClock(clock);
    clock.advance(100);
    const before = [held.now(), held.wallNow()];
    held.stand();
    clock.advance(50);
    expect([held.now(), held.wallNow()]).toEqual(before);
    held.release();
    expect([held.now(), held.wallNow()]).toEqual([clock.now(), clock.wallNow()]);
    expect(held.now()).toBe(150);
  });

  test('stands at a moment before, by both of its times', () => {
    const clock = new FakeClock();
    const held = new HeldClock(clock);
    clock.advance(1000);
    held.stand(clock.wallNow() - 300);
    expect(clock.now() - held.now()).toBe(300);
    expect(clock.wallNow() - held.wallNow()).toBe(300);
  });

  test.each([-1, HOUR_MS + 1])('takes a moment %d ms ago for none', (agoMs) => {
    const clock = new FakeClock();
    const held = new HeldClock(clock);
    held.stand(clock.wallNow() - agoMs);
    expect(held.now()).toBe(clock.now());
  });

  test('a timer is due so long after that moment', () => {
    const clock = new FakeClock();
    const held = new HeldClock(clock);
    clock.advance(1000);
    held.stand(clock.wallNow() - 300);
    const ran: string[] = [];
    held.after(400, () => ran.push('after'));
    held.after(200, () => ran.push('due before'));
    clock.advance(0);
    expect(ran).toEqual(['due before']);
    clock.advance(99);
    expect(ran).toEqual(['due before']);
    clock.advance(1);
    expect(ran).toEqual(['due before', 'after']);
  });
});

test('what becomes due while it is held runs at the release, in its order', () => {
  const clock = new FakeClock();
  const held = new HeldClock(clock);
  const ran: number[] = [];
  held.after(20, () => ran.push(20));
  held.after(10, () => ran.push(10));
  held.after(15, () => ran.push(15)).dispose();
  held.hold();
  clock.advance(30);
  expect(ran).toEqual([]);
  held.release();
  expect(ran).toEqual([10, 20]);
});

test('at its end it goes on, and nothing is due any more', () => {
  const clock = new FakeClock();
  const held = new HeldClock(clock);
  const ran: number[] = [];
  held.after(10, () => ran.push(10));
  held.hold();
  held.stand();
  clock.advance(30);
  held.end();
  held.release();
  expect(ran).toEqual([]);
  expect(held.now()).toBe(30);
});
