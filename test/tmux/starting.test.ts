/** What stands before the verb, and servers that are not there or have gone: with tmux 3.3a and with both clients of the door. */
import { expect } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { findProgram, itNeeds } from '../support/programs.js';
import { execute } from '../support/execute.js';
import { DOOR, SCRIPT, tmuxOf } from '../support/tmux.js';

const cli = useCliDaemon();

const SHELL_LINE = 'printf "%s " "$0" "$SHELL"; exit 3';

/** Command lines in their order, with TMUX where it names a server that has gone. */
const CALLS: readonly (readonly [gone: string, ...words: string[]])[] = [
  ['', '-N', 'has-session'],
  ['', '-N', 'kill-server'],
  ['', '-N', 'new-session', '-d', '-s', 'c', 'cat'],
  ['', '-c', SHELL_LINE],
  ['', '-c', 'echo', 'ls'],
  ['gone', 'list-sessions'],
  ['gone', 'display-message', '-p', 'x'],
  ['gone', 'kill-server'],
  ['folder/gone', 'list-sessions'],
  ['', 'new-session', '-d', '-s', 'a', '-x', '80', '-y', '24', 'cat'],
  ['', '-N', 'new-session', '-d', '-s', 'b', '-x', '80', '-y', '24', 'cat'],
  ['', 'list-sessions', '-F', '#S'],
  ['', '-L', '', 'list-sessions'],
  ['', '-L', '', 'new-session', '-d', 'cat'],
  ['', 'send-keys', '-M', '-t', 'a'],
];

async function answersOf(program: string): Promise<string[]> {
  const tmux = tmuxOf(program, { T4A_SOCKET: cli.daemon.socketPath });
  const said: string[] = [];
  for (const [gone, ...words] of CALLS) {
    const env = gone === '' ? tmux.env : { ...tmux.env, TMUX: `${tmux.cwd}/${gone},123,0` };
    const { status, stdout, stderr } = await execute(program, words, { env, cwd: tmux.cwd });
    const plain = `${status} ${stdout}${stderr}`
      .replaceAll(tmux.cwd, 'HOME')
      .replaceAll(/HOME\/(t4a-)?tmux-\d+/g, 'PLACE');
    said.push(`${gone} ${words.join(' ')}: ${plain}`);
  }
  return said;
}

itNeeds('tmux').for([DOOR, SCRIPT])('%s answers as tmux does', async (program) => {
  expect(await answersOf(program)).toEqual(await answersOf(findProgram('tmux') ?? 'tmux'));
});
