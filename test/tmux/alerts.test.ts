/** Alerts, names that programs give, and panes that other clients of the daemon change: with tmux 3.3a beside the door where it has them. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { eventually } from '../support/eventually.js';
import { findProgram, itNeeds } from '../support/programs.js';
import { DOOR, type Tmux, tmuxOf } from '../support/tmux.js';

const cli = useCliDaemon();

const door = (): Tmux => tmuxOf(undefined, { T4A_SOCKET: cli.daemon.socketPath });

/** Both have to say the same in the end. */
async function inBoth(steps: (tmux: Tmux) => Promise<void>): Promise<void> {
  await steps(tmuxOf(findProgram('tmux') ?? 'tmux'));
  await steps(door());
}

const out = async (tmux: Tmux, ...words: string[]): Promise<string> => {
  const { stdout, stderr } = await tmux(...words);
  return stdout + stderr;
};

const flags = (tmux: Tmux): Promise<string> =>
  out(tmux, 'list-windows', '-F', '#{window_name} [#{window_flags}] #{session_alerts}');

itNeeds('tmux')('bells, output and silence are flags and hooks, and next-window -a finds them', () =>
  inBoth(async (tmux) => {
    await tmux('new-session', '-d', '-s', 'a', '-n', 'base', 'exec cat');
    for (const kind of ['bell', 'activity', 'silence'])
      await tmux('set-hook', '-g', `alert-${kind}`, 'set -gaF @log "#{hook}:#{hook_window_name} "');
    await tmux('new-window', '-d', '-t', 'a:', '-n', 'bell', 'stty -echo; cat; exec cat');
    await tmux('new-window', '-d', '-t', 'a:', '-n', 'act', 'stty -echo; exec cat');
    await tmux('new-window', '-d', '-t', 'a:', '-n', 'quiet', 'exec cat');
    expect(await out(tmux, 'next-window', '-a', '-t', 'a')).toBe('no next window\n');
    await tmux('set-option', '-w', '-t', 'a:bell', 'monitor-activity', 'off');
    await tmux('send-keys', '-t', 'a:bell', 'C-v', 'C-g', 'Enter');
    await eventually(async () => expect(await flags(tmux)).toContain('bell [!] 1!'));
    await tmux('set-option', '-w', '-t', 'a:act', 'monitor-activity', 'on');
    await tmux('send-keys', '-t', 'a:act', 'x', 'Enter');
    await eventually(async () => expect(await flags(tmux)).toContain('act [##] 1!,2#'));
    await tmux('set-option', '-w', '-t', 'a:quiet', 'monitor-silence', '1');
    await eventually(async () =>
      expect(await flags(tmux)).toBe(
        ['base [*]', 'bell [!]', 'act [##]', 'quiet [~]'].map((line) => `${line} 1!,2#,3~\n`).join(''),
      ),
    );
    expect(await out(tmux, 'show-options', '-gv', '@log')).toBe(
      'alert-bell:bell alert-activity:act alert-silence:quiet \n',
    );
    expect(await out(tmux, 'next-window', '-a', '-t', 'a')).toBe('');
    expect(await flags(tmux)).toMatch(/^base \[-\] 2#,3~\nbell \[\*\]/);
    expect(await out(tmux, 'previous-window', '-a', '-t', 'a')).toBe('');
    await eventually(async () => expect(await flags(tmux)).toMatch(/ 2#\nact \[##\] 2#\nquiet \[\*\] 2#\n/));
    await tmux('kill-session', '-C', '-t', 'a');
    expect(await flags(tmux)).toMatch(/\nact \[\] \n/);
  }),
);

itNeeds('tmux')('an action of none runs no hook, and a window that is not monitored has no flag', () =>
  inBoth(async (tmux) => {
    await tmux('new-session', '-d', '-s', 'a', '-n', 'base', 'exec cat');
    await tmux('set-hook', '-g', 'alert-bell', 'set -gaF @log "#{hook_window_name} "');
    for (const name of ['one', 'two', 'off'])
      await tmux('new-window', '-d', '-t', 'a:', '-n', name, 'stty -echo; exec cat');
    await tmux('set-option', '-w', '-t', 'a:off', 'monitor-bell', 'off');
    const rings = async (name: string) => tmux('send-keys', '-t', `a:${name}`, 'C-v', 'C-g', 'Enter');
    await rings('off');
    await rings('one');
    await eventually(async () => expect(await flags(tmux)).toContain('one [!]'));
    await tmux('set-option', '-t', 'a', 'bell-action', 'none');
    await rings('two');
    await eventually(async () => expect(await flags(tmux)).toContain('two [!]'));
    expect(await flags(tmux)).toContain('off []');
    expect(await out(tmux, 'show-options', '-gv', '@log')).toBe('one \n');
  }),
);

itNeeds('tmux')('the name in ESC k is not shown, and names the window where allow-rename is on', () =>
  inBoth(async (tmux) => {
    const printed = String.raw`printf 'a\033knamed\033\\b\n'`;
    await tmux('new-session', '-d', '-s', 'a', '-n', 'first', `${printed}; exec cat`);
    await eventually(async () => expect(await out(tmux, 'capture-pane', '-p', '-t', 'a')).toMatch(/^ab\n/));
    expect(await out(tmux, 'display-message', '-p', '-t', 'a', '#W')).toBe('first\n');
    await tmux('set-option', '-g', 'allow-rename', 'on');
    expect(await out(tmux, 'display-message', '-p', '-t', 'a', '#W')).toBe('first\n');
    await tmux('respawn-pane', '-k', '-t', 'a', `${printed}; exec cat`);
    const name = (): Promise<string> => out(tmux, 'display-message', '-p', '-t', 'a', '#W #{automatic-rename}');
    await eventually(async () => expect(await name()).toBe('named 0\n'));
    await tmux('respawn-pane', '-k', '-t', 'a', String.raw`printf '\033k\033\\'; exec cat`);
    await eventually(async () => expect(await name()).toMatch(/^\w+ 1\n$/));
  }),
);

itNeeds('tmux')('hooks of titles and modes of panes run', () =>
  inBoth(async (tmux) => {
    await tmux('new-session', '-d', '-s', 'a', 'exec cat');
    for (const what of ['title', 'mode'])
      await tmux('set-hook', '-g', `pane-${what}-changed`, 'set -gaF @log "#{hook}:#{pane_title}:#{pane_mode} "');
    await tmux('select-pane', '-t', 'a', '-T', 'mine');
    await tmux('copy-mode', '-t', 'a');
    await tmux('copy-mode', '-t', 'a', '-q');
    await tmux('respawn-pane', '-k', '-t', 'a', String.raw`printf '\033]2;its own\007'; exec cat`);
    const log = 'pane-title-changed:mine: pane-mode-changed:mine:copy-mode pane-mode-changed:mine: ';
    await eventually(async () =>
      expect(await out(tmux, 'show-options', '-gv', '@log')).toBe(`${log}pane-title-changed:its own: \n`),
    );
  }),
);

itNeeds('tmux')('no session is shown within a pane of the same server', async () => {
  const lines = [
    'attach',
    'attach -t other',
    'new -s inner',
    'new -A -s other',
    'switch-client -t other',
    'switch-client -n',
  ];
  const seen: string[] = [];
  for (const [tmux, program] of [
    [tmuxOf(findProgram('tmux') ?? 'tmux'), findProgram('tmux') ?? 'tmux'],
    [door(), DOOR],
  ] as const) {
    await tmux('new-session', '-d', '-s', 'other', '-x', '80', '-y', '24', 'exec cat');
    const script = lines.map((line) => `${program} ${line}; echo "= $?"`).join('; ');
    await tmux('new-session', '-d', '-s', 'a', '-x', '80', '-y', '24', `${script}; echo end; exec cat`);
    await eventually(async () => expect(await out(tmux, 'capture-pane', '-p', '-t', 'a')).toContain('end\n'));
    seen.push(`${await out(tmux, 'capture-pane', '-p', '-t', 'a')}${await out(tmux, 'list-sessions', '-F', '#S')}`);
  }
  expect(seen[0]).toContain('sessions should be nested with care, unset $TMUX to force\n= 1\n');
  expect(seen[1]).toBe(seen[0]);
});

test('a pane whose terminal is started again or made smaller by t4a stays in its session', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', '-x', '80', '-y', '24', 'exec cat');
  const pane = (): Promise<string> =>
    out(tmux, 'list-panes', '-a', '-F', '#S %#P #{pane_pid} #{pane_width}x#{pane_height}');
  const before = await pane();
  await cli.reply(['restart', 'a.0', '--json']);
  await eventually(async () => {
    const now = await pane();
    expect(now).toMatch(/^a %0 \d+ 80x24\n$/);
    expect(now).not.toBe(before);
  });
  await cli.reply(['resize', 'a.0', '40', '10', '--json']);
  await eventually(async () => expect(await pane()).toMatch(/^a %0 \d+ 40x10\n$/));
  await tmux('resize-window', '-t', 'a', '-x', '100', '-y', '30');
  expect(await pane()).toMatch(/^a %0 \d+ 100x30\n$/);
});

test.for([
  ['catches the signal and exits with a code', 'trap "exit 3" HUP TERM INT; echo ready; while :; do sleep 0.05; done'],
  ['leaves a process that has to be killed', '(trap "" HUP TERM INT; sleep 1000) & echo ready; exec cat'],
])('a pane stays in its session when t4a starts a program again that %s', async ([, line = '']) => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', '-x', '80', '-y', '24', line);
  const pane = (): Promise<string> => out(tmux, 'list-panes', '-a', '-F', '#S %#P #{pane_pid} #{pane_dead}');
  const before = await pane();
  await eventually(async () => expect(await out(tmux, 'capture-pane', '-p', '-t', 'a')).toContain('ready'));
  await cli.reply(['restart', 'a.0', '--grace-ms', '700', '--json']);
  const { pid } = (await cli.reply(['status', 'a.0', '--json'])) as { pid: number };
  expect(before).not.toContain(` ${pid} `);
  await eventually(async () => expect(await pane()).toBe(`a %0 ${pid} 0\n`));
});

test('a pane whose program cannot be started again leaves its session', async () => {
  const tmux = door();
  const program = `${tmux.cwd}/once`;
  writeFileSync(program, '#!/bin/sh\ntrap "rm $0; exit 3" HUP TERM INT\necho ready; while :; do sleep 0.05; done\n', {
    mode: 0o755,
  });
  await tmux('new-session', '-d', '-s', 'b', 'exec cat');
  await tmux('new-session', '-d', '-s', 'a', program, 'x');
  await eventually(async () => expect(await out(tmux, 'capture-pane', '-p', '-t', 'a')).toContain('ready'));
  await cli.t4a(['restart', 'a.1']);
  await eventually(async () => expect(await out(tmux, 'list-sessions', '-F', '#S')).toBe('b\n'));
});

test('a program that a signal ends leaves its session', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', 'exec cat');
  await tmux('split-window', '-t', 'a', 'kill -9 $$');
  await eventually(async () => expect(await out(tmux, 'list-panes', '-t', 'a', '-F', '%#P')).toBe('%0\n'));
});

test('a zoomed window is zoomed after the door was killed', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', '-x', '80', '-y', '24', 'exec cat');
  await tmux('split-window', '-t', 'a', 'exec cat');
  await tmux('resize-pane', '-Z', '-t', 'a.0');
  const state = (): Promise<string> =>
    out(
      tmux,
      'list-panes',
      '-t',
      'a',
      '-F',
      '#{window_zoomed_flag} #{pane_id} #{pane_active} #{pane_width}x#{pane_height}',
    );
  const before = await state();
  expect(before).toContain('1 %0 1 80x24');
  process.kill(Number(await out(tmux, 'display-message', '-p', '#{pid}')), 'SIGKILL');
  await eventually(async () => expect(await state()).toBe(before));
});
