import { expect, test } from 'vitest';
import { ParseSchedule, type ParseTask } from '../../../src/vt/parsing/schedule.js';

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Notes its name for each of its slices. */
function taskOf(parsed: string[], name: string, slices: number, isUrgent = (): boolean => false): ParseTask {
  let left = slices;
  return {
    isUrgent,
    parseSlice() {
      parsed.push(name);
      return --left > 0;
    },
  };
}

/** Waits, a turn of the loop at a time, until so many slices are parsed. */
async function untilParsed(parsed: readonly string[], slices: number): Promise<void> {
  while (parsed.length < slices) await turn();
}

test('nothing is parsed before the event loop turns, and then tasks take turns', async () => {
  const schedule = new ParseSchedule();
  const parsed: string[] = [];
  schedule.add(taskOf(parsed, 'a', 3));
  schedule.add(taskOf(parsed, 'b', 1));
  schedule.add(taskOf(parsed, 'c', 2));
  expect(parsed).toEqual([]);
  await untilParsed(parsed, 6);
  expect(parsed).toEqual(['a', 'b', 'c', 'a', 'c', 'a']);
});

test('a task that is added after all others have been parsed is parsed too', async () => {
  const schedule = new ParseSchedule();
  const parsed: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    schedule.add(taskOf(parsed, name, 1));
    await untilParsed(parsed, ['a', 'b', 'c'].indexOf(name) + 1);
  }
  expect(parsed).toEqual(['a', 'b', 'c']);
});

test('a removed task is no longer parsed, but the others are', async () => {
  const schedule = new ParseSchedule();
  const parsed: string[] = [];
  const removed = taskOf(parsed, 'removed', 2);
  const stranger = taskOf(parsed, 'stranger', 2);
  schedule.add(taskOf(parsed, 'a', 2));
  schedule.add(removed);
  schedule.add(taskOf(parsed, 'b', 2));
  schedule.remove(removed);
  schedule.remove(removed);
  schedule.remove(stranger);
  await untilParsed(parsed, 4);
  await turn();
  expect(parsed).toEqual(['a', 'b', 'a', 'b']);
});

test('one of four slices goes to the next task, and three go to urgent tasks at any position', async () => {
  const schedule = new ParseSchedule();
  const parsed: string[] = [];
  schedule.add(taskOf(parsed, 'a', 2));
  schedule.add(taskOf(parsed, 'b', 2));
  schedule.add(taskOf(parsed, 'urgent', 5, () => true));
  schedule.add(taskOf(parsed, 'c', 1));
  await untilParsed(parsed, 10);
  expect(parsed.slice(0, 8)).toEqual(['urgent', 'urgent', 'urgent', 'a', 'urgent', 'urgent', 'b', 'c']);
  expect(parsed.toSorted()).toEqual(['a', 'a', 'b', 'b', 'c', ...Array<string>(5).fill('urgent')]);
});

test('a task may become urgent while it waits', async () => {
  const schedule = new ParseSchedule();
  const parsed: string[] = [];
  schedule.add(taskOf(parsed, 'a', 2));
  schedule.add(taskOf(parsed, 'b', 1));
  schedule.add(taskOf(parsed, 'c', 1, () => parsed.length > 0));
  await untilParsed(parsed, 4);
  expect(parsed).toEqual(['a', 'c', 'b', 'a']);
});
