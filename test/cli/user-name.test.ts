import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { userName } from '../../src/cli/local/user-name.js';

test('a person is called as the environment says, else as the system does', () => {
  expect(userName({ USER: 'ada', LOGNAME: 'eve' })).toBe('ada');
  expect(userName({ USER: '', LOGNAME: 'eve' })).toBe('eve');
  expect(userName({})).toBe(userInfo().username);
  expect(userName({ USER: 'of two words' })).toBe(userInfo().username);
});
