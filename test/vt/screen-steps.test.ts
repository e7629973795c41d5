import { expect, test } from 'vitest';
import { attempt } from '../../src/vt/screen.js';

test('attempt returns the result of its action and records no fault', () => {
  const faults: unknown[] = [];
  expect(attempt(faults, () => 'value')).toBe('value');
  expect(faults).toEqual([]);
});

test('attempt records the error of its action after earlier faults', () => {
  const faults: unknown[] = ['earlier'];
  const error = new Error('action');
  expect(
    attempt(faults, () => {
      throw error;
    }),
  ).toBeUndefined();
  expect(faults).toEqual(['earlier', error]);
});
