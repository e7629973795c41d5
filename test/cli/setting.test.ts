/** The effective value of a setting, and the errors of invalid values. */
import { describe, expect, test } from 'vitest';
import { paintOf } from '../../src/cli/output/color.js';
import { parseCommandLine } from '../../src/cli/argv/parse.js';
import { refusesHost, settingOf, withSettings, type Setting, type SettingName } from '../../src/cli/settings.js';
import type { ConfigFile } from '../../src/protocol/config-file.js';
import { T4aError } from '../../src/protocol/errors.js';
import { onTerminal, host, type FakeHost } from '../support/host.js';

type Environment = Record<string, string>;

function where(env: Environment = {}, fields?: Record<string, unknown>): FakeHost {
  const file: ConfigFile = {
    path: '/etc/config.json',
    text: JSON.stringify(fields ?? {}, null, 1),
    fields: fields ?? {},
  };
  return host({ env, configFile: () => (fields === undefined ? undefined : file) });
}

function refusal(name: SettingName, env: Environment, fields?: Record<string, unknown>): string {
  try {
    settingOf(name, undefined, where(env, fields));
  } catch (error) {
    if (error instanceof T4aError)
      return [error.code, error.message, error.details.hint, error.details.closest].join(' | ');
    throw error;
  }
  throw new Error('it holds');
}

test.each<[unknown, Environment, Record<string, unknown> | undefined, Setting]>([
  [1, { T4A_COLS: '92' }, { cols: 93 }, { value: 1, source: 'flag' }],
  [undefined, { T4A_COLS: '92' }, { cols: 93 }, { value: 92, source: 'environment' }],
  [undefined, { T4A_COLS: '' }, { cols: 93 }, { value: 93, source: 'file' }],
  [undefined, {}, { rows: 3 }, { value: undefined, source: 'default' }],
  [undefined, {}, undefined, { value: undefined, source: 'default' }],
])('the flag %j overrides the environment %j, which overrides the file %j: %j', (flag, env, fields, setting) => {
  expect(settingOf('cols', flag, where(env, fields))).toEqual(setting);
});

describe('a value', () => {
  test.each<[SettingName, string, unknown]>([
    ['cols', '2', 2],
    ['cols', '1000', 1000],
    ['rows', '1', 1],
    ['scale', '66.5', 66.5],
    ['color', 'never', 'never'],
    ['shell', 'zsh', 'zsh'],
    ['socket', '/run/s', '/run/s'],
  ])('of %s may be %s', (name, text, value) => {
    expect(settingOf(name, undefined, where({ [`T4A_${name.toUpperCase()}`]: text })).value).toEqual(value);
    expect(settingOf(name, undefined, where({}, { [name]: value })).value).toEqual(value);
  });

  test.each<[SettingName, unknown, string]>([
    ['cols', 1, 'a whole number from 2 to 1000'],
    ['cols', 1001, 'a whole number from 2 to 1000'],
    ['cols', 90.5, 'a whole number from 2 to 1000'],
    ['cols', '90', 'a whole number from 2 to 1000'],
    ['scale', 1e6, 'a number from'],
    ['scale', null, 'a number from'],
    ['color', 'blue', 'one of auto, always, never'],
    ['color', 1, 'one of auto, always, never'],
    ['shell', '', 'a text'],
    ['shell', ['zsh'], 'a text'],
    ['socket', 'relative', 'an absolute path'],
    ['socket', 5, 'a text'],
  ])('of %s may not be %j', (name, value, expected) => {
    expect(refusal(name, {}, { [name]: value })).toContain(
      `usage | In "/etc/config.json", line 2: "${name}" is ${JSON.stringify(value)}: expected ${expected}`,
    );
  });

  test('from the environment is checked in the same way', () => {
    expect(refusal('cols', { T4A_COLS: '1' })).toContain('$T4A_COLS is "1": expected a whole number from 2 to 1000.');
    expect(refusal('cols', { T4A_COLS: 'x' })).toContain('$T4A_COLS is "x": expected a whole number.');
    expect(refusal('socket', { T4A_SOCKET: 'x' })).toContain('$T4A_SOCKET is "x": expected an absolute path.');
  });

  test('with an unknown name is refused, also when another setting is read', () => {
    expect(refusal('cols', {}, { colms: 9 })).toBe(
      'usage | In "/etc/config.json", line 2: There is no setting "colms". | Did you mean "cols"? | cols',
    );
    expect(refusal('cols', {}, { xyzzy_plugh: 9 })).toMatch(/\| One of: socket, color, .*scrollback.*\. \| $/);
    expect(refusal('cols', {}, { sources: true })).toContain('There is no setting "sources".');
    // The daemon's own, which it checks itself.
    expect(settingOf('cols', undefined, where({}, { scrollback: 'many', cols: 9 })).value).toBe(9);
  });
});

describe('a command', () => {
  function params(argv: string[], env: Environment): Record<string, unknown> {
    const invocation = parseCommandLine(argv);
    if (invocation === undefined) throw new Error('no command');
    return withSettings(invocation, where(env)).params;
  }
  const ENV = { T4A_COLS: '91', T4A_ROWS: '31', T4A_SCALE: '50', T4A_SHELL: 'zsh' };

  test.each<[string[], Record<string, unknown>]>([
    [['create'], { cols: 91, rows: 31, cmd_args: ['zsh'] }],
    [['create', '--cols', '5'], { cols: 5, rows: 31, cmd_args: ['zsh'] }],
    [['create', 'vim'], { cols: 91, rows: 31, cmd_args: ['vim'] }],
    [['run', 'ls'], { cols: 91, rows: 31, cmd_args: ['ls'] }],
    [['run', '--rows', '5', 'ls'], { cols: 91, rows: 5, cmd_args: ['ls'] }],
    // A terminal that exists has its size.
    [['run', '--id', 't1', 'ls'], { id: 't1', cmd_args: ['ls'] }],
    [['screenshot'], { scale: 50 }],
    [['screenshot', '--scale', '7'], { scale: 7 }],
    [['screenshot', '--profile', 'cheap'], { profile: 'cheap' }],
    [['resize', '1', '2'], { cols: 1, rows: 2 }],
    [['text'], {}],
  ])('takes its missing flags from the settings: %j', (argv, expected) => {
    expect(params(argv, ENV)).toEqual(expected);
  });

  test('has no further fields without settings', () => {
    expect(params(['create'], {})).toEqual({});
    expect(params(['screenshot'], {})).toEqual({});
  });
});

test.each<[Environment, Record<string, unknown> | undefined, boolean]>([
  [{}, undefined, false],
  [{ T4A_CLI_HOST: 'false' }, undefined, true],
  [{ T4A_CLI_HOST: '0' }, { cli_host: true }, true],
  [{ T4A_CLI_HOST: '1' }, { cli_host: false }, false],
  [{}, { cli_host: false }, true],
  [{}, { cli_host: false, colms: 9 }, true],
  // What is wrong is the error of a command that needs it.
  [{ T4A_CLI_HOST: 'maybe' }, { cli_host: false }, false],
  [{}, { cli_host: 'no' }, false],
])('in the environment %j and the file %j the host is refused: %s', (env, fields, isRefused) => {
  expect(refusesHost(where(env, fields))).toBe(isRefused);
});

test('NO_COLOR turns colours off with any value', () => {
  expect(settingOf('color', undefined, where({ NO_COLOR: '0' }))).toEqual({ value: 'never', source: 'environment' });
  expect(settingOf('shell', undefined, where({ NO_COLOR: '1' }))).toEqual({ value: undefined, source: 'default' });
});

describe('the output of t4a', () => {
  const isColored = (flag: string | undefined, where_: FakeHost): boolean =>
    paintOf(flag, where_)('red', 'x') === '\x1b[31mx\x1b[m';

  test.each<[string | undefined, boolean, Environment, boolean]>([
    [undefined, true, {}, true],
    [undefined, false, {}, false],
    [undefined, true, { TERM: 'dumb' }, false],
    [undefined, true, { NO_COLOR: '1' }, false],
    [undefined, true, { NO_COLOR: '' }, true],
    [undefined, false, { T4A_COLOR: 'always', NO_COLOR: '1' }, true],
    ['auto', true, { NO_COLOR: '1' }, true],
    ['auto', false, {}, false],
    ['always', false, { NO_COLOR: '1', TERM: 'dumb' }, true],
    ['never', true, {}, false],
  ])('with --color=%s, on a terminal: %s, in the environment %j is coloured: %s', (flag, isTerminal, env, expected) => {
    expect(isColored(flag, isTerminal ? onTerminal({ env }) : host({ env }))).toBe(expected);
  });

  test.each([
    ['bold', '\x1b[1mx\x1b[m'],
    ['dim', '\x1b[2mx\x1b[m'],
    ['red', '\x1b[31mx\x1b[m'],
    ['green', '\x1b[32mx\x1b[m'],
    ['yellow', '\x1b[33mx\x1b[m'],
    ['bold red', '\x1b[1;31mx\x1b[m'],
  ] as const)('painted %s is %j, and empty text stays empty', (color, expected) => {
    const paint = paintOf('always', host());
    expect([paint(color, 'x'), paint(color, '')]).toEqual([expected, '']);
  });
});
