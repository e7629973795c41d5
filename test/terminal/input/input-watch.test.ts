import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import type { AwaitingInput } from '../../../src/events/awaiting-input.js';
import { FIRST_PROBE_MS, InputWatch } from '../../../src/terminal/input/input-watch.js';

const certain: AwaitingInput = { kind: 'line', pid: 7, process: 'cat', certain: true, secrecy: 'shown' };
const likely: AwaitingInput = { kind: 'raw', pid: 8, process: 'vim', certain: false, secrecy: 'unknown' };

function watchInput() {
  const clock = new FakeClock();
  let answer: AwaitingInput | undefined;
  let wanted = true;
  let mayBeLate = true;
  let cursor = 0;
  const probesAtMs: number[] = [];
  const told: string[] = [];
  const watch = new InputWatch({
    clock,
    probe: () => {
      probesAtMs.push(clock.now());
      return Promise.resolve(answer);
    },
    wanted: () => wanted,
    mayBeLate: () => mayBeLate,
    cursor: () => cursor,
  });
  watch.onAwaiting.on((found) => told.push(found.process));
  return {
    watch,
    clock,
    probesAtMs,
    told,
    answers: (next: AwaitingInput | undefined) => {
      answer = next;
    },
    want: (next: boolean) => {
      wanted = next;
    },
    allowLate: (next: boolean) => {
      mayBeLate = next;
    },
    /** Output that leaves the cursor there. */
    print: (at: number) => {
      watch.onBytes();
      cursor = at;
      watch.onParsed();
    },
    /** Moves the clock in steps, letting each look's answer arrive. */
    advance: async (ms: number) => {
      for (let passedMs = 0; passedMs < ms; passedMs += 10) {
        clock.advance(10);
        await Promise.resolve();
        await Promise.resolve();
        await Promise.resolve();
      }
    },
  };
}

async function countProbes(isWanted: boolean): Promise<number> {
  const { probesAtMs, want, advance } = watchInput();
  want(isWanted);
  await advance(60_000);
  return probesAtMs.length;
}

describe('an input watch looks', () => {
  test('shortly after output has stopped, not during output', async () => {
    const { watch, clock, probesAtMs, advance } = watchInput();
    for (let i = 0; i < 20; i++) {
      watch.onBytes();
      await advance(20);
    }
    expect(probesAtMs).toEqual([]);
    await advance(20);
    expect(probesAtMs).toEqual([380 + FIRST_PROBE_MS]);
    expect(clock.pendingTimers).toBe(1);
  });

  test('at most about every 250 ms while its result is wanted, and every 4 s otherwise', async () => {
    expect(await countProbes(true)).toBeLessThan(60_000 / 250 + 5);
    expect(await countProbes(false)).toBeLessThan(60_000 / 4000 + 10);
  });

  test('at once when asked to, and confirms a reader that it has already reported', async () => {
    const { watch, probesAtMs, answers, advance } = watchInput();
    const confirmed: string[] = [];
    answers(certain);
    await advance(60_000);
    watch.onConfirmed.on((found) => confirmed.push(found.process));
    const before = probesAtMs.length;
    watch.probeNow();
    await advance(10);
    expect(probesAtMs.length).toBe(before + 1);
    expect(confirmed).toEqual(['cat']);
  });

  test('no further after it has found a reader, if its result is not wanted', async () => {
    const { want, clock, answers, advance } = watchInput();
    want(false);
    answers(certain);
    await advance(FIRST_PROBE_MS);
    expect(clock.pendingTimers).toBe(0);
  });

  test('no further after it is disposed, and drops the result of a look under way', async () => {
    const { watch, clock, told, answers, advance } = watchInput();
    answers(certain);
    clock.advance(FIRST_PROBE_MS);
    watch.dispose();
    await advance(1000);
    expect(told).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('while a spinner turns, an input watch', () => {
  const STEP_MS = 100;

  /** Two seconds and a half of it, and after each step what the next one has. */
  async function spun(parts = watchInput()) {
    const spin = async (steps: number, at: (step: number) => number = () => 0): Promise<number> => {
      const before = parts.probesAtMs.length;
      for (let step = 0; step < steps; step++) {
        parts.print(at(step));
        await parts.advance(STEP_MS);
      }
      return parts.probesAtMs.length - before;
    };
    const probes = await spin(25);
    return { ...parts, spin, probes };
  }

  test('looks after each of its first steps, and no more after later ones', async () => {
    const { spin, probes } = await spun();
    expect(probes).toBeGreaterThanOrEqual(40);
    expect(await spin(50)).toBe(0);
  });

  test('finds a question that moves the cursor as soon as ever', async () => {
    for (const elapsedMs of [0, 10, 20, 30, 40, 60, 90]) {
      const { print, answers, advance, told, watch } = await spun();
      print(0);
      await advance(elapsedMs);
      answers(certain);
      print(7);
      await advance(FIRST_PROBE_MS);
      expect(told).toEqual(['cat']);
      watch.dispose();
    }
  });

  test('finds a question that does not move the cursor within 120 ms', async () => {
    const { print, answers, advance, told } = await spun();
    answers(certain);
    print(0);
    await advance(110);
    expect(told).toEqual([]);
    await advance(10);
    expect(told).toEqual(['cat']);
  });

  test('looks as soon as ever after input, and once a wait needs the answer', async () => {
    for (const hurries of ['input', 'wait'] as const) {
      const { watch, allowLate, answers, print, advance, told } = await spun();
      answers(certain);
      print(0);
      await advance(40);
      if (hurries === 'input') watch.onInput();
      else {
        allowLate(false);
        watch.hurry();
      }
      await advance(FIRST_PROBE_MS);
      expect(told).toEqual(['cat']);
    }
  });

  test('looks after each step if it may not be late, if the cursor moves, and after a rest', async () => {
    const { spin, allowLate, advance } = await spun();
    allowLate(false);
    // The one that is awaited may come after the first step.
    expect(await spin(10)).toBeGreaterThanOrEqual(9);
    allowLate(true);
    expect(await spin(10, (step) => step)).toBeGreaterThanOrEqual(9);
    await spin(25);
    await advance(600);
    expect(await spin(10)).toBeGreaterThanOrEqual(10);
  });
});

describe('an input watch reports', () => {
  test('a certain reader at the first look, once', async () => {
    const { watch, told, answers, advance } = watchInput();
    answers(certain);
    await advance(FIRST_PROBE_MS);
    expect(told).toEqual(['cat']);
    expect(watch.current).toEqual(certain);
    await advance(5000);
    expect(told).toEqual(['cat']);
  });

  test('a likely reader only when a second look finds it again', async () => {
    const { watch, told, answers, advance } = watchInput();
    answers(likely);
    await advance(FIRST_PROBE_MS);
    expect(told).toEqual([]);
    answers(undefined);
    await advance(FIRST_PROBE_MS);
    expect(watch.current).toBeUndefined();
    answers(likely);
    await advance(1000);
    expect(told).toEqual(['vim']);
  });

  test('nothing again for the same reader after output, and no current reader until the next look', async () => {
    const { watch, told, answers, advance } = watchInput();
    answers(certain);
    await advance(100);
    watch.onBytes();
    expect(watch.current).toBeUndefined();
    await advance(100);
    expect(watch.current).toEqual(certain);
    expect(told).toEqual(['cat']);
  });

  test('a reader again if it waits again after input', async () => {
    const { watch, told, answers, advance } = watchInput();
    answers(certain);
    await advance(100);
    watch.onInput();
    await advance(100);
    expect(told).toEqual(['cat', 'cat']);
  });

  test('no result of a look that output has overtaken', async () => {
    const { watch, clock, told, answers, advance } = watchInput();
    answers(certain);
    clock.advance(FIRST_PROBE_MS);
    watch.onBytes();
    answers(undefined);
    await advance(500);
    expect(told).toEqual([]);
  });

  test('no current reader after a reader has stopped waiting without output', async () => {
    const { watch, answers, advance } = watchInput();
    answers(certain);
    await advance(100);
    answers(undefined);
    await advance(1000);
    expect(watch.current).toBeUndefined();
  });
});

test('output during the first look causes a second look', async () => {
  const { watch, probesAtMs, clock, advance } = watchInput();
  clock.advance(FIRST_PROBE_MS);
  watch.onBytes();
  await advance(FIRST_PROBE_MS);
  expect(probesAtMs).toEqual([FIRST_PROBE_MS, 2 * FIRST_PROBE_MS]);
});

test('repeated requests, input and output schedule a single next look', async () => {
  const { watch, clock, advance } = watchInput();
  await advance(200);
  for (let i = 0; i < 3; i++) {
    watch.probeNow();
    watch.onInput();
    watch.onBytes();
  }
  expect(clock.pendingTimers).toBe(1);
});

test('a disposed watch looks no more and reports nothing', async () => {
  const { watch, clock, told, probesAtMs, answers, advance } = watchInput();
  watch.onConfirmed.on(() => {});
  answers(certain);
  clock.advance(FIRST_PROBE_MS);
  watch.dispose();
  expect([watch.onAwaiting.hasListeners, watch.onConfirmed.hasListeners]).toEqual([false, false]);
  watch.probeNow();
  watch.onBytes();
  watch.onInput();
  expect(clock.pendingTimers).toBe(0);
  await advance(100);
  expect([probesAtMs.length, told, watch.current]).toEqual([1, [], undefined]);
});

test('a watch that is disposed before its first look never looks', async () => {
  const { watch, clock, advance, probesAtMs } = watchInput();
  watch.dispose();
  expect(clock.pendingTimers).toBe(0);
  await advance(100);
  expect(probesAtMs).toEqual([]);
});

test('a confirmed reader is reported once until the next output', async () => {
  const { watch, answers, probesAtMs, advance } = watchInput();
  let confirmed = 0;
  watch.onConfirmed.on(() => confirmed++);
  answers(certain);
  await advance(1000);
  expect(probesAtMs.length).toBeGreaterThan(2);
  expect(confirmed).toBe(1);
  watch.onBytes();
  await advance(1000);
  expect(confirmed).toBe(2);
});
