/** Signals and exit codes as clients of interminai name them. */
import { expect, test } from 'vitest';
import { exitCodeOf, signalNamed } from '../../src/interminai/signals.js';

test.each(['SIGTERM', 'term', 'Term', '15'])('%s is SIGTERM', (given) => {
  expect(signalNamed(given)).toBe('SIGTERM');
});

test.each(['', 'SIG', '0', '999', 'nonsense'])('%j is none', (given) => {
  expect(() => signalNamed(given)).toThrow(`Invalid signal: ${given}`);
});

test.each([
  [{ code: 0, signal: null }, 0],
  [{ code: 3, signal: null }, 3],
  [{ code: null, signal: 'SIGKILL' }, 137],
  [{ code: null, signal: 'SIG40' }, 168],
  [{ code: null, signal: null }, 128],
])('an end with %j is reported as %i', (end, code) => {
  expect(exitCodeOf(end)).toBe(code);
});
