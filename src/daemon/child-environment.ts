/** The environment of a program in a terminal: what it is told about the terminal, and what it must not inherit. */

/** They describe the daemon's own terminal, if it had one; the program asks its own PTY instead. */
const NOT_INHERITED = ['COLUMNS', 'LINES', 'TERMCAP', 'TMUX', 'TMUX_PANE', 'STY', 'WINDOW', 'WINDOWID'];

export interface TerminalFacts {
  readonly id: string;
  readonly term: string;
  readonly socketPath: string;
  readonly version: string;
}

export function childEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  given: Readonly<Record<string, string>>,
  terminal: TerminalFacts,
  cwd: string,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) if (value !== undefined) env[name] = value;
  Object.assign(env, given);
  for (const name of NOT_INHERITED) delete env[name];
  return {
    ...env,
    PWD: cwd,
    TERM: terminal.term,
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 't4a',
    TERM_PROGRAM_VERSION: terminal.version,
    T4A_SOCKET: terminal.socketPath,
    T4A_TERMINAL: terminal.id,
  };
}
