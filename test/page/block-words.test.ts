/** Commands of a shell in words, without a browser. */
import { expect, test } from 'vitest';
import { nameOf, outcomeOf, shortTime } from '../../src/page/block-words.js';

test.each([
  [0, '0ms'],
  [99, '99ms'],
  [804, '0.8s'],
  [999, '1.0s'],
  [1000, '1.0s'],
  [9949, '9.9s'],
  [9960, '10s'],
  [99_000, '99s'],
  [100_000, '2m'],
  [5_000_000, '83m'],
  [9_000_000, '3h'],
  [999_000_000, '12d'],
])('%i ms are %s', (ms, words) => {
  expect(shortTime(ms)).toBe(words);
});

test('an outcome that is not known is not called a success', () => {
  expect(outcomeOf({ running: false, code: null, durationMs: null })).toBe('ended, how is not known');
  expect(outcomeOf({ running: false, code: 0, durationMs: 3_725_000 })).toBe('succeeded after 1 h 2 min 5 s');
  expect(outcomeOf({ running: false, code: 130, durationMs: 1500 })).toBe('failed with 130 after 1.5 s');
  expect(outcomeOf({ running: true, code: null, durationMs: null })).toBe('runs');
});

test('a command without words has its number, and one of many lines has one', () => {
  expect(nameOf({ command: null, n: 4 })).toBe('command 4');
  expect(nameOf({ command: ' \u001b\n', n: 4 })).toBe('command 4');
  expect(nameOf({ command: 'for i in 1\ndo\n  x\ndone', n: 4 })).toBe('for i in 1 do x done');
});
