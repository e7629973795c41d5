/** The tmux door: what programs that drive tmux ask, through its client. */
import { expect, test } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { eventually } from '../support/eventually.js';
import { SCRIPT, tmuxOf, type Tmux } from '../support/tmux.js';

const cli = useCliDaemon();

const door = (): Tmux => tmuxOf(undefined, { T4A_SOCKET: cli.daemon.socketPath });

const ok = (stdout: string) => ({ status: 0, stdout, stderr: '' });
const refused = (stderr: string) => ({ status: 1, stdout: '', stderr });

test('a session is made, typed into, read and ended', async () => {
  const tmux = door();
  expect(await tmux('has-session', '-t', 'work')).toMatchObject({ status: 1 });
  expect(await tmux('new-session', '-d', '-s', 'work', '-x', '100', '-y', '30')).toMatchObject(ok(''));
  expect(await tmux('has-session', '-t', 'work')).toMatchObject(ok(''));
  expect(await tmux('send-keys', '-t', 'work', 'echo $((40 + 2))', 'Enter')).toMatchObject(ok(''));
  await eventually(async () => expect((await tmux('capture-pane', '-p', '-t', 'work')).stdout).toContain('\n42\n'));
  expect((await tmux('list-sessions')).stdout).toMatch(/^work: 1 windows \(created .*\)\n$/);
  expect(await tmux('kill-session', '-t', 'nope')).toMatchObject(refused("can't find session: nope\n"));
  expect(await tmux('kill-session', '-t', 'work')).toMatchObject(ok(''));
  await eventually(async () => expect((await tmux('has-session')).stderr).toMatch(/^no server running on /));
});

test('its panes are terminals with labels, and no other terminal is ended with it', async () => {
  const other = await cli.create('--', 'cat');
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'work', '-n', 'main', 'sleep 1000');
  const { terminals } = await cli.reply(['list', '--json']);
  expect(terminals).toContainEqual(
    expect.objectContaining({
      id: 'work.0',
      labels: { tmux: 'default', 'tmux.session': 'work', 'tmux.window': '0:main', 'tmux.pane': '%0' },
    }),
  );
  await tmux('kill-server');
  await eventually(async () => {
    const { terminals: left } = await cli.reply(['list', '--json']);
    expect((left as { id: string }[]).map(({ id }) => id)).toEqual([other]);
  });
});

test('a program in a pane knows its pane, and calls the door that has it', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', 'sh');
  await tmux('split-window', '-t', 'a', 'echo $TMUX_PANE $TERM_PROGRAM; exec sleep 1000');
  await eventually(async () => expect((await tmux('capture-pane', '-p', '-t', '%1')).stdout).toMatch(/^%1 tmux\n/));
});

test('a pane whose program ends goes, the last one with its session and the door', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', 'exit 3');
  await eventually(async () => expect((await tmux('list-sessions')).stderr).toMatch(/^no server running on /));
});

test('a window is named by what runs in the pane that is active', async () => {
  const tmux = door();
  const name = async () => (await tmux('display-message', '-p', '#W')).stdout;
  await tmux('new-session', '-d', '-s', 'a', 'exec cat');
  await tmux('split-window', '-t', 'a', 'exec sleep 1000');
  await eventually(async () => expect(await name()).toBe('sleep\n'));
  await tmux('select-pane', '-t', 'a.0');
  expect(await name()).toBe('cat\n');
  await tmux('rename-window', 'mine');
  await tmux('select-pane', '-t', 'a.1');
  expect(await name()).toBe('mine\n');
});

test('a script calls the door where no native client is', async () => {
  const tmux = tmuxOf(SCRIPT, { T4A_SOCKET: cli.daemon.socketPath });
  expect(await tmux('new-session', '-d', '-s', 'a', 'sleep 1000')).toMatchObject(ok(''));
  expect(await tmux('list-sessions', '-F', '#S')).toMatchObject(ok('a\n'));
  expect(await tmux('-V')).toMatchObject(ok('tmux 3.3a\n'));
});

test('with remain-on-exit a dead pane stays, with its status, and is started anew', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', 'sleep 1000');
  await tmux('set-option', '-g', 'remain-on-exit', 'on');
  await tmux('split-window', '-t', 'a', 'echo last; exit 3');
  await eventually(async () =>
    expect((await tmux('capture-pane', '-p', '-S', '-', '-t', '%1')).stdout).toMatch(
      /^last\n\n*Pane is dead \(status 3, .*\)\n$/,
    ),
  );
  const dead = () => tmux('display-message', '-p', '-t', '%1', '#{pane_dead} #{pane_dead_status}');
  await eventually(async () => expect(await dead()).toMatchObject(ok('1 3\n')));
  expect(await tmux('respawn-pane', '-t', '%1', 'sleep 1000')).toMatchObject(ok(''));
  expect(await dead()).toMatchObject(ok('0 \n'));
  expect(await tmux('respawn-pane', '-t', '%1')).toMatchObject(
    refused('respawn pane failed: pane a:0.1 still active\n'),
  );
});
