import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { Work } from '../../../src/events/search/work.js';
import { WorkSchedule } from '../../../src/events/search/work-schedule.js';

const never = new AbortController().signal;

function* until(reached: () => boolean): Work<string> {
  while (!reached()) yield 1;
  return 'reached';
}

test('little work is done in the instant', () => {
  const results: string[] = [];
  new WorkSchedule().run(
    until(() => true),
    (result) => results.push(result()),
  );
  expect(results).toEqual(['reached']);
});

test('work that goes on lets the event loop through', async () => {
  let served = false;
  const work = new WorkSchedule().finish(
    until(() => served),
    never,
  );
  // Work that kept the loop to itself would never end.
  setImmediate(() => (served = true));
  expect(await work).toBe('reached');
});

test('all work under way gets its turns, and newcomers theirs', async () => {
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

test('work is given up when its caller goes, and its steps with it', async () => {
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

test('what work throws, its caller gets, and other work goes on', async () => {
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

test('work of a caller that has gone already is not begun', async () => {
  let steps = 0;
  const work = until(() => ++steps > 0);
  const gone = AbortSignal.abort(new Error('the client has gone'));
  await expect(new WorkSchedule().finish(work, gone)).rejects.toThrow('the client has gone');
  expect(steps).toBe(0);
});

test('work that has ended leaves nothing at the signal of its caller', async () => {
  const { signal } = new AbortController();
  await new WorkSchedule().finish(
    until(() => true),
    signal,
  );
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('work that was given up before its end tells nobody', async () => {
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
