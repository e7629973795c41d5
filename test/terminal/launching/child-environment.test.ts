import { describe, expect, test } from 'vitest';
import { ALLOCATOR_ENVIRONMENT } from '../../../src/base/allocator.js';
import { childEnvironment } from '../../../src/terminal/launching/child-environment.js';

const FACTS = { id: 't7', term: 'xterm-256color', socketPath: '/run/s', termProgram: 't4a/1.2.3', lcCtype: '' };
const OWN = {
  PWD: '/work',
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  TERM_PROGRAM: 't4a',
  TERM_PROGRAM_VERSION: '1.2.3',
  T4A_SOCKET: '/run/s',
  T4A_TERMINAL: 't7',
};

test("a program has the variables of its daemon, overridden by the request's, overridden by the terminal's", () => {
  const base = { HOME: '/home/me', LANG: 'C', TERM: 'dumb', PWD: '/', UNSET: undefined };
  expect(childEnvironment(base, { LANG: 'de_DE.UTF-8', COLORTERM: 'no' }, FACTS, '/work')).toEqual({
    HOME: '/home/me',
    LANG: 'de_DE.UTF-8',
    ...OWN,
  });
});

test.each([
  ['ghostty/1.3.0', { TERM_PROGRAM: 'ghostty', TERM_PROGRAM_VERSION: '1.3.0' }],
  ['kitty', { TERM_PROGRAM: 'kitty' }],
])('%s is named instead of t4a, also beside variables of the request', (termProgram, named) => {
  const { TERM_PROGRAM: _name, TERM_PROGRAM_VERSION: _version, ...own } = OWN;
  const given = { TERM_PROGRAM: 'other', TERM_PROGRAM_VERSION: '9' };
  expect(childEnvironment({}, given, { ...FACTS, termProgram }, '/work')).toEqual({ ...own, ...named });
});

test.each([
  'COLUMNS',
  'LINES',
  'TERMCAP',
  'TMUX',
  'TMUX_PANE',
  'STY',
  'WINDOW',
  'WINDOWID',
  'NODE_CHANNEL_FD',
  'NODE_CHANNEL_SERIALIZATION_MODE',
  'NODE_UNIQUE_ID',
  'LISTEN_FDS',
  'LISTEN_PID',
  'LISTEN_FDNAMES',
  'NOTIFY_SOCKET',
  'WATCHDOG_PID',
  'WATCHDOG_USEC',
  'INVOCATION_ID',
  'JOURNAL_STREAM',
  'MAINPID',
  'MANAGERPID',
])('%s, of another terminal or of the daemon alone, is not inherited', (name) => {
  expect(childEnvironment({ [name]: '1' }, {}, FACTS, '/work')).toEqual(OWN);
  expect(childEnvironment({}, { [name]: '1' }, FACTS, '/work')).toEqual(OWN);
});

test("programs do not inherit the daemon's own variables unless the request passes them", () => {
  expect(childEnvironment({ T4A_SCROLLBACK: '5', XT4A_: 'kept' }, {}, FACTS, '/work')).toEqual({
    XT4A_: 'kept',
    ...OWN,
  });
  expect(childEnvironment({}, { T4A_SCROLLBACK: '5' }, FACTS, '/work')).toEqual({ T4A_SCROLLBACK: '5', ...OWN });
});

test('a setting of the allocator is removed only if it is the one that the daemon was started with', () => {
  for (const [name, value] of Object.entries(ALLOCATOR_ENVIRONMENT)) {
    expect(childEnvironment({ [name]: value }, {}, FACTS, '/work')).toEqual(OWN);
    expect(childEnvironment({ [name]: `${value}1` }, {}, FACTS, '/work')).toEqual({ [name]: `${value}1`, ...OWN });
  }
});

describe('the character set', () => {
  const facts = { ...FACTS, lcCtype: 'C.UTF-8' };
  const given = { LC_CTYPE: 'C.UTF-8', ...OWN };

  test.each([{}, { LC_ALL: '' }, { LANG: '', LC_CTYPE: '' }, { LC_MESSAGES: 'de_DE.UTF-8', LANGUAGE: 'de' }])(
    'is given to a program whose environment names none: %j',
    (env) => {
      expect(childEnvironment(env, {}, facts, '/work')).toEqual({ ...env, ...given });
      expect(childEnvironment({}, env, facts, '/work')).toEqual({ ...env, ...given });
    },
  );

  test.each(['LC_ALL', 'LC_CTYPE', 'LANG'])('that %s names is kept with any value', (name) => {
    for (const locale of ['C', 'POSIX', 'de_DE.ISO-8859-1', 'xx_YY.UTF-8']) {
      const env = { [name]: locale };
      expect(childEnvironment(env, {}, facts, '/work')).toEqual({ ...env, ...OWN });
      expect(childEnvironment({}, env, facts, '/work')).toEqual({ ...env, ...OWN });
    }
  });

  test('is not set if the configuration turns it off', () => {
    expect(childEnvironment({}, {}, FACTS, '/work')).toEqual(OWN);
  });
});

test('variables that npx set for the daemon are not passed to programs, unless the request passes them', () => {
  const base = { npm_command: 'exec', npm_config_cache: '/c', INIT_CWD: '/', PATH: '/x/node_modules/.bin:/bin' };
  expect(childEnvironment(base, {}, FACTS, '/work')).toEqual({ PATH: '/bin', ...OWN });
  expect(childEnvironment(base, { npm_config_cache: '/mine' }, FACTS, '/work')).toEqual({
    PATH: '/bin',
    npm_config_cache: '/mine',
    ...OWN,
  });
});
