/** What stands before the verb, and servers that are not there or have gone: with tmux 3.3a and with both clients of the door. */
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.js';
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

itNeeds('tmux').for([DOOR, SCRIPT])(
  '%s makes no folder for a socket that TMUX or -S names, and says so as tmux does',
  async (program) => {
    const said = await Promise.all(
      [program, findProgram('tmux') ?? 'tmux'].map(async (one) => {
        const tmux = tmuxOf(one, { T4A_SOCKET: cli.daemon.socketPath });
        writeFileSync(`${tmux.cwd}/file`, '');
        const answers: string[] = [];
        for (const socket of ['nowhere/sock', 'nowhere/deep/sock', 'file/sock'].map((name) => `${tmux.cwd}/${name}`)) {
          const env = { ...tmux.env, TMUX: `${socket},1,0` };
          for (const words of [['ls'], ['new-session', '-d', 'cat'], ['start-server']])
            for (const named of [[], ['-S', socket]])
              answers.push((await execute(one, [...named, ...words], { env, cwd: tmux.cwd })).stderr);
        }
        expect(existsSync(`${tmux.cwd}/nowhere`)).toBe(false);
        return answers.map((answer) => answer.replaceAll(tmux.cwd, 'HOME'));
      }),
    );
    expect(said[0]).toHaveLength(18);
    expect(said[0]?.[2]).toBe('error creating HOME/nowhere/sock (No such file or directory)\n');
    expect(said[0]).toEqual(said[1]);
  },
);

test('a door that has no folder for its socket is an error', async () => {
  for (const program of [DOOR, SCRIPT]) {
    const { cwd, env } = tmuxOf(program, { T4A_SOCKET: cli.daemon.socketPath });
    const uid = process.getuid?.();
    for (const [more, place] of [
      [{ TMUX: `${cwd}/nowhere/sock,1,0` }, `${cwd}/nowhere/sock`],
      [{ TMUX_TMPDIR: `${cwd}/nowhere` }, `${cwd}/nowhere/t4a-tmux-${uid}/default`],
    ] as const) {
      const { status, stdout, stderr } = await execute(program, ['new', '-d', 'cat'], {
        env: { ...env, ...more },
        cwd,
      });
      expect({ status, stdout, stderr }).toEqual({
        status: 1,
        stdout: '',
        stderr: `error creating ${place} (No such file or directory)\n`,
      });
    }
  }
});

test('t4a --socket S tmux drives S in all forms, and a door of another daemon refuses it', async () => {
  const tmux = tmuxOf(DOOR, {});
  const home = {
    HOME: tmux.cwd,
    XDG_RUNTIME_DIR: tmux.cwd,
    XDG_STATE_HOME: tmux.cwd,
    T4A_SOCKET: `${tmux.cwd}/default`,
  };
  const at = (socket: string, ...words: string[]) =>
    runCli(['--socket', socket, 'tmux', ...words], { env: { ...tmux.env, ...home }, cwd: tmux.cwd });
  const { socketPath } = cli.daemon;
  expect(await at(socketPath, '--path')).toEqual(await runCli(['tmux', '--path'], { env: tmux.env }));
  expect(await at(socketPath, '-V')).toMatchObject({ status: 0, stdout: 'tmux 3.3a\n' });
  expect(await at(socketPath, '-L', 'foo', 'ls')).toMatchObject({ status: 1, stdout: '' });
  const made = await at(socketPath, '-L', 'foo', 'new-session', '-d', '-s', 'named', 'cat');
  expect(made).toMatchObject({ status: 0, stderr: '' });
  expect(await at(socketPath, '-L', 'foo', 'ls', '-F', '#S')).toMatchObject({ status: 0, stdout: 'named\n' });
  const terminals = (await runCli(['--socket', socketPath, 'list', '--json'])).stdout;
  expect(terminals).toContain('"tmux.session":"named"');
  const other = `${tmux.cwd}/other`;
  expect(await at(other, '-L', 'foo', 'kill-server')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`is of the daemon ${socketPath}, not of ${other}`) as string,
  });
  for (const path of [home.T4A_SOCKET, other]) expect(existsSync(path)).toBe(false);
  const flag = await runCli(['--json', '--socket', socketPath, 'tmux', 'ls'], { env: tmux.env });
  expect(flag).toMatchObject({ status: 2, stderr: expect.stringContaining('takes no \\"--json\\"') as string });
  expect(await at(socketPath, '-L', 'foo', 'kill-server')).toMatchObject({ status: 0 });
});
