import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { homeDirectory } from '../../src/base/home-directory.js';
import { itAsRoot, STRANGER } from '../support/users.js';

test('home is the value of HOME, else the home in the list of users', () => {
  expect(homeDirectory({ HOME: '/home/me' })).toBe('/home/me');
  expect(homeDirectory({})).toBe(userInfo().homedir);
  expect(homeDirectory({ HOME: '' })).toBe(userInfo().homedir);
});

itAsRoot()('home of an unlisted user is the root directory', () => {
  const { HOME: home } = process.env;
  delete process.env['HOME'];
  process.seteuid?.(STRANGER);
  try {
    expect(homeDirectory({})).toBe('/');
  } finally {
    process.seteuid?.(0);
    if (home !== undefined) process.env['HOME'] = home;
  }
});
