/** How often a screen is looked at while nothing is found on it. */
import { expect, it } from 'vitest';
import { Pace } from '../../src/activity/pace.js';

/** Looks as soon as it may, until that time. @returns when it looked */
function looksOf(pace: Pace, { from, until, found }: { from: number; until: number; found: number }): number[] {
  const looks: number[] = [];
  for (let ms = from; ms <= until; ms += 10) {
    if (pace.restMs(ms) > 0) continue;
    pace.looks(ms);
    pace.found(found);
    looks.push(ms);
  }
  return looks;
}

it('is ten looks a second while something is found', () => {
  expect(looksOf(new Pace(), { from: 0, until: 5000, found: 1 })).toHaveLength(51);
});

it('is four looks a second after two seconds in vain, and ten again once something is found', () => {
  const pace = new Pace();
  const looks = looksOf(pace, { from: 0, until: 4400, found: 0 });
  expect(looks.filter((ms) => ms <= 1900)).toHaveLength(20);
  expect(looks.slice(20)).toEqual([2150, 2400, 2650, 2900, 3150, 3400, 3650, 3900, 4150, 4400]);
  pace.found(1);
  expect(looksOf(pace, { from: 4410, until: 4800, found: 1 })).toEqual([4500, 4600, 4700, 4800]);
});

it('is ten looks a second for a screen that has stood still', () => {
  const pace = new Pace();
  looksOf(pace, { from: 0, until: 4000, found: 0 });
  expect(looksOf(pace, { from: 5000, until: 5500, found: 0 })).toEqual([5000, 5100, 5200, 5300, 5400, 5500]);
});
