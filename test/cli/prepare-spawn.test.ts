/** Directory and environment of the programs that create and run start: those of the caller. */
import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/cli/argv/invocation.js';
import { prepared as preparedIn } from '../support/prepared.js';
import { host } from '../support/host.js';

const CALLER = host({ env: { PATH: '/bin', TERM: 'dumb', EMPTY: '' }, cwd: () => '/here' });
const prepared = (argv: readonly string[], where = CALLER): Promise<Fields> => preparedIn(argv, where);
const INHERITED = { PATH: '/bin', EMPTY: '' };

describe.each([
  ['create', {}],
  ['run', { cmd_args: ['ls'] }],
])('%s', (command, rest) => {
  const words = command === 'run' ? ['ls'] : [];

  test('starts its program in the directory of the caller, with the environment of the caller', async () => {
    expect(await prepared([command, ...words])).toEqual({ ...rest, cwd: '/here', env: INHERITED, inherit_env: false });
  });

  test('resolves --cwd against the directory of the caller, and adds the variables of --env', async () => {
    expect(await prepared([command, '--cwd', 'sub/../x', '--env', 'A=1=2', '--env', 'PATH=', ...words])).toEqual({
      ...rest,
      cwd: '/here/x',
      env: { EMPTY: '', A: '1=2', PATH: '' },
      inherit_env: false,
    });
    expect(await prepared([command, '--cwd', '/abs', ...words])).toMatchObject({ cwd: '/abs' });
  });

  test.each(['A', '=x', ''])('refuses %j as a variable', async (given) => {
    await expect(prepared([command, `--env=${given}`, ...words])).rejects.toMatchObject({
      code: 'usage',
      message: `--env is ${JSON.stringify(given)}: expected NAME=VALUE.`,
    });
  });

  test('fails with cwd_not_found if the directory of the caller is gone', async () => {
    const gone = host({
      cwd() {
        throw new Error('ENOENT: uv_cwd');
      },
    });
    await expect(prepared([command, ...words], gone)).rejects.toMatchObject({
      code: 'cwd_not_found',
      details: { field: 'cwd', hint: 'cd to another one.' },
    });
  });
});

describe('run', () => {
  test('in an existing terminal sends only the given directory and variables', async () => {
    expect(await prepared(['run', '--id', 't1', 'ls'])).toEqual({ id: 't1', cmd_args: ['ls'] });
    expect(await prepared(['run', '--id', 't1', '--env', 'A=1', '--cwd', 'x', 'ls'])).toEqual({
      id: 't1',
      cmd_args: ['ls'],
      cwd: 'x',
      env: { A: '1' },
    });
  });

  test('requests the picture in the format of its file', async () => {
    expect(await prepared(['run', '--screenshot', 'x.png', 'ls'])).toMatchObject({ screenshot: true });
    expect(await prepared(['run', '--screenshot', 'x.webp', 'ls'])).toMatchObject({ screenshot: { format: 'webp' } });
    expect(await prepared(['run', '--id', 't1', '--screenshot', 'x.jpg', 'ls'])).toEqual({
      id: 't1',
      cmd_args: ['ls'],
      screenshot: { format: 'jpeg' },
    });
  });
});
