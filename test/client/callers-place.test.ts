import { expect, test } from 'vitest';
import { callersPlace } from '../../src/client/callers-place.js';

test('a program has the directory and the variables of its caller, and none of the daemon', () => {
  expect(callersPlace('/work', { HOME: '/home/me', LANG: 'C' })).toEqual({
    cwd: '/work',
    env: { HOME: '/home/me', LANG: 'C' },
    inherit_env: false,
  });
});

test.each(['TERM', 'COLORTERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'COLUMNS', 'LINES'])(
  "%s of the caller's own terminal is left out, but may be added",
  (name) => {
    expect(callersPlace('/', { [name]: 'theirs', PATH: '/bin' }).env).toEqual({ PATH: '/bin' });
    expect(callersPlace('/', { [name]: 'theirs' }, { [name]: 'added' }).env).toEqual({ [name]: 'added' });
  },
);

test('added variables override those of the caller, and undefined ones are not set', () => {
  const env = { A: 'old', B: undefined, C: '', D: 'kept' };
  expect(callersPlace('/', env, { A: 'new', E: undefined }).env).toEqual({ A: 'new', C: '', D: 'kept' });
});
