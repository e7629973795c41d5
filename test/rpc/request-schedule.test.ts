import { expect, it } from 'vitest';
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
