import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atOnce, inSlices } from '../../src/render/slices.js';

let nowMs = 0;
beforeEach(() => {
  nowMs = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => vi.restoreAllMocks());

/** Work that takes these times, step by step, and how many turns of the loop each step found. */
function work(times: readonly number[]): { steps: Generator<void, string>; turns: number[]; ended: () => boolean } {
  const turns: number[] = [];
  let turn = 0;
  let ended = false;
  const count = (): void => {
    turn++;
    if (!ended) setImmediate(count);
  };
  function* steps(): Generator<void, string> {
    setImmediate(count);
    try {
      for (const ms of times) {
        turns.push(turn);
        turn = 0;
        nowMs += ms;
        yield;
      }
      return 'done';
    } finally {
      ended = true;
    }
  }
  return { steps: steps(), turns, ended: () => ended };
}

function gaveTurns({ turns }: { readonly turns: readonly number[] }): readonly boolean[] {
  return turns.map((count) => count > 0);
}

test('work done at once yields no turn', () => {
  const all = work([10, 10, 10]);
  expect(atOnce(all.steps)).toBe('done');
  expect(gaveTurns(all)).toEqual([false, false, false]);
});

test('the event loop gets a turn whenever it was held for 4 ms, counted from its last turn', async () => {
  const all = work([1, 2, 0.9, 0.1, 1, 1, 3, 0]);
  expect(await inSlices(all.steps)).toBe('done');
  expect(gaveTurns(all)).toEqual([false, false, false, false, true, false, false, true]);
});

test('aborted work stops and cleans up', async () => {
  const aborted = new AbortController();
  const reason = new Error('nobody waits for it');
  const all = work([5, 5, 5]);
  setImmediate(() => aborted.abort(reason));
  await expect(inSlices(all.steps, aborted.signal)).rejects.toBe(reason);
  expect(all.turns.length).toBeLessThan(3);
  expect(all.ended()).toBe(true);
});

test('an error of the work is the error of its slices', async () => {
  function* broken(): Generator<void, never> {
    yield;
    throw new Error('it broke');
  }
  await expect(inSlices(broken())).rejects.toThrow('it broke');
});
