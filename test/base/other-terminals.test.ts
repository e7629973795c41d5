import { expect, test } from 'vitest';
import { isOfOtherTerminal } from '../../src/base/other-terminals.js';
import { callersPlace } from '../../src/client/callers-place.js';
import { childEnvironment } from '../../src/terminal/launching/child-environment.js';

const FACTS = { id: 't1', term: 'xterm-256color', socketPath: '/s', termProgram: 't4a/1', lcCtype: '' };

const DROPPED = {
  KITTY_WINDOW_ID: '1',
  ITERM_SESSION_ID: 'w0',
  LC_TERMINAL: 'iTerm2',
  WEZTERM_PANE: '0',
  VTE_VERSION: '7006',
  GHOSTTY_BIN_DIR: '/opt',
  WT_SESSION: 'x',
  ConEmuPID: '3',
  ZELLIJ: '0',
  TMUX: '/tmp/tmux',
  INSIDE_EMACS: '29',
  COLORFGBG: '15;0',
  GPG_TTY: '/dev/pts/1',
  SSH_TTY: '/dev/pts/1',
  TERMINFO: '/Applications/Ghostty.app/Contents/Resources/terminfo',
};
const KEPT = {
  SSH_CONNECTION: '1 2 3 4',
  SSH_AUTH_SOCK: '/run/a',
  DISPLAY: ':0',
  TERMINFO: '/etc/terminfo',
  TERMINFO_DIRS: '/usr/share',
  XDG_SESSION_ID: '2',
  WTF: 'no prefix',
};

test.each(Object.entries(DROPPED))('%s=%s describes another terminal', (name, value) => {
  expect(isOfOtherTerminal(name, value)).toBe(true);
});

test.each(Object.entries(KEPT))('%s=%s does not', (name, value) => {
  expect(isOfOtherTerminal(name, value)).toBe(false);
});

test('a caller hands none of them on, and a program inherits none of the daemon', () => {
  const { env } = callersPlace('/work', { ...DROPPED, ...KEPT, TERMINFO: undefined });
  expect(env).toEqual({ ...KEPT, TERMINFO: undefined });
  const inherited = childEnvironment({ ...DROPPED, HOME: '/h' }, {}, FACTS, '/work');
  expect(Object.keys(inherited).filter((name) => name in DROPPED)).toEqual([]);
  expect(inherited['HOME']).toBe('/h');
});

test('what is named is set', () => {
  expect(callersPlace('/work', {}, { GPG_TTY: '/dev/pts/9' }).env).toEqual({ GPG_TTY: '/dev/pts/9' });
  expect(childEnvironment({}, { ZELLIJ: '1' }, FACTS, '/work')['ZELLIJ']).toBe('1');
});
