import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LoopTurns, TurnTaker } from '../../src/base/loop-turns.js';

test('in each round of the event loop one of many works goes on, in the order in which they asked', async () => {
  const turns = new LoopTurns();
  const worked: [name: string, round: number][] = [];
  let round = 0;
  let isOver = false;
  const counting = (async () => {
    while (!isOver) {
      await setImmediate();
      round++;
    }
  })();
  const { signal } = new AbortController();
  const work = async (name: string): Promise<void> => {
    const turn = new TurnTaker(turns, signal);
    for (let i = 0; i < 3; i++) {
      await turn.next();
      worked.push([name, round]);
    }
  };
  await Promise.all(['a', 'b', 'c'].map(work));
  isOver = true;
  await counting;
  expect(worked.map(([name]) => name)).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c']);
  expect(new Set(worked.map(([, at]) => at)).size).toBe(worked.length);
});

test('a turn is over after its slice, and a work that is given up gets no other', async () => {
  const turns = new LoopTurns(0);
  const given = new AbortController();
  const turn = new TurnTaker(turns, given.signal);
  expect(turn.isOver).toBe(true);
  await turn.next();
  expect(turn.isOver).toBe(true);
  const next = turn.next();
  given.abort(new Error('given up'));
  await expect(next).rejects.toThrow('given up');
  const long = new TurnTaker(new LoopTurns(60_000), new AbortController().signal);
  await long.next();
  expect(long.isOver).toBe(false);
});
