/** The tmux door: what programs that drive tmux ask, through its client. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { CLI } from '../support/cli.js';
import { eventually } from '../support/eventually.js';
import { execute } from '../support/execute.js';
import { keepFishFromManuals } from '../support/fish-manuals.js';
import { findProgram, itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';
import { DOOR, SCRIPT, tmuxOf, type Tmux } from '../support/tmux.js';

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
      labels: {
        tmux: 'default',
        'tmux.socket': join(tmux.cwd, `t4a-tmux-${process.getuid?.()}`, 'default'),
        'tmux.session': 'work',
        'tmux.window': '0:main',
        'tmux.pane': '%0',
      },
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

test('a person who attaches sees a pane and a bar of windows, and steps through windows and panes', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'work', '-n', 'one', '-x', '70', '-y', '10', 'echo first; exec cat');
  await tmux('split-window', '-t', 'work', 'echo second; exec cat');
  await tmux('new-window', '-t', 'work', '-n', 'two', 'echo third; exec cat');
  const command = `TMUX_TMPDIR='${tmux.env['TMUX_TMPDIR']}' exec '${DOOR}' attach-session -t work:0`;
  const person = await cli.create('--cols', '90', '--rows', '14', '--', 'sh', '-c', command);
  const shows = (text: string) => cli.output(['wait', person, '--text', text]);
  await shows('[work] 0:one* 1:two  pane 2 of 2');
  await shows('second');
  await cli.output(['press', person, 'Ctrl+B', 'o']);
  await shows('[work] 0:one* 1:two  pane 1 of 2');
  await shows('first');
  await cli.output(['press', person, 'Ctrl+B', 'n']);
  await shows('[work] 0:one 1:two*');
  await cli.output(['press', person, 'Ctrl+B', '7']);
  await shows('There is no window 7.');
  await cli.output(['press', person, 'Ctrl+B', '0']);
  await shows('0:one* 1:two  pane 1 of 2');
  await cli.output(['press', person, 'Ctrl+B', 'd']);
  await cli.output(['wait', person, '--exit']);
  expect(await cli.output(['text', person])).toMatch(/Detached from work\.0\.\s*$/);
});

test('a session that a person makes has the size of their terminal, without the bar', async () => {
  const tmux = door();
  await tmux('start-server');
  const command = `TMUX_TMPDIR='${tmux.env['TMUX_TMPDIR']}' exec '${DOOR}' new-session -s own 'exec cat'`;
  const person = await cli.create('--cols', '77', '--rows', '19', '--', 'sh', '-c', command);
  await cli.output(['wait', person, '--text', '[own] 0:cat*']);
  expect(await tmux('display-message', '-p', '-t', 'own', '#{window_width}x#{window_height}')).toMatchObject(
    ok('77x18\n'),
  );
});

/** Files of the user that set PATH anew. */
const PROFILES: Readonly<Record<string, string>> = {
  '.bash_profile': 'PATH=/usr/bin:/bin\nunset HISTFILE\n',
  '.zprofile': 'PATH=/usr/bin:/bin\n',
  '.zshrc': 'PATH=/usr/bin:/bin\n',
  '.config/fish/config.fish': 'set -x PATH /usr/bin /bin\n',
};

const SHELLS: readonly (readonly [shell: 'bash' | 'zsh' | 'fish', command?: string])[] = [
  ['bash'],
  ['bash', 'bash --login'],
  ['zsh', 'zsh -l'],
  ['zsh', 'zsh'],
  ['fish', 'fish -l'],
];

for (const [shell, command] of SHELLS) {
  itNeeds(shell)(
    `${command ?? 'the default shell'} has the door first when files of the user set PATH anew`,
    async () => {
      const tmux = tmuxOf(undefined, { T4A_SOCKET: cli.daemon.socketPath, PATH: `${dirname(DOOR)}:/usr/bin:/bin` });
      mkdirSync(join(tmux.cwd, '.config/fish'), { recursive: true });
      keepFishFromManuals(join(tmux.cwd, '.local/share'));
      for (const [name, text] of Object.entries(PROFILES)) writeFileSync(join(tmux.cwd, name), text);
      await tmux('new-session', '-d', '-s', 'a', '-x', '200', ...(command === undefined ? [] : [command]));
      await tmux('send-keys', '-t', 'a:', 'command -v tmux', 'Enter');
      await eventually(async () =>
        expect((await tmux('capture-pane', '-p', '-t', 'a:')).stdout).toContain(`\n${DOOR}\n`),
      );
    },
  );
}

test('a program that a signal ended says its number', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', 'sleep 1000');
  await tmux('set-option', '-g', 'remain-on-exit', 'on');
  await tmux('split-window', '-t', 'a', 'kill -KILL $$');
  await eventually(async () =>
    expect(
      await tmux('display-message', '-p', '-t', '%1', '#{pane_dead} #{pane_dead_signal} #{pane_dead_status}'),
    ).toMatchObject(ok('1 9 \n')),
  );
});

test('files of -f are those of the directory of the caller, and have been read before the first answer', async () => {
  const tmux = door();
  writeFileSync(join(tmux.cwd, 'own.conf'), 'set -g @own 1\nset -g base-index 7\n');
  const made = await tmux(
    '-f',
    'own.conf',
    'new-session',
    '-d',
    '-P',
    '-F',
    '#{@own} #I #{config_files}',
    'sleep 1000',
  );
  expect(made).toMatchObject(ok('1 7 /dev/null,own.conf\n'));
});

test('a link to the door is laid into a folder, but never over another tmux', async () => {
  const dir = tempDir();
  const install = () => execute(process.execPath, [CLI, 'tmux', '--install', dir.path], { env: {}, cwd: dir.path });
  const link = join(dir.path, 'tmux');
  expect(await install()).toMatchObject(ok(`${link}\n`));
  expect(await install()).toMatchObject(ok(`${link}\n`));
  expect(await execute(link, ['-V'], { env: {}, cwd: dir.path })).toMatchObject(ok('tmux 3.3a\n'));
  rmSync(link);
  writeFileSync(link, 'another');
  const { status, stderr } = await install();
  expect(status).toBe(2);
  expect(stderr).toContain('is there, and is not the door');
  expect(readFileSync(link, 'utf8')).toBe('another');
});

itNeeds('tmux')(
  'keys for a pane that takes no input reach no pane, also where panes are typed into together',
  async () => {
    const said: string[] = [];
    for (const tmux of [tmuxOf(findProgram('tmux') ?? 'tmux'), door()]) {
      await tmux('new-session', '-d', '-s', 'a', '-x', '40', '-y', '11', 'exec cat');
      await tmux('split-window', '-d', '-t', 'a', 'exec cat');
      await tmux('set-option', '-w', '-t', 'a', 'synchronize-panes', 'on');
      await tmux('select-pane', '-d', '-t', 'a.1');
      await tmux('send-keys', '-t', 'a.1', 'off', 'Enter');
      await tmux('send-keys', '-t', 'a.0', 'on', 'Enter');
      await eventually(async () => expect((await tmux('capture-pane', '-p', '-t', 'a.0')).stdout).toMatch(/on\non\n/));
      for (const pane of ['a.0', 'a.1']) said.push((await tmux('capture-pane', '-p', '-t', pane)).stdout);
    }
    expect(said.slice(2)).toEqual(said.slice(0, 2));
  },
);

itNeeds('tmux')('what is cleared goes into the history, and clear-history and send-keys -R do as in tmux', async () => {
  const both = [tmuxOf(findProgram('tmux') ?? 'tmux'), door()];
  const clears = String.raw`printf '1\n2\n3\n\033[H\033[2Ja\nb\n\033[H\033[Jc\033[?1000h\033[31m'; exec cat`;
  let step = 0;
  const after = async (...args: string[]): Promise<(string | undefined)[]> => {
    const said: string[] = [];
    const typed = `typed${step++}`;
    for (const tmux of both) {
      if (args.length > 0) expect(await tmux(...args)).toMatchObject(ok(''));
      await tmux('send-keys', '-t', 'c', typed, 'Enter');
      // By the terminal and by the program.
      await eventually(async () => {
        const { stdout } = await tmux('capture-pane', '-p', '-t', 'c');
        expect(stdout.split(typed)).toHaveLength(3);
      });
      const format = '#{history_size} #{mouse_any_flag} #{cursor_y}';
      const { stdout } = await tmux('display-message', '-p', '-t', 'c', format);
      said.push(stdout + (await tmux('capture-pane', '-p', '-e', '-S', '-', '-t', 'c')).stdout);
    }
    return said;
  };
  for (const tmux of both) {
    await tmux('new-session', '-d', '-s', 'c', '-x', '40', '-y', '6', clears);
    await eventually(async () => expect((await tmux('capture-pane', '-p', '-t', 'c')).stdout).toContain('c'));
  }
  for (const args of [[], ['clear-history', '-t', 'c'], ['send-keys', '-R', '-t', 'c'], ['clear-history', '-t', 'c']]) {
    const [real, ours] = await after(...args);
    expect(ours).toBe(real);
  }
});
