import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { RequestSchedule } from '../../src/rpc/request-schedule.js';

/** Work that ends without waiting, some promises later. */
async function work(ms: number): Promise<void> {
  for (let i = 0; i < 5; i++) await Promise.resolve();
  for (const until = performance.now() + ms; performance.now() < until;);
}

it('the first request begins at once', () => {
  const schedule = new RequestSchedule();
  let begun = false;
  schedule.begin({}, () => (begun = true));
  expect(begun).toBe(true);
});

it('each request has done what it does without waiting before the next begins', async () => {
  const schedule = new RequestSchedule();
  const order: string[] = [];
  const owner = {};
  await new Promise<void>((resolve) => {
    for (const name of ['a', 'b', 'c']) {
      schedule.begin(owner, () => {
        order.push(`${name} begins`);
        void work(0).then(() => order.push(`${name} ends`));
      });
    }
    schedule.begin(owner, resolve);
  });
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

it('the loop turns within a burst of work, and another connection is served before the rest of it', async () => {
  const schedule = new RequestSchedule();
  const order: string[] = [];
  const [flooding, other] = [{}, {}];
  setImmediate(() => schedule.begin(other, () => order.push('other')));
  await new Promise<void>((resolve) => {
    for (let i = 0; i < 10; i++) {
      schedule.begin(flooding, () => {
        order.push('burst');
        void work(6);
      });
    }
    schedule.begin(flooding, resolve);
  });
  expect(order).toHaveLength(11);
  expect(order.indexOf('other')).toBeGreaterThan(0);
  expect(order.indexOf('other')).toBeLessThan(4);
});

it('connections take turns', async () => {
  const schedule = new RequestSchedule();
  const order: string[] = [];
  const [a, b] = [{}, {}];
  await new Promise<void>((resolve) => {
    for (let i = 0; i < 3; i++) schedule.begin(a, () => order.push('a'));
    for (let i = 0; i < 3; i++) schedule.begin(b, () => order.push('b'));
    schedule.begin(b, resolve);
  });
  expect(order).toEqual(['a', 'a', 'b', 'a', 'b', 'b']);
});

it('connections of one name take turns as one, until the last of them has left', async () => {
  const schedule = new RequestSchedule();
  const order: string[] = [];
  const guests = ['a', 'b', 'c'].map((name) => ({ name, owner: schedule.join('guest') }));
  const other = {};
  await new Promise<void>((resolve) => {
    for (let i = 0; i < 2; i++) for (const { name, owner } of guests) schedule.begin(owner, () => order.push(name));
    for (let i = 0; i < 3; i++) schedule.begin(other, () => order.push('other'));
    schedule.begin(guests[0]?.owner ?? {}, resolve);
  });
  expect(order).toEqual(['a', 'b', 'other', 'c', 'other', 'a', 'other', 'b', 'c']);
  const [{ owner } = { owner: {} }] = guests;
  for (let left = guests.length; left > 1; left--) schedule.leave('guest');
  expect(schedule.join('guest')).toBe(owner);
  for (let left = 2; left > 0; left--) schedule.leave('guest');
  expect(schedule.join('guest')).not.toBe(owner);
});

describe('after a request that took long in one step', () => {
  function open() {
    const clock = new FakeClock();
    /** Timers do not run while a request works. */
    let workedMs = 0;
    const schedule = new RequestSchedule({
      now: () => clock.now() + workedMs,
      wallNow: () => clock.wallNow(),
      after: (ms, callback) => clock.after(ms, callback),
    });
    const order: string[] = [];
    /** A request that takes so long, and is noted when it begins. */
    const ask = (owner: object, name: string, ms = 0): void =>
      schedule.begin(owner, () => {
        order.push(name);
        workedMs += ms;
      });
    /** All is done that can be done now. */
    const turned = async (): Promise<void> => {
      for (let i = 0; i < 5; i++) await new Promise(setImmediate);
    };
    return { clock, order, ask, turned };
  }

  it('its connection rests as long while another one asks, which is served in between', async () => {
    const { clock, order, ask, turned } = open();
    const [long, other] = [{}, {}];
    ask(other, 'small');
    await turned();
    ask(long, 'long', 40);
    ask(long, 'next');
    await turned();
    expect(order).toEqual(['small', 'long']);
    ask(other, 'small');
    await turned();
    clock.advance(39);
    ask(other, 'small');
    await turned();
    expect(order).toEqual(['small', 'long', 'small', 'small']);
    clock.advance(1);
    await turned();
    expect(order.at(-1)).toBe('next');
    // It was small: what follows it begins at once.
    ask(long, 'more');
    await turned();
    expect(order.at(-1)).toBe('more');
  });

  it('the rest is bounded, however long the step was', async () => {
    const { clock, order, ask, turned } = open();
    const [long, other] = [{}, {}];
    ask(long, 'long', 20);
    await turned();
    ask(other, 'small');
    await turned();
    ask(long, 'longer', 10_000);
    ask(long, 'next');
    ask(other, 'small');
    await turned();
    // The other one has not asked for a while.
    expect(order).toEqual(['long', 'small', 'longer', 'next', 'small']);
    ask(long, 'longer', 10_000);
    await turned();
    clock.advance(50);
    ask(long, 'last');
    await turned();
    expect(order.at(-1)).toBe('last');
  });

  it('its connection goes on at once if no other one has asked', async () => {
    const { order, ask, turned } = open();
    const only = {};
    ask(only, 'small');
    for (const name of ['long', 'longer', 'longest']) ask(only, name, 40);
    await turned();
    expect(order).toEqual(['small', 'long', 'longer', 'longest']);
  });

  it('connections whose requests take long rest for each other, and all of them are served', async () => {
    const { clock, order, ask, turned } = open();
    const [a, b, other] = [{}, {}, {}];
    ask(other, 'small');
    for (let i = 0; i < 2; i++) {
      ask(a, 'a', 25);
      ask(b, 'b', 25);
    }
    await turned();
    expect(order).toEqual(['small', 'a', 'b']);
    for (let i = 0; i < 2; i++) {
      ask(other, 'small');
      await turned();
      clock.advance(25);
      await turned();
    }
    expect(order).toEqual(['small', 'a', 'b', 'small', 'a', 'small', 'b']);
  });
});
