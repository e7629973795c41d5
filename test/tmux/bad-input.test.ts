/** The tmux door under input that is wrong, hostile, or comes at the wrong moment. Words and statuses are those of tmux 3.3a. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.js';
import { useCliDaemon } from '../support/cli-daemon.js';
import { startDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { execute } from '../support/execute.js';
import { findProgram, itNeeds } from '../support/programs.js';
import { DOOR, SCRIPT, tmuxOf, type Tmux } from '../support/tmux.js';

const cli = useCliDaemon();

const door = (): Tmux => tmuxOf(undefined, { T4A_SOCKET: cli.daemon.socketPath });

type Case = readonly [line: readonly string[], status: number, says: string];

const CASES: readonly Case[] = [
  [['has-session', '-t', ':'], 0, ''],
  [['has-session', '-t', '.'], 0, ''],
  [['has-session', '-t', ''], 0, ''],
  [['has-session', '-t', 'a:b:c'], 1, "can't find window: b:c\n"],
  [['has-session', '-t', '='], 1, 'no mouse target\n'],
  [['has-session', '-t', '{mouse}'], 1, 'no mouse target\n'],
  [['has-session', '-t', '%-1'], 1, "can't find pane: %-1\n"],
  [['display-message', '-p', '#{'], 0, '\n'],
  [['display-message', '-p', '#{'.repeat(10_000)], 0, '\n'],
  [['display-message', '-p', '#{m/r:(a+)+$,aaaaaaaaaaaaaaaaaaaaaaaaaaaab}'], 0, '0\n'],
  [['display-message', '-p', '-t', 'nope', '#S'], 0, '\n'],
  [['display-message', '-p', '#{e|/|:1,0} #{e|%|:1,0}'], 0, '-9223372036854775808 -9223372036854775808\n'],
  [['list-windows', '-t', 'a', '-F', '#I\n#W'], 0, '0\nw\n'],
  [['resize-window', '-x', '0'], 1, 'width too small\n'],
  [['resize-window', '-x', '65536'], 1, 'width too large\n'],
  [['resize-window', '-x', 'abc'], 1, 'width invalid\n'],
  [['resize-window', '-x', '110%'], 1, 'width invalid\n'],
  [['new-session', '-d', '-s', 'x', '-x', '0'], 1, 'width too small\n'],
  [['new-session', '-d', '-s', 'x', '-x', '65536'], 1, 'width too large\n'],
  [['new-session', '-d', '-s', 'a'], 1, 'duplicate session: a\n'],
  [['new-session', '-d', '-s', '#{session_id}'], 1, 'invalid session: \n'],
  [['rename-window', '-t', 'a', 'w'], 0, ''],
  [['respawn-pane', '-t', 'a'], 1, 'respawn pane failed: pane a:0.0 still active\n'],
  [['join-pane', '-s', 'a:0', '-t', 'a:0'], 1, 'source and target panes must be different\n'],
  [['move-window', '-s', 'a:0', '-t', 'a:0'], 1, 'same index: 0\n'],
  [['swap-pane', '-s', 'a:0.0', '-t', 'a:0.5'], 1, "can't find pane: 5\n"],
  [['send-keys', '-N', 'abc', 'x'], 1, 'repeat count invalid\n'],
  [['wait-for', '-U', 'q'], 1, 'channel q not locked\n'],
  [['show-buffer', '-b', 'x'], 1, 'no buffer x\n'],
  [['set-option', '-g', 'status', 'maybe'], 1, 'unknown value: maybe\n'],
  [['select-layout', '-t', 'a', 'nope'], 1, 'invalid layout: nope\n'],
  [['source-file', '/nope'], 1, '/nope: No such file or directory\n'],
  [['switch-client', '-t', 'a'], 1, 'no current client\n'],
  [['attach-session', '-t', 'a'], 1, 'open terminal failed: not a terminal\n'],
  [['foo'], 1, 'unknown command: foo\n'],
  [
    ['-Q'],
    1,
    'tmux: unknown option -- Q\nusage: tmux [-2CDlNuvV] [-c shell-command] [-f file] [-L socket-name]\n            [-S socket-path] [-T features] [command [flags]]\n',
  ],
  [['-q', 'has-session', '-t', 'a'], 0, ''],
  [['-S', '', 'list-sessions'], 1, 'no server running on \n'],
];

test('is refused, or read, in the words of tmux', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', '-n', 'w', '-x', '80', '-y', '24', 'sleep 1000');
  const answers: Case[] = [];
  for (const [line] of CASES) {
    const { status, stdout, stderr } = await tmux(...line);
    answers.push([line, Number(status), stdout + stderr]);
  }
  expect(answers).toEqual(CASES);
});

test.for([DOOR, SCRIPT])(
  'control mode is refused by %s, with what is there in its place, also while stdin is open',
  async (program) => {
    const tmux = tmuxOf(program, { T4A_SOCKET: cli.daemon.socketPath });
    const says = /^control mode \(-C, -CC\) is not supported: .*"t4a events".*"t4a output ID --follow"/;
    for (const isThere of [false, true]) {
      if (isThere) await tmux('new-session', '-d', '-s', 'a', 'sleep 1000');
      for (const words of [
        ['-C'],
        ['-CC', 'attach-session', '-t', 'a'],
        ['-C', 'new-session', '-s', 'b'],
        ['-2C', 'ls'],
      ])
        for (const stdin of ['ignore', 'pipe'] as const) {
          const child = spawn(program, words, { env: tmux.env, cwd: tmux.cwd, stdio: [stdin, 'pipe', 'pipe'] });
          let said = '';
          child.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()));
          child.stdout?.on('data', (bytes: Buffer) => (said += bytes.toString()));
          expect(await once(child, 'close')).toEqual([1, null]);
          expect(said).toMatch(says);
          expect(said.split('\n')).toHaveLength(2);
        }
    }
    expect((await tmux('list-sessions', '-F', '#S')).stdout).toBe('a\n');
  },
);

test('a pane too small to be split says so, and stays', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', '-x', '10', '-y', '2', 'sleep 1000');
  expect(await tmux('split-window', '-t', 'a')).toMatchObject({ status: 1, stderr: 'no space for new pane\n' });
  expect((await tmux('list-panes', '-t', 'a', '-F', '#{pane_width}x#{pane_height}')).stdout).toBe('10x2\n');
});

test('ten sessions that are made at once from nothing get one door, and ids of their own', async () => {
  const tmux = door();
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      tmux('new-session', '-d', '-s', `s${at}`, '-P', '-F', '#{session_id}', 'sleep 1000'),
    ),
  );
  for (const one of made) expect(one).toMatchObject({ status: 0, stderr: '' });
  expect(new Set(made.map(({ stdout }) => stdout)).size).toBe(10);
  expect((await tmux('list-sessions', '-F', '#S')).stdout.trim().split('\n')).toHaveLength(10);
});

test('a second door of a socket leaves, and ends nothing of the first', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', 'sleep 1000');
  const socketPath = (await tmux('display-message', '-p', '#{socket_path}')).stdout.trim();
  expect(existsSync(`${socketPath}.state`)).toBe(true);
  const { status } = await runCli(['tmux', '--serve', socketPath], { env: tmux.env });
  expect(status).toBe(1);
  expect((await tmux('list-panes', '-a', '-F', '#S #{pane_dead}')).stdout).toBe('a 0\n');
  expect((await cli.reply(['list', '--json']))['terminals']).toMatchObject([{ id: 'a.0', alive: true }]);
  expect(existsSync(`${socketPath}.state`)).toBe(true);
});

test('a stale socket file is replaced, and one that is no socket is not', async () => {
  const tmux = door();
  const folder = join(tmux.cwd, `t4a-tmux-${process.getuid?.()}`);
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, 'file'), '');
  expect((await tmux('-L', 'file', 'has-session')).stderr).toMatch(/^(no server running on|error connecting to) /);
  const server = createServer();
  server.listen(join(folder, 'default'));
  await once(server, 'listening');
  const child = spawn('ln', [join(folder, 'default'), join(folder, 'stale')]);
  await once(child, 'close');
  server.close();
  await once(server, 'close');
  expect((await tmux('-L', 'stale', 'has-session')).stderr).toMatch(/^no server running on /);
  expect(await tmux('-L', 'stale', 'new-session', '-d', 'sleep 1000')).toMatchObject({ status: 0, stderr: '' });
  expect(await tmux('-L', 'stale', 'kill-server')).toMatchObject({ status: 0 });
});

test('a wait whose client goes takes no signal of another', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', 'sleep 1000');
  expect(await tmux('wait-for', '-L', 'c')).toMatchObject({ status: 0 });
  const line = ['display-message', '-p', 'waits', ';', 'wait-for', '-L', 'c'];
  const waiting = spawn(DOOR, line, { env: tmux.env, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(waiting.stdout, 'data');
  waiting.kill('SIGKILL');
  await once(waiting, 'close');
  expect(await tmux('wait-for', '-U', 'c')).toMatchObject({ status: 0 });
  // The lock did not go to the client that is gone.
  expect(await tmux('wait-for', '-L', 'c')).toMatchObject({ status: 0 });
});

test('a pane piped to a program that does not read goes on', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', '-x', '80', '-y', '24', 'cat; seq 1 200000; exec cat');
  expect(await tmux('pipe-pane', '-t', 'a', 'exec sleep 1000')).toMatchObject({ status: 0 });
  await tmux('send-keys', '-t', 'a', 'C-d');
  await eventually(async () => expect((await tmux('capture-pane', '-p', '-t', 'a')).stdout).toContain('\n200000\n'));
  expect((await tmux('display-message', '-p', '-t', 'a', '#{pane_pipe}')).stdout).toBe('1\n');
});

test('with remain-on-exit failed a pane stays if its program fails, and goes if it does not', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', '-n', 'w', 'sleep 1000');
  await tmux('set-option', '-g', 'remain-on-exit', 'failed');
  await tmux('split-window', '-t', 'a', 'exit 7');
  await tmux('split-window', '-t', 'a', 'exit 0');
  await tmux('split-window', '-t', 'a', '/nope/program', 'argument');
  await eventually(async () =>
    expect((await tmux('list-panes', '-t', 'a', '-F', '#D #{pane_dead} #{pane_dead_status}')).stdout).toBe(
      '%0 0 \n%1 1 7\n%3 1 1\n',
    ),
  );
});

test('a pane started anew with -k is not taken for the one that was ended', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', 'sleep 1000');
  for (let at = 0; at < 5; at += 1)
    expect(await tmux('respawn-pane', '-k', '-t', 'a', 'exec sleep 1000')).toMatchObject({ status: 0, stderr: '' });
  expect((await tmux('list-panes', '-a', '-F', '#D #{pane_dead}')).stdout).toBe('%0 0\n');
});

test('names of a thousand letters, and with what cannot be seen, are kept as tmux keeps them', async () => {
  const tmux = door();
  const long = 'n'.repeat(1000);
  await tmux('new-session', '-d', '-s', long, '-n', 'a\tb', 'sleep 1000');
  expect((await tmux('list-windows', '-a', '-F', '#S #W')).stdout).toBe(`${long} a\tb\n`);
  await tmux('rename-window', '-t', long, 'a\tb\x01');
  expect((await tmux('list-windows', '-a', '-F', '#W')).stdout).toBe('a\\tb\\001\n');
  expect(await tmux('rename-session', '-t', long, 'a:b.c d')).toMatchObject({ status: 0 });
  expect((await tmux('list-sessions', '-F', '#S')).stdout).toBe('a_b_c d\n');
});

test('a signal that comes before its wait is kept for one wait', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', 'sleep 1000');
  expect(await tmux('wait-for', '-S', 'c')).toMatchObject({ status: 0 });
  expect(await tmux('wait-for', 'c')).toMatchObject({ status: 0 });
  const waiting = tmux('wait-for', 'c');
  await eventually(async () => {
    await tmux('wait-for', '-S', 'c');
    return waiting;
  });
});

test('a door whose daemon has gone ends, and its next call says that no server runs', async () => {
  const daemon = await startDaemon();
  const tmux = tmuxOf(undefined, { T4A_SOCKET: daemon.socketPath });
  await tmux('new-session', '-d', '-s', 'a', 'sleep 1000');
  await daemon.stop();
  await eventually(async () => expect((await tmux('has-session', '-t', 'a')).stderr).toMatch(/^no server running on /));
});

test('a door that was killed is made anew by the next call, without the panes that have gone meanwhile', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', '-n', 'first', '-x', '100', '-y', '30', 'exec cat');
  await tmux('split-window', '-h', '-l', '30', '-t', 'a', 'exec cat');
  await tmux('new-window', '-t', 'a:4', '-n', 'second', 'exec cat');
  await tmux('set-option', '-g', '@kept', 'yes');
  await tmux('set-buffer', '-b', 'one', 'text');
  await tmux('set-buffer', '-b', 'secret-one', 'hidden');
  const asks = [
    ['list-windows', '-a', '-F', '#S:#I #W #{window_active} #{window_layout}'],
    ['list-panes', '-a', '-F', '#D #{pane_pid} #{pane_active}'],
    ['show-options', '-gv', '@kept'],
    ['show-buffer', '-b', 'one'],
  ];
  const answers = async () => Promise.all(asks.map(async (line) => (await tmux(...line)).stdout));
  const before = await answers();
  const file = join(tmux.cwd, `t4a-tmux-${process.getuid?.()}`, 'default.state');
  const buffers = file.replace(/state$/, 'buffers');
  expect(readFileSync(buffers, 'utf8')).toMatch(/"one"/);
  expect(readFileSync(buffers, 'utf8')).not.toContain(Buffer.from('hidden').toString('base64'));
  for (const path of [file, buffers]) expect(statSync(path).mode & 0o777).toBe(0o600);
  const pid = async () => {
    const { stdout } = await tmux('display-message', '-p', '#{pid}');
    expect(stdout).toMatch(/^\d+\n$/);
    return Number(stdout);
  };
  const old = await pid();
  process.kill(old, 'SIGKILL');
  await eventually(async () => expect(await pid()).not.toBe(old));
  expect(await answers()).toEqual(before);
  expect((await tmux('show-buffer', '-b', 'secret-one')).stderr).toBe('no buffer secret-one\n');
  expect(await tmux('new-window', '-t', 'a', '-P', '-F', '#D #I', 'exec cat')).toMatchObject({ stdout: '%3 1\n' });
  const second = await pid();
  expect(readFileSync(file, 'utf8')).toContain('"a.3"');
  process.kill(second, 'SIGKILL');
  await cli.t4a(['kill', 'a.2']);
  await eventually(async () => expect(await pid()).not.toBe(second));
  expect((await tmux('list-panes', '-a', '-F', '#D')).stdout).not.toContain('%2');
  await tmux('kill-server');
  await eventually(() => expect([file, buffers].map((path) => existsSync(path))).toEqual([false, false]));
});

test('a door that is killed right behind an answer has all that it answered', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', '-n', 'one', '-x', '80', '-y', '24', 'exec cat');
  const state = async (): Promise<string> => {
    const windows = '#S:#I #W #F #{window_layout} #{pane_id} #{@kept}';
    const { stdout } = await tmux('list-windows', '-a', '-F', windows, ';', 'list-buffers', '-F', '#{buffer_sample}');
    return stdout;
  };
  for (const [line, shows] of [
    [['split-window', '-t', 'a', 'exec cat'], /80x24,0,0\[80x12.* %1 /],
    [['resize-pane', '-Z', '-t', 'a.0'], / \*Z .* %0 /],
    [['new-window', '-d', '-t', 'a:7', '-n', 'two', 'exec cat'], /\na:7 two /],
    [['rename-window', '-t', 'a:7', 'three'], /\na:7 three /],
    [['set-option', '-w', '-t', 'a:7', '@kept', 'yes'], / %2 yes\n/],
    [['set-buffer', 'some text'], /\nsome text\n$/],
    [['kill-window', '-t', 'a:7'], /^.*\nsome text\n$/],
  ] as const) {
    const { stdout: pid } = await tmux('display-message', '-p', '#{pid}');
    expect((await tmux(...line)).status).toBe(0);
    process.kill(Number(pid), 'SIGKILL');
    // The socket of the dead door still takes calls for a moment.
    await eventually(async () => expect((await tmux('display-message', '-p', '#{pid}')).stdout).toMatch(/^\d+\n$/));
    expect(await state()).toMatch(shows);
  }
});

test('what was killed stays away when the door is killed while its program still runs', async () => {
  const tmux = door();
  const stubborn = `trap '' HUP TERM; printf ready; while :; do sleep 1; done`;
  await tmux('new-session', '-d', '-s', 'kept', '-n', 'one', 'exec cat');
  await tmux('new-session', '-d', '-s', 'gone', stubborn);
  await tmux('new-window', '-d', '-t', 'kept:5', stubborn);
  await tmux('split-window', '-d', '-t', 'kept:0', stubborn);
  const answer = async (...line: string[]): Promise<string> => (await tmux(...line)).stdout;
  for (const pane of ['gone', 'kept:5', 'kept:0.1'])
    await eventually(async () => expect(await answer('capture-pane', '-p', '-t', pane)).toContain('ready'));
  const pids = (await answer('list-panes', '-a', '-f', '#{!=:#{pane_id},%0}', '-F', '#{pane_pid}')).trim().split('\n');
  expect(pids).toHaveLength(3);
  const runs = (): readonly string[] => pids.filter((pid) => existsSync(`/proc/${pid}`));
  const old = await answer('display-message', '-p', '#{pid}');
  await tmux('kill-session', '-t', 'gone', ';', 'kill-window', '-t', 'kept:5', ';', 'kill-pane', '-t', 'kept:0.1');
  process.kill(Number(old), 'SIGKILL');
  expect(runs()).toEqual(pids);
  await eventually(async () => expect(await answer('display-message', '-p', '#{pid}')).toMatch(/^\d+\n$/));
  expect(await answer('list-panes', '-a', '-F', '#{session_name}:#{window_index} #{pane_id}')).toBe('kept:0 %0\n');
  expect(await tmux('new-session', '-d', '-s', 'gone', 'exec cat')).toMatchObject({ status: 0, stderr: '' });
  await eventually(() => expect(runs()).toEqual([]));
});

for (const [which, share] of [
  ['an older file', 1],
  ['half of a file', 0.5],
  ['an empty file', 0],
] as const)
  test(`a door that was killed with ${which} finds each of its panes by labels, and none of another door`, async () => {
    const [tmux, other] = [door(), door()];
    await other('new-session', '-d', '-s', 'other', 'exec cat');
    await tmux('new-session', '-d', '-s', 'a', '-n', 'first', '-x', '100', '-y', '30', 'exec cat');
    const file = join(tmux.cwd, `t4a-tmux-${process.getuid?.()}`, 'default.state');
    expect(readFileSync(file, 'utf8')).toContain('"a.0"');
    const text = readFileSync(file, 'utf8');
    await tmux('split-window', '-d', '-t', 'a', 'exec cat');
    await tmux('new-window', '-t', 'a:4', '-n', 'second', 'exec cat');
    await tmux('split-window', '-t', 'a:4', 'exec cat');
    await tmux('new-session', '-d', '-s', 'b c', 'exec cat');
    const format = '#S:#I.#P #D #{pane_pid} #W #{automatic-rename}';
    const panes = async () => (await tmux('list-panes', '-a', '-F', format)).stdout;
    // The window is named by its program, no longer by what starts it.
    await eventually(async () => expect(await panes()).toMatch(/^b c:0.0 .* cat 1$/m));
    const before = await panes();
    expect(before.trim().split('\n')).toHaveLength(5);
    const old = (await tmux('display-message', '-p', '#{pid}')).stdout;
    process.kill(Number(old), 'SIGKILL');
    writeFileSync(file, text.slice(0, share * text.length));
    await eventually(async () => {
      const { stdout } = await tmux('display-message', '-p', '#{pid}');
      expect(stdout).toMatch(/^\d+\n$/);
      expect(stdout).not.toBe(old);
    });
    expect(await panes()).toBe(before);
    const made = await tmux('new-window', '-t', 'b c', '-P', '-F', '#{session_id} #{window_id} #D', 'exec cat');
    expect(made.stdout).toBe('$1 @3 %5\n');
    await tmux('kill-session', '-t', 'a');
    expect(await panes()).toMatch(/^b c:0.0 .*\nb c:1.0 .*\n$/);
  });

itNeeds('tmux')('a shell or a program that is not there ends with the status that tmux shows', async () => {
  const peer = tmuxOf(findProgram('tmux') ?? 'tmux');
  const said = await Promise.all(
    [peer, door()].map(async (tmux) => {
      await tmux('new-session', '-d', '-s', 'a', 'exec cat');
      await tmux('set-option', '-g', 'remain-on-exit', 'on');
      const commands = [['/nope/bash'], ['/nope/bash -l'], ['/nope/bash', '-l'], ['/nope/cat', 'x'], ['/nope/cat x']];
      for (const command of commands) await tmux('new-window', '-d', '-t', 'a', ...command);
      const list = () => tmux('list-panes', '-s', '-t', 'a', '-F', '#I #{pane_dead} #{pane_dead_status}');
      await eventually(async () => {
        const { stdout } = await list();
        // tmux 3.3a loses a status for good if it hears of the terminal's end before that of the program.
        const lost = tmux === peer ? stdout.matchAll(/^(\d) 1 $/gm) : [];
        for (const [, at] of lost)
          await tmux('respawn-pane', '-k', '-t', `a:${at}`, ...(commands[Number(at) - 1] ?? []));
        expect(stdout.match(/ 1 \d/g)).toHaveLength(commands.length);
      });
      return (await list()).stdout;
    }),
  );
  expect(said[1]).toBe('0 0 \n1 1 127\n2 1 127\n3 1 1\n4 1 1\n5 1 127\n');
  expect(said[1]).toBe(said[0]);
});

test('a program that ends before its pane was made leaves no pane', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', 'sleep 1000');
  for (let at = 0; at < 5; at++) {
    expect(await tmux('new-session', '-d', '-s', 'gone', 'true')).toMatchObject({ status: 0, stderr: '' });
    expect(await tmux('split-window', '-t', 'a', 'exit 3')).toMatchObject({ status: 0, stderr: '' });
    await eventually(async () => expect((await tmux('list-panes', '-a', '-F', '#S #D')).stdout).toBe('a %0\n'));
  }
});

test('keys that a program does not read are refused beyond a bound, and the door goes on', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', 'stty raw -echo; echo ready; exec sleep 1000');
  await eventually(async () => expect((await tmux('capture-pane', '-p', '-t', 'a')).stdout).toContain('ready'));
  const megabyte = Array.from({ length: 16 }, () => 'x'.repeat(65_536));
  expect(await tmux('send-keys', '-t', 'a', '-l', ...megabyte)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('does not read') as string,
  });
  expect(await tmux('has-session', '-t', 'a')).toMatchObject({ status: 0 });
});

test('a server that is ended beside new sessions leaves no terminal without a session', async () => {
  const tmux = door();
  for (let at = 0; at < 6; at++) {
    const [made] = await Promise.all([tmux('new-session', '-d', '-s', `k${at}`, 'sleep 1000'), tmux('kill-server')]);
    expect([0, 1]).toContain(made.status);
    if (made.status === 1) expect(made.stderr).not.toBe('');
    const sessions = (await tmux('list-sessions', '-F', '#S')).stdout.trim().split('\n');
    const kept = sessions.includes(`k${at}`) ? [{ id: `k${at}.0` }] : [];
    await eventually(async () => expect((await cli.reply(['list', '--json']))['terminals']).toMatchObject(kept));
    await tmux('kill-server');
    await eventually(async () => expect((await cli.reply(['list', '--json']))['terminals']).toEqual([]));
  }
});

itNeeds('tmux')('a client of tmux itself at the socket of the door ends, and the door goes on', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', 'sleep 1000');
  const socketPath = (await tmux('display-message', '-p', '#{socket_path}')).stdout.trim();
  const { env, cwd } = tmux;
  expect((await execute('tmux', ['-S', socketPath, 'list-sessions'], { env, cwd })).status).not.toBe(0);
  expect(await tmux('list-sessions', '-F', '#S')).toMatchObject({ status: 0, stdout: 'a\n' });
});

itNeeds('tmux')(
  'in a pane of tmux itself the door is that of its own socket, and a socket of tmux is refused',
  async () => {
    const real = tmuxOf('tmux');
    await real('new-session', '-d', '-s', 'theirs', 'sleep 1000');
    const theirs = (await real('display-message', '-p', '#{socket_path}')).stdout.trim();
    for (const program of [DOOR, SCRIPT]) {
      const tmux = tmuxOf(program, { T4A_SOCKET: cli.daemon.socketPath, TMUX: `${theirs},1,0` });
      expect(await tmux('new-session', '-d', '-s', 'ours', 'sleep 1000')).toMatchObject({ status: 0, stderr: '' });
      expect((await tmux('list-sessions', '-F', '#S')).stdout).toBe('ours\n');
      expect(await tmux('-S', theirs, 'list-sessions')).toMatchObject({
        status: 1,
        stdout: '',
        stderr: `error connecting to ${theirs} (it does not answer as a door of t4a)\n`,
      });
    }
    expect((await real('list-sessions', '-F', '#S')).stdout).toBe('theirs\n');
  },
);

test('a file that reads itself twice ends, and the door goes on', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', 'sleep 1000');
  writeFileSync(join(tmux.cwd, 'twice.conf'), 'source-file twice.conf\nsource-file twice.conf\n');
  const { status, stdout } = await tmux('source-file', 'twice.conf');
  expect(status).toBe(1);
  expect(stdout).toContain('too many nested commands');
  expect(await tmux('has-session', '-t', 'a')).toMatchObject({ status: 0 });
});

test.runIf(process.getuid?.() === 0)('a socket of another user is not spoken to', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', 'sleep 1000');
  const socketPath = (await tmux('display-message', '-p', '#{socket_path}')).stdout.trim();
  chownSync(socketPath, 65534, 65534);
  for (const program of [DOOR, SCRIPT])
    expect(await execute(program, ['new-session', '-d'], tmux)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `error connecting to ${socketPath} (Permission denied)\n`,
    });
  chownSync(socketPath, 0, 0);
  expect((await tmux('list-sessions', '-F', '#S')).stdout).toBe('a\n');
});

test('a window is named by what runs in it until it is given a name', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', 'exec cat');
  const named = (name: string) =>
    eventually(async () => expect((await tmux('list-windows', '-F', '#W')).stdout).toBe(`${name}\n`));
  await named('cat');
  await tmux('respawn-pane', '-k', 'echo; exec sleep 1000');
  await named('sleep');
  await tmux('set-option', '-w', 'automatic-rename-format', '#{E:@x}#{E:@x}-#{pane_current_command}');
  await tmux('set-option', '-g', '@x', '#{E:@x}#{E:@x}');
  await tmux('send-keys', 'x');
  await named('-sleep');
  await tmux('rename-window', 'mine');
  await tmux('respawn-pane', '-k', 'exec cat');
  await eventually(async () =>
    expect((await tmux('list-panes', '-F', '#{pane_current_command}')).stdout).toBe('cat\n'),
  );
  await named('mine');
});

itNeeds('tmux')(
  'a window follows its program once that prints, another pane or the option at once, as with tmux',
  async () => {
    const peer = tmuxOf(findProgram('tmux') ?? 'tmux');
    const said = await Promise.all([peer, door()].map(namesOf));
    expect(said[0]).toEqual(['cat', 'cat', 'sleep', 'sleep', 'tail', 'sleep', 'sleep', 'cat', 'tail']);
    expect(said[1]).toEqual(said[0]);
  },
);

/** Names of the first window; the second one shows that the time has passed in which it could have become another. */
async function namesOf(tmux: Tmux): Promise<string[]> {
  const names: string[] = [];
  const listed = async () => (await tmux('list-windows', '-t', 'a', '-F', '#W')).stdout.split('\n');
  const becomes = async (name: string) => {
    await eventually(async () => expect((await listed())[0]).toBe(name));
    names.push(name);
  };
  let fences = 0;
  // The second name of another window comes half a second after its first: each look that was due is over.
  const fence = async () => {
    for (let at = 0; at < 2; at++) {
      const name = `fence${(fences += 1)}`;
      await tmux('set-option', '-w', '-t', 'a:1', 'automatic-rename-format', name);
      await tmux('send-keys', '-t', 'a:1', 'x');
      await eventually(async () => expect((await listed())[1]).toBe(name));
    }
  };
  const stays = async () => {
    await fence();
    names.push((await listed())[0] ?? '');
  };
  const becomesAfterKeys = async (name: string) => {
    await eventually(async () =>
      expect((await tmux('display-message', '-p', '-t', 'a:0', '#{pane_current_command}')).stdout).toBe(`${name}\n`),
    );
    await tmux('send-keys', '-t', 'a:0', 'x');
    await becomes(name);
    await fence();
  };
  await tmux('new-session', '-d', '-s', 'a', 'exec cat');
  await tmux('new-window', '-d', '-t', 'a:1', 'exec cat');
  await becomesAfterKeys('cat');
  await tmux('respawn-pane', '-k', '-t', 'a:0', 'exec sleep 1000');
  await stays();
  await becomesAfterKeys('sleep');
  await tmux('respawn-window', '-k', '-t', 'a:0', 'exec tail -f /dev/null');
  await stays();
  await tmux('set-option', '-w', '-t', 'a:0', 'automatic-rename', 'on');
  await becomes('tail');
  await tmux('split-window', '-t', 'a:0', 'exec sleep 1000');
  await becomesAfterKeys('sleep');
  await tmux('respawn-pane', '-k', '-t', 'a:0', 'exec cat');
  await stays();
  await becomesAfterKeys('cat');
  await tmux('select-pane', '-t', 'a:0.0');
  await becomes('tail');
  return names;
}
