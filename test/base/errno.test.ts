import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
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

// Node itself: "Unknown system error -122".
test('what Node has no name for has that of the system', () => {
  const errno = -constants.errno.EDQUOT;
  const failed = Object.assign(new Error('no quota'), { code: `Unknown system error ${errno}`, errno });
  expect(errnoOf(failed)).toBe('EDQUOT');
  const unknown = Object.assign(new Error('no call'), { code: 'Unknown system error -4000', errno: -4000 });
  expect(errnoOf(unknown)).toBe('Unknown system error -4000');
});
