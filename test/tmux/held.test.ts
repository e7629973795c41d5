/** Panes of which another has control: the door does nothing to them, says why, and keeps them. */
import { expect, test } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { runCli } from '../support/cli.js';
import { eventually } from '../support/eventually.js';
import { tmuxOf } from '../support/tmux.js';

const cli = useCliDaemon();

const CALLS: readonly (readonly string[])[] = [
  ['kill-pane', '-t', '%0'],
  ['kill-pane', '-a', '-t', '%1'],
  ['kill-window', '-t', 'work:0'],
  ['kill-window', '-a', '-t', 'work:5'],
  ['kill-session', '-t', 'work'],
  ['kill-session', '-a', '-t', 'other'],
  ['kill-server'],
  ['respawn-pane', '-k', '-t', '%0', 'sleep 100'],
  ['respawn-window', '-k', '-t', 'work:0', 'sleep 100'],
  ['unlink-window', '-k', '-t', 'work:0'],
  ['new-window', '-k', '-t', 'work:0', 'sleep 100'],
  ['move-window', '-k', '-s', 'other:0', '-t', 'work:0'],
  ['link-window', '-k', '-s', 'other:0', '-t', 'work:0'],
  ['send-keys', '-t', '%0', 'x'],
  ['send-keys', '-R', '-t', '%0'],
  ['clear-history', '-t', '%0'],
  ['run-shell', '-C', 'kill-pane -t %0'],
];

test('what a command would end stays while another has control of one of its panes, and the refusal says so', async () => {
  const tmux = tmuxOf(undefined, { T4A_SOCKET: cli.daemon.socketPath });
  await tmux('new-session', '-d', '-s', 'work', '-n', 'main', 'cat');
  await tmux('split-window', '-d', '-t', 'work', 'cat');
  await tmux('new-window', '-d', '-t', 'work:5', 'cat');
  await tmux('new-session', '-d', '-s', 'other', 'cat');
  const panes = async (): Promise<string> =>
    (await tmux('list-panes', '-a', '-F', '#{session_name}:#{window_index} #{pane_id} #{pane_pid}')).stdout;
  const before = await panes();
  expect(before.trim().split('\n')).toHaveLength(4);
  const control = async (action: string): Promise<void> => {
    const { status, stderr } = await runCli(['control', 'work.0', action, '--as', 'ada'], {
      env: { T4A_SOCKET: cli.daemon.socketPath },
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
  };
  await control('take');
  const answers = [];
  for (const call of CALLS) answers.push({ call, ...(await tmux(...call)), panes: await panes() });
  const says = expect.stringMatching(/^another has control of pane %0: .* is in the hands of ada, .*\n$/) as string;
  expect(answers).toEqual(
    CALLS.map(
      (call) => expect.objectContaining({ call, status: 1, stdout: '', stderr: says, panes: before }) as object,
    ),
  );
  // Others are no one's.
  expect(await tmux('kill-pane', '-t', '%1')).toMatchObject({ status: 0, stderr: '' });
  await control('release');
  expect(await tmux('kill-session', '-t', 'work')).toMatchObject({ status: 0, stderr: '' });
  await eventually(async () =>
    expect((await cli.reply(['list', '--json'])).terminals).toMatchObject([{ id: 'other.3' }]),
  );
});
