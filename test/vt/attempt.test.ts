import { expect, test } from 'vitest';
import { attempt } from '../../src/vt/attempt.js';

test('what an action returns is handed on, and no fault is noted', () => {
  const faults: unknown[] = [];
  expect(attempt(faults, () => 'value')).toBe('value');
  expect(faults).toEqual([]);
});

test('what an action throws is noted after the faults before it', () => {
  const faults: unknown[] = ['earlier'];
  const error = new Error('action');
  expect(
    attempt(faults, () => {
      throw error;
    }),
  ).toBeUndefined();
  expect(faults).toEqual(['earlier', error]);
});
