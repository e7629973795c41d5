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
  ['resize-pane', '-t', '%0', '-y', '3'],
  ['resize-pane', '-t', '%1', '-y', '3'],
  ['resize-pane', '-Z', '-t', '%0'],
  ['resize-window', '-t', 'work:0', '-x', '70'],
  ['select-layout', '-t', 'work:0', 'even-horizontal'],
  ['next-layout', '-t', 'work:0'],
  ['swap-pane', '-s', '%0', '-t', 'other:0'],
  ['split-window', '-t', '%0'],
  ['split-window', '-f', '-t', '%1'],
  ['join-pane', '-s', '%2', '-t', '%0'],
  ['break-pane', '-s', '%0'],
];
/** Sizes and places, with those that the terminals have. */
const FACTS =
  '#{session_name}:#{window_index} #{pane_id} #{pane_pid} #{pane_width}x#{pane_height} #{window_layout} #{pane_active} #{window-size}';

test('what a command would end stays while another has control of one of its panes, and the refusal says so', async () => {
  const tmux = tmuxOf(undefined, { T4A_SOCKET: cli.daemon.socketPath });
  await tmux('new-session', '-d', '-s', 'work', '-n', 'main', '-x', '80', '-y', '24', 'cat');
  await tmux('split-window', '-d', '-t', 'work', 'cat');
  await tmux('new-window', '-d', '-t', 'work:5', 'cat');
  await tmux('new-session', '-d', '-s', 'other', '-x', '60', '-y', '20', 'cat');
  const panes = async (): Promise<string> => (await tmux('list-panes', '-a', '-F', FACTS)).stdout;
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
  // What leaves its size is done.
  const [, layout = ''] = / (\S+,0,0\[\S+) /.exec(before) ?? [];
  expect(await tmux('select-layout', '-t', 'work:0', layout)).toMatchObject({ status: 0, stderr: '' });
  expect(await panes()).toBe(before);
  // Others are no one's. The pane keeps its size beside the place that one has left.
  expect(await tmux('kill-pane', '-t', '%1')).toMatchObject({ status: 0, stderr: '' });
  expect(await panes()).toMatch(/^work:0 %0 \d+ 80x12 /m);
  expect(await cli.reply(['status', 'work.0', '--json'])).toMatchObject({ cols: 80, rows: 12 });
  await control('release');
  expect(await tmux('kill-session', '-t', 'work')).toMatchObject({ status: 0, stderr: '' });
  await eventually(async () =>
    expect((await cli.reply(['list', '--json'])).terminals).toMatchObject([{ id: 'other.3' }]),
  );
});
