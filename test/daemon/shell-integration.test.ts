import { describe, expect, test } from 'vitest';
import { integrateShell } from '../../src/daemon/shell-integration.js';

const SCRIPTS = "/opt/it's/shell";

function start(file: string, args: string[] = [], env: Record<string, string> = {}) {
  return integrateShell({ file, args, env }, SCRIPTS);
}

describe('an interactive shell', () => {
  test('bash is given its rc file', () => {
    expect(start('/bin/bash')).toEqual({ file: '/bin/bash', args: ['--rcfile', `${SCRIPTS}/bash/t4a.bash`], env: {} });
    expect(start('/bin/bash', ['-i']).args).toEqual(['--rcfile', `${SCRIPTS}/bash/t4a.bash`, '-i']);
  });

  test.each([['-l'], ['-il'], ['--login']])('bash %s is given $ENV, and the old one beside it', (flag) => {
    expect(start('/bin/bash', [flag], { ENV: '/e', A: 'b' })).toEqual({
      file: '/bin/bash',
      args: ['--posix', flag],
      env: { A: 'b', ENV: `${SCRIPTS}/bash/t4a.bash`, T4A_BASH_ENV: '/e', T4A_BASH_LOGIN: '1' },
    });
  });

  test('zsh is given ZDOTDIR, and the old one beside it', () => {
    expect(start('/usr/bin/zsh', ['-l'], { ZDOTDIR: '/z' })).toEqual({
      file: '/usr/bin/zsh',
      args: ['-l'],
      env: { ZDOTDIR: `${SCRIPTS}/zsh`, T4A_ZSH_ZDOTDIR: '/z' },
    });
    expect(start('/usr/bin/zsh').env).toEqual({ ZDOTDIR: `${SCRIPTS}/zsh` });
  });

  test('fish is given a command, quoted', () => {
    expect(start('/usr/bin/fish').args).toEqual([
      '--init-command',
      String.raw`source '/opt/it\'s/shell/fish/t4a.fish'`,
    ]);
  });
});

test.each([
  ['/bin/bash', ['-c', 'ls']],
  ['/bin/bash', ['script.sh']],
  ['/bin/bash', ['--norc']],
  ['/bin/bash', ['--rcfile', 'mine']],
  ['/bin/bash', ['--posix']],
  ['/bin/zsh', ['-f']],
  ['/bin/zsh', ['-ic', 'ls']],
  ['/usr/bin/fish', ['-N']],
  ['/bin/sh', []],
  ['/bin/dash', ['-i']],
  ['/usr/bin/vim', []],
  ['/x/toString', []],
])('%s %j is started as it is', (file, args) => {
  expect(start(file, args, { ZDOTDIR: '/z', ENV: '/e' })).toEqual({ file, args, env: { ZDOTDIR: '/z', ENV: '/e' } });
});
