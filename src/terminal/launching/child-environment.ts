/**
 * The environment of a program in a terminal: variables that describe the terminal, and variables that it must not
 * inherit.
 */

import { ALLOCATOR_ENVIRONMENT } from '../../base/allocator.js';
import { namedLocale } from '../../base/character-set.js';
import { withoutCallingAgent } from '../../base/calling-agents.js';
import { isOfOtherTerminal } from '../../base/other-terminals.js';
import { withoutNpx } from '../../base/npx-environment.js';

/** They describe the terminal in which the daemon was started, also if a caller hands them on; the program asks its own PTY instead. */
const OTHER_TERMINAL = ['COLUMNS', 'LINES', 'TERMCAP', 'TMUX', 'TMUX_PANE', 'STY', 'WINDOW', 'WINDOWID'];

/** Set for the daemon's process by its parent, with descriptors and pids that are meaningless in another process. */
const DAEMONS_OWN = [
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
];

const NOT_INHERITED = [...OTHER_TERMINAL, ...DAEMONS_OWN];

/** Settings of the daemon are not passed to its programs. */
const OWN_PREFIX = 'T4A_';

export interface TerminalFacts {
  readonly id: string;
  readonly term: string;
  /** Name and version, or the name alone. */
  readonly termProgram: string;
  readonly socketPath: string;
  /** What the caller sets whatever it describes; names of t4a's own are left out. */
  readonly setEnv?: Readonly<Record<string, string>> | undefined;
  /** LC_CTYPE if the environment names no character set; empty for none. */
  readonly lcCtype: string;
}

export function childEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  given: Readonly<Record<string, string>>,
  terminal: TerminalFacts,
  cwd: string,
  keepsAgent = false,
): Record<string, string> {
  const env: Record<string, string> = {};
  const own = withoutNpx(base);
  for (const [name, value] of Object.entries(keepsAgent ? own : withoutCallingAgent(own))) {
    if (value === undefined || name.startsWith(OWN_PREFIX) || isOfOtherTerminal(name, value)) continue;
    if (value !== ALLOCATOR_ENVIRONMENT[name]) env[name] = value;
  }
  Object.assign(env, given);
  for (const name of NOT_INHERITED) delete env[name];
  const [termProgram = '', version] = terminal.termProgram.split('/');
  delete env['TERM_PROGRAM_VERSION'];
  if (terminal.lcCtype !== '' && namedLocale(env) === undefined) env['LC_CTYPE'] = terminal.lcCtype;
  return {
    ...env,
    PWD: cwd,
    TERM: terminal.term,
    COLORTERM: 'truecolor',
    TERM_PROGRAM: termProgram,
    ...(version === undefined ? {} : { TERM_PROGRAM_VERSION: version }),
    ...Object.fromEntries(Object.entries(terminal.setEnv ?? {}).filter(([name]) => !name.startsWith(OWN_PREFIX))),
    T4A_SOCKET: terminal.socketPath,
    T4A_TERMINAL: terminal.id,
  };
}
