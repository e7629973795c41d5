/** Start of the program of a pane: its command line, directory, environment and size, as tmux would have it. */
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { defaultCommandLine } from '../client/paths.js';
import type { TmuxEnvironment, Pane, Session } from './model.js';
import type { State } from './state.js';

/** Bounds of the daemon: a terminal has at least two columns, and at most a thousand. */
const LEAST_COLS = 2;
const MOST_CELLS = 1000;
const LEAST_SCROLLBACK = 10_000;
const MOST_SCROLLBACK = 100_000;

export interface Launch {
  readonly command: readonly string[];
  readonly cwd: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Environment of the calling client. */
  readonly caller: { readonly env: Readonly<Record<string, string>>; readonly cwd: string };
}

/** A command line that starts a shell and nothing else: `-c` would replace itself by it, and its marks would be missing. */
const SHELL_ALONE = /^ *(?:\/[\w./-]+\/)?(?:bash|zsh|fish|sh|dash|ksh|mksh)(?: +(?:-[il]+|--login))* *$/;

export type LaunchFields = ReturnType<typeof launchFields>;

/** Fields of `create`; the pane takes its command and directory. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- what `create` takes
export function launchFields(state: State, pane: Pane, session: Session, launch: Launch) {
  const shell = session.options.text('default-shell') || '/bin/sh';
  const fallback = session.options.text('default-command');
  const given = launch.command.length > 0 || fallback === '' ? launch.command : [fallback];
  pane.command = launch.command;
  pane.historyLimit ||= session.options.number('history-limit');
  pane.cwd = launch.cwd ?? launch.caller.cwd;
  const env = environmentOf(state, session, launch);
  const { PATH = env['PATH'] } = launch.caller.env;
  if (PATH !== undefined) env['PATH'] = PATH;
  env['SHELL'] = shell;
  const first = ownFolderIn(env['PATH'] ?? '');
  if (first !== undefined) env['T4A_PATH_FIRST'] = first;
  const terminfo = state.serverOptions.text('default-terminal');
  const isOwnTerm = terminfo !== 'tmux-256color' && /^[A-Za-z0-9_.+-]+$/.test(terminfo);
  const [only = ''] = given;
  const words = only.trim().split(/ +/);
  return {
    cmd_args:
      given.length === 0
        ? [shell, '-l']
        : given.length > 1
          ? [...given]
          : SHELL_ALONE.test(only)
            ? words
            : [shell, '-c', only],
    cwd: pane.cwd,
    env,
    inherit_env: false,
    keep_cleared: true,
    set_env: {
      TMUX: `${state.socketPath},${process.pid},${session.id}`,
      TMUX_PANE: `%${pane.id}`,
      TERM_PROGRAM: 'tmux',
      TERM_PROGRAM_VERSION: '3.3a',
    },
    ...launchSize(pane),
    term: isOwnTerm ? terminfo : 'xterm-256color',
    title: hostname(),
    scrollback: Math.min(MOST_SCROLLBACK, Math.max(LEAST_SCROLLBACK, pane.historyLimit)),
  };
}

/** The door's folder of a PATH, which a login shell sets anew: the integration of the shell puts it in front again. */
function ownFolderIn(path: string): string | undefined {
  return path.split(':').find((folder) => folder === OWN_FOLDER || dirname(folder) === OWN_FOLDER);
}

const OWN_FOLDER = join(dirname(defaultCommandLine()), 'tmux');

export function launchSize({ cols, rows }: Pane): { readonly cols: number; readonly rows: number } {
  return { cols: Math.min(MOST_CELLS, Math.max(LEAST_COLS, cols)), rows: Math.min(MOST_CELLS, Math.max(1, rows)) };
}

function environmentOf(state: State, session: Session, launch: Launch): Record<string, string> {
  const env: Record<string, string> = {};
  const apply = (of: TmuxEnvironment): void => {
    for (const [name, { value, hidden }] of of) {
      if (value === undefined) delete env[name];
      else if (!hidden) env[name] = value;
    }
  };
  apply(state.environment);
  apply(session.environment);
  return Object.assign(env, launch.environment);
}
