/** Which openings go on at the same time. */
import { expect, test } from 'vitest';
import { Places } from '../../../src/features/recording/places.js';

const signal = new AbortController().signal;
const [a, b, c] = [{}, {}, {}];

/** The order in which these get a place; each keeps it until it is asked to leave. */
function takers(places: Places, owners: readonly object[]) {
  const began: number[] = [];
  const taken = owners.map((owner, i) =>
    places.take(owner, signal).then((place) => {
      began.push(i);
      return place;
    }),
  );
  return { began, leave: async (i: number) => (await taken[i])?.dispose() };
}

test('two go on at once, the others wait in their order', async () => {
  const { began, leave } = takers(new Places(), [a, b, c, {}]);
  await leave(0);
  expect(began).toEqual([0, 1]);
  await leave(2);
  expect(began).toEqual([0, 1, 2]);
  await leave(3);
  expect(began).toEqual([0, 1, 2, 3]);
});

test('one of each connection: another connection is not held up by many of the first', async () => {
  const { began, leave } = takers(new Places(), [a, a, a, b]);
  await leave(3);
  expect(began).toEqual([0, 3]);
  await leave(0);
  await leave(1);
  await leave(2);
  expect(began).toEqual([0, 3, 1, 2]);
});

test('one that is cancelled while it waits takes no place', async () => {
  const places = new Places();
  const stopping = new AbortController();
  const first = await places.take(a, signal);
  const second = places.take(a, stopping.signal);
  stopping.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  first.dispose();
  (await places.take(a, stopping.signal).catch(() => places.take(a, signal))).dispose();
});
