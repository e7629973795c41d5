/** A condition whose search of the screen may take several turns of the event loop. */
import { describe, expect, test, vi } from 'vitest';
import { type Evidence, UNDECIDED } from '../../../src/events/waits/armed-condition.js';
import { ScreenSearch } from '../../../src/events/waits/screen-search.js';
import type { Work } from '../../../src/search/work.js';
import { WorkSchedule } from '../../../src/search/work-schedule.js';
import { gate } from '../../support/serve.js';

const FOUND: Evidence = { match: { row: 1, col: 2, text: 'x' } };

/** What there is to be looked at: how long it takes by its own account, and what is found in it once it has gone on. */
interface Matter {
  readonly steps: number;
  readonly found?: Evidence;
  /** It goes on until then. */
  readonly until?: () => boolean;
}

function searching(...matters: Matter[]) {
  const searched: Matter[] = [];
  let taken = 0;
  let rechecks = 0;
  let rechecked = gate();
  function* search(matter: Matter): Work<Evidence | undefined> {
    searched.push(matter);
    while (matter.until?.() === false) yield 1;
    return matter.found;
  }
  const condition = new ScreenSearch<Matter>(
    {
      take: () => {
        taken++;
        return matters.shift();
      },
      steps: ({ steps }) => steps,
      search,
    },
    new WorkSchedule(),
    () => {
      rechecks++;
      rechecked.open();
    },
  );
  return {
    condition,
    searched,
    counts: () => ({ taken, rechecks }),
    add: (matter: Matter) => void matters.push(matter),
    rechecked: async () => {
      await rechecked.promise;
      rechecked = gate();
    },
  };
}

describe('a short search', () => {
  test('ends within the check, and its result stays the same', () => {
    const { condition, counts } = searching({ steps: 4000 }, { steps: 1, found: FOUND }, { steps: 1 });
    expect(condition.check()).toBeUndefined();
    expect(condition.check()).toBe(FOUND);
    expect(condition.check()).toBe(FOUND);
    expect(counts()).toEqual({ taken: 2, rechecks: 0 });
  });

  test('does not run if nothing on the screen is new', () => {
    const { condition, searched } = searching();
    expect(condition.check()).toBeUndefined();
    expect(searched).toEqual([]);
  });
});

describe('a search that may take long', () => {
  test('returns its result at once if it was fast', () => {
    const { condition, counts } = searching({ steps: 1e6, found: FOUND });
    // However busy the machine is, no time passes.
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const checked = condition.check();
    now.mockRestore();
    expect(checked).toBe(FOUND);
    expect(counts()).toEqual({ taken: 1, rechecks: 0 });
  });

  test('is undecided until it ends, and then asks for a check', async () => {
    let isOver = false;
    const { condition, counts, rechecked } = searching({ steps: 1e6, found: FOUND, until: () => isOver });
    expect(condition.check()).toBe(UNDECIDED);
    expect(condition.check()).toBe(UNDECIDED);
    isOver = true;
    await rechecked();
    expect(condition.check()).toBe(FOUND);
    expect(counts()).toEqual({ taken: 1, rechecks: 1 });
  });

  test('is followed by a search of the output that arrived during it', async () => {
    let isOver = false;
    const { condition, add, rechecked, counts } = searching({ steps: 1e6, until: () => isOver });
    expect(condition.check()).toBe(UNDECIDED);
    add({ steps: 1, found: FOUND });
    expect(condition.check()).toBe(UNDECIDED);
    expect(counts().taken).toBe(1);
    isOver = true;
    await rechecked();
    expect(condition.check()).toBe(FOUND);
  });

  test('that is disposed asks for no check', async () => {
    let isOver = false;
    const given = searching({ steps: 1e6, found: FOUND, until: () => isOver });
    given.condition.check();
    given.condition.dispose();
    const other = searching({ steps: 1e6, found: FOUND, until: () => isOver });
    expect(other.condition.check()).toBe(UNDECIDED);
    isOver = true;
    await other.rechecked();
    expect(given.counts().rechecks).toBe(0);
  });
});

describe('a closed search', () => {
  test('covers the output up to its closing, and no later output', async () => {
    let isOver = false;
    const { condition, add, rechecked, counts, searched } = searching({ steps: 1e6, until: () => isOver });
    expect(condition.check()).toBe(UNDECIDED);
    add({ steps: 2 });
    condition.close();
    add({ steps: 3, found: FOUND });
    condition.close();
    isOver = true;
    await rechecked();
    expect(condition.check()).toBeUndefined();
    expect(searched.map(({ steps }) => steps)).toEqual([1e6, 2]);
    expect(counts()).toEqual({ taken: 2, rechecks: 1 });
  });

  test('asks for one check after it has covered everything, however long that takes', async () => {
    let [isOver, isAllOver] = [false, false];
    const { condition, add, rechecked, counts } = searching({ steps: 1e6, until: () => isOver });
    expect(condition.check()).toBe(UNDECIDED);
    add({ steps: 1e6, found: FOUND, until: () => isAllOver });
    condition.close();
    isOver = true;
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect([condition.check(), counts().rechecks]).toEqual([UNDECIDED, 0]);
    isAllOver = true;
    await rechecked();
    expect([condition.check(), counts().rechecks]).toEqual([FOUND, 1]);
  });

  test('skips the rest after a match', async () => {
    let isOver = false;
    const { condition, add, rechecked, searched } = searching({ steps: 1e6, found: FOUND, until: () => isOver });
    expect(condition.check()).toBe(UNDECIDED);
    add({ steps: 1 });
    condition.close();
    isOver = true;
    await rechecked();
    expect(condition.check()).toBe(FOUND);
    expect(searched).toHaveLength(1);
  });
});
