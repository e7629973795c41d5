import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { Work } from '../../src/search/work.js';
import { WorkSchedule } from '../../src/search/work-schedule.js';

const never = new AbortController().signal;

function* until(reached: () => boolean): Work<string> {
  while (!reached()) yield 1;
  return 'reached';
}

test('short work ends within the call that starts it', () => {
  const results: string[] = [];
  new WorkSchedule().run(
    until(() => true),
    (result) => results.push(result()),
  );
  expect(results).toEqual(['reached']);
});

test('long work lets the event loop turn', async () => {
  let served = false;
  const work = new WorkSchedule().finish(
    until(() => served),
    never,
  );
  // Work that kept the loop to itself would never end.
  setImmediate(() => (served = true));
  expect(await work).toBe('reached');
});

test('all running work takes turns, and new work gets a turn too', async () => {
  const schedule = new WorkSchedule();
  const turns = [0, 0, 0];
  const all = () => turns.every((count) => count >= 3);
  const work = turns.map((_, i) =>
    schedule.finish(
      until(() => ++turns[i]! > 0 && all()),
      never,
    ),
  );
  const newcomer = schedule.finish(
    until(() => true),
    never,
  );
  expect(await newcomer).toBe('reached');
  await Promise.all(work);
});

test('work fails and takes no further steps when its signal aborts', async () => {
  const schedule = new WorkSchedule();
  const gone = new AbortController();
  let steps = 0;
  const endless = schedule.finish(
    until(() => ++steps < 0),
    gone.signal,
  );
  const failed = expect(endless).rejects.toThrow('the client has gone');
  await schedule.finish(
    until(() => true),
    never,
  );
  gone.abort(new Error('the client has gone'));
  await failed;
  const stepsThen = steps;
  let turns = 0;
  // The other work has had its turns meanwhile, many of them.
  await schedule.finish(
    until(() => ++turns > 1000),
    never,
  );
  await new Promise(setImmediate);
  expect(steps).toBe(stepsThen);
});

test('an error in one piece of work reaches its caller, and other work continues', async () => {
  const schedule = new WorkSchedule();
  let isLate = false;
  setImmediate(() => (isLate = true));
  function* failing(): Work<string> {
    yield* until(() => isLate);
    throw new Error('it failed');
  }
  const failed = expect(schedule.finish(failing(), never)).rejects.toThrow('it failed');
  expect(
    await schedule.finish(
      until(() => isLate),
      never,
    ),
  ).toBe('reached');
  await failed;
});

test('work whose signal has already aborted does not start', async () => {
  let steps = 0;
  const work = until(() => ++steps > 0);
  const gone = AbortSignal.abort(new Error('the client has gone'));
  await expect(new WorkSchedule().finish(work, gone)).rejects.toThrow('the client has gone');
  expect(steps).toBe(0);
});

test('work that has ended leaves no listener on its signal', async () => {
  const { signal } = new AbortController();
  await new WorkSchedule().finish(
    until(() => true),
    signal,
  );
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('work that is disposed before its end never reports a result', async () => {
  const schedule = new WorkSchedule();
  const results: unknown[] = [];
  let isOver = false;
  const running = schedule.run(
    until(() => isOver),
    (result) => results.push(result()),
  );
  running.dispose();
  isOver = true;
  await schedule.finish(
    until(() => true),
    never,
  );
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(results).toEqual([]);
});

test('jobs that find no time when they come begin in their order', async () => {
  const schedule = new WorkSchedule(5);
  const order: string[] = [];
  const { signal } = new AbortController();
  function* noted(name: string): Work<void> {
    order.push(name);
    yield 1;
  }
  function* long(): Work<void> {
    for (const end = performance.now() + 20; performance.now() < end;);
    yield 1;
  }
  const first = schedule.finish(long(), signal);
  await Promise.all(['a', 'b', 'c'].map((name) => schedule.finish(noted(name), signal)));
  await first;
  expect(order).toEqual(['a', 'b', 'c']);
});
