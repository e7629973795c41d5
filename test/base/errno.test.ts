import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errnoOf } from '../../src/base/errno.js';

test('the name of a failed system call is returned', () => {
  const failed = (): void => void readFileSync('/dev/null/nothing');
  expect(failed).toThrow();
  try {
    failed();
  } catch (error) {
    expect(errnoOf(error)).toBe('ENOTDIR');
  }
});

test.each([
  ['an error without a code', new Error('no code')],
  ['a code that is no text', Object.assign(new Error('a number'), { code: 5 })],
  ['a code of what is no error', { code: 'ENOENT' }],
  ['nothing', undefined],
  ['a text', 'ENOENT'],
])('%s has no such name', (_, error) => {
  expect(errnoOf(error)).toBeUndefined();
});
