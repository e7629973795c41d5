import { describe, expect, test } from 'vitest';
import { integrateShell } from '../../../src/terminal/launching/shell-integration.js';

const SCRIPTS = "/opt/it's/shell";

function start(file: string, args: string[] = [], env: Record<string, string> = {}) {
  return integrateShell({ file, args, env }, SCRIPTS);
}

describe('an interactive shell', () => {
  test('bash gets its rc file', () => {
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

  test('zsh gets ZDOTDIR, with the old one beside it', () => {
    expect(start('/usr/bin/zsh', ['-l'], { ZDOTDIR: '/z' })).toEqual({
      file: '/usr/bin/zsh',
      args: ['-l'],
      env: { ZDOTDIR: `${SCRIPTS}/zsh`, T4A_ZSH_ZDOTDIR: '/z' },
    });
    expect(start('/usr/bin/zsh').env).toEqual({ ZDOTDIR: `${SCRIPTS}/zsh` });
  });

  test.each(['ash', 'sh'])('busybox %s is one, too', (applet) => {
    const file = '/no/such/busybox';
    const ours = { ENV: `${SCRIPTS}/sh/t4a.sh`, T4A_SH: 'busybox' };
    expect(start(file, [applet, '-l'])).toEqual({ file, args: [applet, '-l'], env: ours, marksNoStarts: true });
    expect(start(file, [applet, '-c', 'true'])).toEqual({ file, args: [applet, '-c', 'true'], env: {} });
    expect(start(file, ['ls'])).toEqual({ file, args: ['ls'], env: {} });
  });

  test.each([['sh'], ['dash'], ['ash'], ['ksh'], ['ksh93'], ['mksh']])(
    '%s is given $ENV, and the old one beside it',
    (name) => {
      const file = `/no/such/${name}`;
      const ours = { ENV: `${SCRIPTS}/sh/t4a.sh`, T4A_SH: name };
      expect(start(file, ['-l'], { A: 'b' })).toEqual({
        file,
        args: ['-l'],
        env: { A: 'b', ...ours },
        marksNoStarts: true,
      });
      expect(start(file, [], { ENV: '/e' }).env).toEqual({ ...ours, T4A_SH_ENV: '/e' });
    },
  );

  test.each(['/a$b', '/a`b', '/a\\b', '/a"b'])(
    'sh is left alone where scripts are in %s, for it expands $ENV',
    (folder) => {
      expect(integrateShell({ file: '/bin/sh', args: [], env: {} }, folder).env).toEqual({});
    },
  );

  test('fish gets a command, quoted', () => {
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
  ['/bin/sh', ['-c', 'ls']],
  ['/bin/dash', ['-e']],
  ['/bin/mksh', ['script.sh']],
  ['/usr/bin/vim', []],
  ['/x/toString', []],
])('%s %j is started unchanged', (file, args) => {
  expect(start(file, args, { ZDOTDIR: '/z', ENV: '/e' })).toEqual({ file, args, env: { ZDOTDIR: '/z', ENV: '/e' } });
});
