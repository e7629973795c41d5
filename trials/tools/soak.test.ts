/** A short run of `npm run soak`: typed text appears, no event is missing, and growth is found in the curves. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { trial } from '../soak.js';
import { itNeeds } from '../../test/support/programs.js';
import { curvePicture, growthOf, type Sample } from '../soak/curve.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

itNeeds('bash')(
  'typed text appears and no event is missing under all kinds of load at once',
  { timeout: 120_000 },
  async () => {
    const settings = {
      turns: 150,
      warmup: 0,
      shells: 3,
      printers: 3,
      floods: 2,
      slow: 1,
      busy: 2,
      picture: 0,
      seed: 1,
    };
    const { figures, failures } = await trial({ root: ROOT, ...settings });
    expect(failures).toEqual([]);
    expect(figures[0]?.[1]).toBeGreaterThan(0);
  },
);

const TURNS = 10_000;

function samplesOf(memoryAt: (turn: number) => number): Sample[] {
  return Array.from({ length: TURNS / 10 }, (_, i) => {
    const turn = (i + 1) * 10;
    return { turn, values: { memory: memoryAt(turn), descriptors: 30, timers: turn % 3, listeners: 100 } };
  });
}

test.each([
  ['stays flat after a rise is not growth', (turn: number) => Math.min(turn, 500) * 1e5, false],
  ['only swings is not growth', (turn: number) => 1e8 + (turn % 70) * 1e6, false],
  ['rises slowly all the time is growth', (turn: number) => 1e8 + turn * 1e3, true],
])('a curve that %s', (_, memoryAt, tooMuch) => {
  expect(growthOf(samplesOf(memoryAt), 'memory', TURNS).tooMuch).toBe(tooMuch);
});

test('a small count may be larger by two at the end, but not by three', () => {
  const gained = (count: number): Sample[] =>
    samplesOf(() => 1).map(({ turn, values }) => ({ turn, values: { ...values, timers: turn > 5000 ? count : 1 } }));
  expect(growthOf(gained(3), 'timers', TURNS).tooMuch).toBe(false);
  expect(growthOf(gained(4), 'timers', TURNS).tooMuch).toBe(true);
});

test('the picture has a curve for each measured value', () => {
  expect(
    curvePicture(
      samplesOf(() => 1e8),
      TURNS,
    ).match(/<polyline/g),
  ).toHaveLength(4);
});
