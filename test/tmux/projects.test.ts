/** Programs that start projects in tmux, and libtmux, unchanged: with tmux 3.3a and with the door beside it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { eventually } from '../support/eventually.js';
import { execute } from '../support/execute.js';
import { findProgram, itNeeds } from '../support/programs.js';
import { DOOR, type Tmux, tmuxOf } from '../support/tmux.js';
import { compared } from './compared.js';

const cli = useCliDaemon();

/** A project of 3 windows and 8 panes. What is typed before a prompt is echoed by chance, so that each shell clears its screen. */
const TMUXP = `
session_name: work
start_directory: ./
environment: {COLOUR: blue, EMPTY: ''}
options: {default-command: bash --norc --noprofile, base-index: 1}
global_options: {history-limit: 3000}
windows:
  - window_name: editor
    layout: main-vertical
    start_directory: ./
    options: {main-pane-width: 60, automatic-rename: 'off'}
    focus: true
    panes:
      - shell: cat
        shell_command: [hello]
      - shell_command: ['echo "$COLOUR $PWD" > editor-1', clear]
        focus: true
      - start_directory: ./sub
        shell_command: ['echo "$TMUX_PANE $PWD" > ../editor-2', clear]
  - window_name: tests
    layout: tiled
    options_after: {synchronize-panes: 'on'}
    start_directory: ./sub
    panes:
      - shell: cat
      - {shell: cat, shell_command: [{cmd: not entered, enter: false}]}
      - {shell: cat}
      - shell_command: [{cmd: 'clear; exec cat', suppress_history: true}]
  - window_name: logs
    window_index: 7
    window_shell: exec cat
    panes: ['']
`;

const TMUXINATOR = `
name: shop
root: ROOT
startup_window: tests
startup_pane: 1
pre_window: export COLOUR=blue
tmux_options: -f ROOT/own.conf
windows:
  - editor:
      layout: main-horizontal
      panes:
        - exec cat
        - ['echo "$COLOUR $PWD" > editor-1', exec cat]
        - named: [exec cat]
  - tests:
      layout: even-vertical
      root: ROOT/sub
      synchronize: after
      panes: [exec cat, exec cat]
  - logs: exec cat
`;

interface Beside {
  readonly tmux: Tmux;
  /** A program that finds that tmux on its PATH. */
  readonly run: (program: string, ...args: string[]) => Promise<string>;
}

function besides(): Beside[] {
  const more = { T4A_SOCKET: cli.daemon.socketPath, PATH: `${dirname(DOOR)}:${process.env['PATH']}` };
  return [tmuxOf(findProgram('tmux') ?? 'tmux'), tmuxOf(undefined, more)].map((tmux) => {
    mkdirSync(join(tmux.cwd, 'sub'));
    const env = { ...tmux.env, EDITOR: 'cat', XDG_CONFIG_HOME: join(tmux.cwd, 'config'), PYTHONWARNINGS: 'ignore' };
    const run = async (program: string, ...args: string[]): Promise<string> => {
      const ended = await execute(program, args, { env, cwd: tmux.cwd });
      return compared({ ...ended, stdout: ended.stdout.replaceAll(tmux.cwd, 'HOME') });
    };
    return { tmux, run };
  });
}

const FACTS = [
  'session_name',
  'window_index',
  'window_name',
  'window_flags',
  'window_layout',
  'pane_index',
  'pane_id',
  'pane_width',
  'pane_height',
  'pane_active',
  'pane_current_command',
  'pane_current_path',
  'pane_synchronized',
  'history_limit',
].map((name) => `#{${name}}`);

/** What a person would find: sizes, places, programs, options and each screen. */
async function stateOf({ cwd }: Tmux, ask: Tmux): Promise<string> {
  const said = async (...words: string[]): Promise<string> => {
    const answer = await ask(...words);
    return compared({ ...answer, stdout: answer.stdout.replaceAll(cwd, 'HOME') });
  };
  const { stdout: ids } = await ask('list-panes', '-a', '-F', '#{pane_id}');
  const screens = await Promise.all(
    ids
      .trim()
      .split('\n')
      .map(async (id) => `${id} ${await said('capture-pane', '-p', '-t', id)}`),
  );
  return [
    await said('list-panes', '-a', '-F', FACTS.join(' ')),
    await said('show-options'),
    await said('show-options', '-w'),
    await said('show-environment'),
    ...screens,
  ].join('\n');
}

/** @returns that of tmux, once that of the door equals it */
async function sameState([real, door]: readonly Beside[], settled: (state: string) => boolean): Promise<string> {
  let state = '';
  if (real === undefined || door === undefined) throw new Error('two are compared');
  await eventually(async () => {
    state = await stateOf(real.tmux, real.tmux);
    expect(settled(state)).toBe(true);
    expect(await stateOf(door.tmux, door.tmux)).toBe(state);
  });
  return state;
}

const written = ({ tmux }: Beside, name: string): string =>
  readFileSync(join(tmux.cwd, name), 'utf8').replaceAll(tmux.cwd, 'HOME');

itNeeds('tmux', 'tmuxp')('tmuxp loads and freezes a project as with tmux', async () => {
  const both = besides();
  for (const { tmux } of both) writeFileSync(join(tmux.cwd, 'work.yaml'), TMUXP);
  const loaded = await Promise.all(both.map(({ run }) => run('tmuxp', 'load', '-d', 'work.yaml')));
  expect(loaded[1]).toBe(loaded[0]);
  const state = await sameState(both, (all) => /hello\n +hello/.test(all) && all.includes('not entered'));
  expect(state.split('\n').filter((line) => /^(0 )?work /.test(line))).toHaveLength(8);
  await eventually(() => {
    for (const name of ['editor-1', 'editor-2']) {
      const [real, door] = both.map((one) => written(one, name));
      expect(real).toMatch(/^(blue|%3) HOME/);
      expect(door).toBe(real);
    }
  });
  const frozen = await Promise.all(
    both.map(async (one) => {
      await one.run('tmuxp', 'freeze', '--yes', '--quiet', '-o', join(one.tmux.cwd, 'frozen.yaml'), 'work');
      return written(one, 'frozen.yaml');
    }),
  );
  expect(frozen[0]).toContain('window_name: tests');
  expect(frozen[1]).toBe(frozen[0]);
});

itNeeds('tmux', 'tmuxinator')('tmuxinator starts, lists and stops a project as with tmux', async () => {
  const both = besides();
  for (const { tmux } of both) {
    const folder = join(tmux.cwd, 'config/tmuxinator');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'shop.yml'), TMUXINATOR.replaceAll('ROOT', tmux.cwd));
    writeFileSync(
      join(tmux.cwd, 'own.conf'),
      'set -g default-command "bash --norc --noprofile"\nset -g base-index 1\n',
    );
  }
  const same = async (...args: string[]): Promise<string> => {
    const [real = '', door] = await Promise.all(both.map(({ run }) => run('tmuxinator', ...args)));
    expect(door).toBe(real);
    return real;
  };
  expect(await same('list')).toContain('shop');
  await same('start', 'shop', '--no-attach');
  const programs = (all: string): number => all.match(/ cat HOME/g)?.length ?? 0;
  await eventually(async () => {
    for (const { tmux } of both) expect(programs(await stateOf(tmux, tmux))).toBe(6);
  });
  for (const { tmux } of both)
    for (const id of ['%0', '%1', '%2', '%3', '%4', '%5']) {
      await tmux('clear-history', '-t', id);
      await tmux('send-keys', '-t', id, '-R');
    }
  await sameState(both, (all) => programs(all) === 6);
  expect(both.map((one) => written(one, 'editor-1'))).toEqual(['blue HOME\n', 'blue HOME\n']);
  await same('stop', 'shop');
  // A server that ends still answers for a moment.
  await eventually(async () => {
    for (const { tmux } of both) expect(compared(await tmux('ls'))).toContain('no server running');
  });
});

// The package of tmuxp brings libtmux for Debian's Python.
itNeeds('tmux', 'tmuxp')('libtmux gets the same answers from both', async () => {
  const steps = fileURLToPath(new URL('libtmux-steps.py', import.meta.url));
  const [real = '', door] = await Promise.all(besides().map(({ run }) => run('/usr/bin/python3', steps)));
  expect(real.split('\n').length).toBeGreaterThan(40);
  expect(door).toBe(real);
});
