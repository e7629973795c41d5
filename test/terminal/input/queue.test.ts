import { expect, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import { InputQueue } from '../../../src/terminal/input/queue.js';
import { T4aError } from '../../../src/protocol/errors.js';
import { gate } from '../../support/serve.js';

const MEBIBYTE = 1024 * 1024;
const overtaken = new T4aError('input_interrupted', 'overtaken');
const nothing = (): Promise<void> => Promise.resolve();

test('turns run one after the other, also after a failed one', async () => {
  const queue = new InputQueue(new FakeClock());
  const first = gate();
  const order: string[] = [];
  const turns = [
    queue.take(1, async () => {
      await first.promise;
      order.push('first');
      throw new Error('it failed');
    }),
    queue.take(1, async () => {
      order.push('second');
      return 2;
    }),
  ];
  first.open();
  expect(await Promise.allSettled(turns)).toMatchObject([
    { status: 'rejected', reason: { message: 'it failed' } },
    { status: 'fulfilled', value: 2 },
  ]);
  expect(order).toEqual(['first', 'second']);
});

test('waiting bytes are bounded, and there is room again after a turn', async () => {
  const queue = new InputQueue(new FakeClock());
  const first = gate();
  const held = queue.take(8 * MEBIBYTE - 1, () => first.promise);
  const last = queue.take(1, nothing);
  await expect(queue.take(1, nothing)).rejects.toMatchObject({ code: 'input_blocked' });
  first.open();
  await Promise.all([held, last]);
  await expect(queue.take(8 * MEBIBYTE, nothing)).resolves.toBeUndefined();
});

test('waiting turns are bounded, and there is room again after a turn', async () => {
  const queue = new InputQueue(new FakeClock());
  const first = gate();
  const held = [queue.take(0, () => first.promise)];
  while (held.length < 2048) held.push(queue.take(0, nothing));
  await expect(queue.take(0, nothing)).rejects.toMatchObject({ code: 'input_blocked' });
  first.open();
  await Promise.all(held);
  await expect(queue.take(0, nothing)).resolves.toBeUndefined();
});

test('an interrupt ends waiting turns, notifies the running one, and does not affect later ones', async () => {
  const queue = new InputQueue(new FakeClock());
  const first = gate();
  const ran: string[] = [];
  const underWay = queue.take(1, async (signal) => {
    await first.promise;
    signal.throwIfAborted();
  });
  const waiting = queue.take(1, async () => void ran.push('waiting'));
  await Promise.resolve();
  queue.interrupt(overtaken);
  const later = queue.take(1, async () => void ran.push('later'));
  first.open();
  expect(await Promise.allSettled([underWay, waiting, later])).toEqual([
    { status: 'rejected', reason: overtaken },
    { status: 'rejected', reason: overtaken },
    { status: 'fulfilled', value: undefined },
  ]);
  expect(ran).toEqual(['later']);
});

test('a pause lasts its time, and a pause of 0 ms ends at once', async () => {
  const clock = new FakeClock();
  const queue = new InputQueue(clock);
  const { signal } = new AbortController();
  await queue.pause(0, signal);
  expect(clock.pendingTimers).toBe(0);
  let isOver = false;
  const pause = queue.pause(150, signal).then(() => (isOver = true));
  clock.advance(149);
  await Promise.resolve();
  expect(isOver).toBe(false);
  clock.advance(1);
  await pause;
  expect(clock.pendingTimers).toBe(0);
});

test('an interrupt ends a pause with its timer, and prevents later pauses of the turn', async () => {
  const clock = new FakeClock();
  const queue = new InputQueue(clock);
  const controller = new AbortController();
  const pause = queue.pause(150, controller.signal);
  controller.abort(overtaken);
  await expect(pause).rejects.toBe(overtaken);
  expect(clock.pendingTimers).toBe(0);
  expect(() => queue.pause(0, controller.signal)).toThrow(overtaken);
});
