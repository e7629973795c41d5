/** The command line of tmux, for the judge of authority: calls of t4a in the words of tmux, about a pane that a door before has left. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Client } from '../../src/client/client.js';
import { VERBS } from '../../src/tmux/arguments.js';
import type { Door } from './authority.js';
import { cacheHome } from './daemon.js';
import { execute } from './execute.js';
import { tempDir } from './temp-dir.js';
import { DOOR } from './tmux.js';

interface Asked {
  /** The pane, as tmux names it, or what else the call names. */
  readonly to: string;
  readonly text: string;
  /** Of a program. */
  readonly words: readonly string[];
  readonly line: string;
}

type Writing = (asked: Asked) => readonly string[];

/** Keys of the pane below go to this one, too. */
const TOGETHER = (to: string): string =>
  `split-window -d -t ${to} cat ; set-option -w -t ${to} synchronize-panes on ; send-keys -l -t :.{last}`;

/** Several ways to the same effect; the last of each are those that a guard of the plain one would not see. */
const OF_TMUX: Readonly<Record<string, readonly Writing[]>> = {
  list: [
    () => ['list-panes', '-a'],
    () => ['list-sessions'],
    () => ['list-panes', '-a', '-F', '#{pane_pid} #{pane_tty}'],
  ],
  text: [({ to }) => ['capture-pane', '-p', '-t', to], ({ to }) => ['capture-pane', '-pS', '-', '-t', to]],
  status: [({ to }) => ['display-message', '-p', '-t', to], ({ to }) => ['display-message', '-a', '-t', to]],
  grep: [({ text }) => ['list-panes', '-a', '-f', `#{C:${text}}`]],
  wait: [({ to }) => ['has-session', '-t', to]],
  type: [
    ({ to, text }) => ['send-keys', '-l', '-t', to, text],
    ({ to, text }) => ['set-buffer', text, ';', 'paste-buffer', '-t', to],
    ({ to }) => ['send-keys', '-H', '-t', to, '78'],
    ({ to, text }) => ['if-shell', '-F', '1', `send-keys -l -t '${to}' '${text}'`],
    ({ to, text }) => [
      'set-hook',
      '-g',
      'after-list-buffers',
      `send-keys -l -t '${to}' '${text}'`,
      ';',
      'list-buffers',
    ],
    ({ to, text }) => [...TOGETHER(to).split(' '), text],
  ],
  press: [({ to }) => ['send-keys', '-t', to, 'a'], ({ to }) => ['send-prefix', '-t', to]],
  paste: [
    ({ to, text }) => ['set-buffer', text, ';', 'paste-buffer', '-p', '-t', to],
    ({ to }) => ['pipe-pane', '-I', '-t', to, 'printf x'],
  ],
  create: [
    ({ words }) => ['new-session', '-d', ...words],
    ({ words }) => ['new-window', '-d', ...words],
    ({ to, words }) => ['split-window', '-d', '-t', to, ...words],
    ({ words }) => ['new-window', '-dk', '-t', ':0', ...words],
  ],
  run: [
    ({ line }) => ['new-session', '-d', line],
    ({ line }) => ['run-shell', line],
    ({ line }) => ['if-shell', line, 'list-panes'],
    ({ to, line }) => ['respawn-pane', '-k', '-t', to, line],
    ({ to, line }) => ['pipe-pane', '-t', to, line],
    ({ to, line }) => ['respawn-window', '-k', '-t', to, line],
  ],
  kill: [
    ({ to }) => ['kill-pane', '-t', to],
    ({ to }) => ['kill-window', '-t', to],
    ({ to }) => ['unlink-window', '-k', '-t', to],
    ({ to }) => ['kill-session', '-t', to],
    ({ to }) => ['respawn-pane', '-k', '-t', to, 'sleep 100'],
    ({ to }) => ['run-shell', '-C', `kill-pane -t '${to}'`],
    () => ['kill-server'],
  ],
  clear: [({ to }) => ['clear-history', '-t', to], ({ to }) => ['send-keys', '-R', '-t', to]],
  resize: [({ to }) => ['resize-window', '-t', to, '-x', '90'], ({ to }) => ['resize-pane', '-Z', '-t', to]],
  rename: [({ to }) => ['rename-window', '-t', to, 'x'], ({ to }) => ['rename-session', '-t', to, 'x']],
  restart: [({ to }) => ['respawn-pane', '-t', to]],
  shutdown: [() => ['kill-server']],
};

/** A call that waits for another client is answered when that has come; in a mode of a pane keys are for the mode. */
const LEFT_OUT = /^(wait-for|find-window|choose-.*|.*-mode)$/;
const OTHERS = VERBS.map(({ name }) => name).filter((name) => !LEFT_OUT.test(name));

/** A call of t4a that tmux has no word for is a verb in its turn, with a target alone. */
function wordsOf(name: string, asked: Asked, req: number): readonly string[] {
  const ways = OF_TMUX[name.trim()];
  const way = ways?.[req % ways.length];
  if (way !== undefined) return way(asked);
  const verb = OTHERS[req % OTHERS.length] ?? 'list-panes';
  return [verb, ...(req % 2 === 0 ? ['-t', asked.to] : []), ...(req % 3 === 0 ? [asked.text] : [])];
}

const textIn = (given: unknown, otherwise: string): string => (typeof given === 'string' ? given : otherwise);

export async function tmuxDoor({ socketPath }: Client): Promise<Door> {
  const { path: dir } = tempDir();
  const socket = join(dir, 'door');
  const { PATH = '' } = process.env;
  const env = {
    PATH,
    HOME: dir,
    XDG_CACHE_HOME: cacheHome,
    SHELL: '/bin/sh',
    LC_ALL: 'C.UTF-8',
    T4A_SOCKET: socketPath,
  };
  const tmux = async (...args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await execute(DOOR, ['-f', '/dev/null', '-S', socket, ...args], {
      env,
      cwd: dir,
    });
    return `${status} ${stdout}${stderr}`;
  };
  onTestFinished(async () => void (await tmux('kill-server')));
  const place = { 'tmux.session': 'judged', 'tmux.window': '0:cat', 'tmux.pane': '%0' };
  let own = '';
  return {
    isOfOne: true,
    made: { labels: { tmux: 'door', 'tmux.socket': socket, ...place } },
    async about(id) {
      own = id;
      // The file of a door that was killed before it had written any.
      writeFileSync(`${socket}.state`, '', { mode: 0o600 });
      const panes = await tmux('start-server', ';', 'list-panes', '-a', '-F', '#{pane_id} #{pane_pid}');
      if (!panes.startsWith('0 %0 ')) throw new Error(`the door has not found the pane: ${panes}`);
    },
    call(name, input, req) {
      const fields = { ...(typeof input === 'object' ? input : {}) } as Record<string, unknown>;
      const { id = '', text, cmd_args: args, command } = fields;
      const words = Array.isArray(args) ? args.map(String) : [textIn(command, 'true')];
      const to = id === own ? '%0' : id === '@' ? '' : textIn(id, 'x');
      return tmux(...wordsOf(name, { to, text: textIn(text, 'x'), words, line: words.join(' ') }, req));
    },
  };
}
