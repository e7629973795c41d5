import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { homeDirectory } from '../../src/base/home-directory.js';
import { itAsRoot, STRANGER } from '../support/users.js';

test('home is what HOME says, else what the list of users says', () => {
  expect(homeDirectory({ HOME: '/home/me' })).toBe('/home/me');
  expect(homeDirectory({})).toBe(homedir());
  expect(homeDirectory({ HOME: '' })).toBe(homedir());
});

itAsRoot()('of a user that is in no list it is the root directory', () => {
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
