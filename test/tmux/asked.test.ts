/** Formats that read what the daemon has of panes, beside tmux 3.3a: in loops, options, conditions and filters, of every pane that they name. */
import { expect, test } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { eventually } from '../support/eventually.js';
import { findProgram, itNeeds } from '../support/programs.js';
import { type Tmux, tmuxOf } from '../support/tmux.js';

const cli = useCliDaemon();

const door = (): Tmux => tmuxOf(undefined, { T4A_SOCKET: cli.daemon.socketPath });

/** Two sessions, three windows, four panes, each with another cursor, one on the alternate screen. */
const PANES: readonly (readonly string[])[] = [
  ['new-session', '-d', '-s', 'w', '-x', '80', '-y', '24', 'printf a; exec sleep 1000'],
  ['new-window', '-d', '-t', 'w:', 'printf bb; exec sleep 1000'],
  ['split-window', '-d', '-t', 'w:1', String.raw`printf '\033[?1049h\033[2;4Hccc\033[?1h'; exec sleep 1000`],
  ['new-session', '-d', '-s', 'x', '-x', '80', '-y', '24', `seq 1 40; printf hi; exec sleep 1000`],
  ['set-option', '-g', '@place', '#{W:#{P:#{pane_id} #{cursor_x};}}'],
  ['select-pane', '-t', 'w:1.1', '-T', 'given'],
  ['copy-mode', '-t', 'w:1.0'],
];

const SEEN = 'cursor_x cursor_y cursor_character alternate_on keypad_cursor_flag history_size pane_in_mode pane_title';
const ALL = `${SEEN.replaceAll(/\w+/g, '#{$&}')} #{C:hi} #{C:cc};`;

const ASKED: readonly (readonly string[])[] = [
  ['display-message', '-p', '-t', 'w', `#{P:${ALL}}`],
  ['display-message', '-p', '-t', 'w', `#{W:#{P:${ALL}}}`],
  ['display-message', '-p', '-t', 'w', `#{S:#{W:#{P:#{pane_id} ${ALL}}}}`],
  ['display-message', '-p', '-t', 'w', '#{W:#{C:bb},#{C:a}}'],
  ['display-message', '-p', '-t', 'w', '#{E:@place}'],
  ['display-message', '-p', '-t', 'w', '#{P:#{?alternate_on,yes,#{?cursor_x,#{C:a} #{cursor_character},no}}}'],
  ['list-windows', '-t', 'w', '-F', '#{P:#{cursor_x} }'],
  ['list-sessions', '-F', '#{W:#{P:#{cursor_x} #{alternate_on};}}'],
  ['list-panes', '-a', '-F', '#{pane_id}', '-f', '#{C:hi}'],
  ['list-panes', '-s', '-t', 'w', '-F', `#{pane_id} ${ALL}`],
];

itNeeds('tmux')('formats name the panes of loops, options and conditions as they are', async () => {
  const both = [tmuxOf(findProgram('tmux') ?? 'tmux'), door()];
  for (const tmux of both) {
    for (const line of PANES) expect(await tmux(...line)).toMatchObject({ status: 0, stderr: '' });
    await eventually(async () =>
      expect((await tmux('list-panes', '-a', '-F', '#{cursor_x}')).stdout).toBe('1\n2\n6\n2\n'),
    );
  }
  for (const line of ASKED) {
    const [real, own] = await Promise.all(both.map((tmux) => tmux(...line)));
    expect([line, own]).toEqual([line, real]);
  }
});

test('the daemon is asked for the panes and the facts that a format reads, and for no others', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'w', '-n', 'given', 'sleep 1000');
  for (let more = 1; more < 5; more += 1) await tmux('new-window', '-d', '-t', 'w:', '-n', 'given', 'sleep 1000');
  const requests = async (): Promise<number> => {
    const { connections } = await cli.reply(['stats', '--json']);
    return (connections as { readonly requests: number }).requests;
  };
  let before = await requests();
  const since = async (): Promise<number> => {
    const now = await requests();
    const more = now - before;
    before = now;
    return more;
  };
  const none = await since();
  const asks = async (format: string): Promise<number> => {
    await tmux('list-panes', '-s', '-t', 'w', '-F', format);
    return (await since()) - none;
  };
  expect(await asks('#{pane_id} #{pane_width} #{pane_current_path} #{window_flags}')).toBe(0);
  // One list of all, and a look at each.
  expect(await asks('#{cursor_x} #{history_size} #{pane_title}')).toBe(6);
  expect(await asks('#{?#{==:#{pane_index},#{window_id}},#{cursor_x},}')).toBe(0);
});
