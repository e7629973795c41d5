/** The built CLI against a real daemon, its output going to a pipe: what scripts see. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_TABLE } from '../../src/cli/commands.generated.js';
import { CLI, type CliOptions, type CliResult, runCli, streamCli } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { tempDir } from '../support/temp-dir.js';
import { EventStream } from '../support/wait-for.js';

const PNG_SIGNATURE = '89504e470d0a1a0a';

let daemon: TestDaemon;

beforeAll(async () => {
  daemon = await startDaemon({ env: { FROM_THE_DAEMON: 'yes' } });
});
afterAll(() => daemon.stop());

function t4a(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return runCli(args, { socketPath: daemon.socketPath, ...options });
}

/** Asserts success. */
async function output(args: readonly string[], options: CliOptions = {}): Promise<string> {
  const { status, stdout, stderr } = await t4a(args, options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

async function create(...args: string[]): Promise<string> {
  return (await output(['create', ...args])).trim();
}

async function reply(args: readonly string[], options: CliOptions = {}): Promise<Record<string, unknown>> {
  return JSON.parse(await output(args, options)) as Record<string, unknown>;
}

/** A program that shows the bytes it was given, in hexadecimal, once it rings. */
async function byteReader(bytes: number): Promise<{ id: string; shown: () => Promise<string> }> {
  const id = `bytes-${bytes}-${performance.now().toFixed(3)}`;
  const events = await EventStream.open(daemon.socketPath);
  const script = `stty raw -echo; printf '\\a'; head -c ${bytes} | od -An -tx1 | tr -d '\\n'`;
  await create('--name', id, 'sh', '-c', script);
  await events.until('bell', (event) => event['terminal'] === id);
  return {
    id,
    async shown() {
      await events.until('exit', (event) => event['terminal'] === id);
      events.close();
      return (await output(['text', id])).trim();
    },
  };
}

/** A terminal whose program has printed that and ended. */
async function printed(text: string): Promise<string> {
  const events = await EventStream.open(daemon.socketPath, { types: ['exit'] });
  const id = await create('printf', text);
  await events.until('exit', (event) => event['terminal'] === id);
  events.close();
  return id;
}

describe('create', () => {
  test('prints the id, and only that', async () => {
    expect(await output(['create', '--name', 'alpha'])).toBe('alpha\n');
  });

  test('starts the program with its own flags', async () => {
    const id = await create('--cols', '40', 'sh', '-c', 'sleep 100');
    expect(await reply(['status', id])).toMatchObject({ id, cols: 40, cmd: ['sh', '-c', 'sleep 100'] });
  });

  test('says what the daemon refuses, with its exit status', async () => {
    expect(await t4a(['create', '--name', 'taken'])).toMatchObject({ status: 0 });
    const { status, stdout, stderr } = await t4a(['create', '--name', 'taken']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^t4a: .*"taken".*\n/);
    expect((await t4a(['create', '--', '/no/such/program'])).status).toBe(2);
    expect((await t4a(['create', '--cols', '0'])).status).toBe(2);
  });
});

describe('the place of a program', () => {
  test("is the caller's directory and environment, not the daemon's", async () => {
    const dir = tempDir();
    mkdirSync(dir.join('inner'));
    const script = 'pwd; echo "$MINE $ADDED [$FROM_THE_DAEMON] $TERM [$COLUMNS]"';
    const options = { cwd: dir.path, env: { MINE: 'mine', TERM: 'weird', COLUMNS: '7' } };
    const ran = await output(['run', '--cwd', 'inner', '--env', 'ADDED=a=b', '--', 'sh', '-c', script], options);
    expect(ran).toBe(`${realpathSync(dir.join('inner'))}\nmine a=b [] xterm-256color []\n`);
  });

  test('is refused where --env is no assignment', async () => {
    const { status, stderr } = await t4a(['create', '--env', 'NOPE']);
    expect(status).toBe(2);
    expect(stderr).toContain('expected NAME=VALUE');
  });
});

describe('send', () => {
  test('reads escapes in its argument', async () => {
    const { id, shown } = await byteReader(5);
    expect(await output(['send', id, '\\x1b[A\\n\\xff'])).toBe('');
    expect(await shown()).toBe('1b 5b 41 0a ff');
  });

  test('reads none with --raw', async () => {
    const { id, shown } = await byteReader(2);
    await output(['send', id, '--raw', '\\n']);
    expect(await shown()).toBe('5c 6e');
  });

  test('takes input that begins with a dash after "--"', async () => {
    const { id, shown } = await byteReader(2);
    await output(['send', id, '--', '-n']);
    expect(await shown()).toBe('2d 6e');
  });

  test('sends standard input as it is, whatever its bytes', async () => {
    const { id, shown } = await byteReader(4);
    await output(['send', id], { input: Uint8Array.of(0x5c, 0x6e, 0xff, 0x00) });
    expect(await shown()).toBe('5c 6e ff 00');
  });

  test('refuses more standard input than one request may carry', async () => {
    const { status, stderr } = await t4a(['send', 't1'], { input: Buffer.alloc(1024 * 1024 + 1, 'a') });
    expect(status).toBe(2);
    expect(stderr).toContain('1048576');
  });
});

describe('reading', () => {
  test('text prints the lines of the screen', async () => {
    const id = await printed('one\\ntwo  \\n');
    const lines = (await output(['text', id])).split('\n');
    expect(lines.slice(0, 3)).toEqual(['one', 'two', '']);
    expect(lines.length).toBe(25);
    expect((await output(['text', id, '--no-trim'])).split('\n')[1]).toMatch(/^two +$/);
    expect(await output(['text', id, '22:24'])).toBe('one\ntwo\n');
  });

  test('text --json is the reply as the daemon gave it', async () => {
    const id = await printed('x');
    expect(await reply(['text', id, '--json', '23:24'])).toMatchObject({ ok: true, lines: ['x'], start: 23, end: 24 });
  });

  test('list, status, cursor, config and ping print JSON into a pipe', async () => {
    const id = await printed('abc');
    const { terminals } = await reply(['list']);
    expect((terminals as { id: string }[]).map((terminal) => terminal.id)).toContain(id);
    expect(await reply(['status', id])).toMatchObject({ ok: true, id, alive: false, exit_code: 0 });
    expect(await reply(['cursor', id])).toMatchObject({ ok: true, row: 0, col: 3 });
    expect(await reply(['config'])).toMatchObject({ ok: true, idle_timeout_ms: 2000 });
    expect(await reply(['ping'])).toMatchObject({ ok: true, pid: daemon.process.pid });
  });

  test('schema prints the schema alone', async () => {
    expect(Object.keys((await reply(['schema']))['commands'] as object)).toContain('create');
  });

  test('screenshot writes the picture into a pipe, into a file, or as base64 into the reply', async () => {
    const dir = tempDir();
    const id = await printed('picture');
    const { bytes, status } = await t4a(['screenshot', id]);
    expect({ status, signature: bytes.subarray(0, 8).toString('hex') }).toEqual({
      status: 0,
      signature: PNG_SIGNATURE,
    });

    expect(await output(['screenshot', id, '-o', 'shot.png'], { cwd: dir.path })).toBe('');
    expect(readFileSync(dir.join('shot.png'))).toEqual(bytes);

    const inline = await reply(['screenshot', id, '--json']);
    expect(Buffer.from(String(inline['data']), 'base64')).toEqual(bytes);

    const header = await reply(['screenshot', id, '--json', '-o', dir.join('other.png')]);
    expect(header).toMatchObject({ ok: true, format: 'png', len: bytes.length });
    expect(readFileSync(dir.join('other.png'))).toEqual(bytes);

    const unchanged = await t4a(['screenshot', id, '--if-rev', String(header['rev'])]);
    expect(unchanged).toMatchObject({
      status: 0,
      stdout: '',
      stderr: `Unchanged since revision ${String(header['rev'])}.\n`,
    });
  });

  test('a picture that cannot be written is an error with the reason', async () => {
    const id = await printed('x');
    const { status, stderr } = await t4a(['screenshot', id, '-o', '/no/such/directory/x.png']);
    expect(status).toBe(2);
    expect(stderr).toContain('ENOENT');
  });
});

describe('the terminal that is meant', () => {
  test('is named, or the one that the CLI runs in, or the one used last', async () => {
    const first = await create('--name', 'first', 'sleep', '100');
    const second = await create('--name', 'second', 'sleep', '100');
    expect(await reply(['status'])).toMatchObject({ id: second });
    expect(await reply(['status'], { env: { T4A_TERMINAL: first } })).toMatchObject({ id: first });
    expect(await reply(['status', '@'])).toMatchObject({ id: first });
    expect(await reply(['status', second], { env: { T4A_TERMINAL: first } })).toMatchObject({ id: second });
  });

  test('is resized quietly, and killed quietly', async () => {
    const id = await create('sleep', '100');
    expect(await output(['resize', id, '100', '30'])).toBe('');
    expect(await reply(['status', id])).toMatchObject({ cols: 100, rows: 30 });
    expect(await output(['resize', '90', '20'])).toBe('');
    expect(await reply(['status', id])).toMatchObject({ cols: 90, rows: 20 });
    expect(await output(['kill', id])).toBe('');
    const gone = await t4a(['text', id]);
    expect(gone).toMatchObject({ status: 4, stdout: '' });
    expect(gone.stderr).toContain(`"${id}"`);
  });

  test('that does not exist is told with the nearest name that does', async () => {
    await create('--name', 'build-server', 'sleep', '100');
    const { status, stderr } = await t4a(['cursor', 'build-sevrer']);
    expect(status).toBe(4);
    expect(stderr).toContain('build-server');
  });
});

describe('run', () => {
  test("prints the output and exits with the command's own status", async () => {
    expect(await t4a(['run', '--', 'sh', '-c', 'echo out; echo err >&2; exit 7'])).toMatchObject({
      status: 7,
      stdout: 'out\nerr\n',
      stderr: '',
    });
    expect(await t4a(['run', 'true'])).toMatchObject({ status: 0, stdout: '' });
  });

  test('exits with 128 and the number of the signal that ended the command', async () => {
    const { status, stderr } = await t4a(['run', '--command', 'kill -TERM $$']);
    expect({ status, stderr }).toEqual({ status: 143, stderr: 't4a: The command was ended by SIGTERM.\n' });
  });

  test('exits with 3 at its deadline, with what there was', async () => {
    const { status, stdout, stderr } = await t4a([
      'run',
      '--timeout',
      '300',
      '--',
      'sh',
      '-c',
      'echo begun; sleep 100',
    ]);
    expect({ status, stdout }).toEqual({ status: 3, stdout: 'begun\n' });
    expect(stderr).toMatch(/^t4a: The command had not ended after \d+ ms\.\n$/);
  });

  test('exits as t4a does for an error of its own', async () => {
    expect(await t4a(['run', '--', '/no/such/program'])).toMatchObject({ status: 2, stdout: '' });
  });

  test('tells of a gap where it is', async () => {
    const { stdout, stderr } = await t4a(['run', '--max-lines', '4', '--', 'seq', '10']);
    expect(stdout).toBe('1\n2\n9\n10\n');
    expect(stderr).toContain('6 lines left out');
  });

  test('writes a picture of the end beside the output', async () => {
    const dir = tempDir();
    expect(await output(['run', '--screenshot', 'end.png', '--', 'echo', 'hi'], { cwd: dir.path })).toBe('hi\n');
    expect(readFileSync(dir.join('end.png')).subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
  });

  test('with --json prints the reply and keeps the status', async () => {
    const { status, stdout } = await t4a(['run', '--json', '--', 'sh', '-c', 'echo x; exit 3']);
    expect(status).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, outcome: 'exited', exit_code: 3, lines: ['x'] });
  });
});

describe('events', () => {
  test('are lines, each written as it comes', async () => {
    const id = await create('cat');
    const events = streamCli(['events', id, '--ack', '--types', 'bell,removed'], { socketPath: daemon.socketPath });
    expect(JSON.parse(await events.line())).toMatchObject({ ok: true });
    await output(['send', id, '\\x07\\n']);
    expect(JSON.parse(await events.line())).toMatchObject({ event: 'bell', terminal: id });
    await output(['kill', id]);
    let last: unknown;
    do last = JSON.parse(await events.line());
    while ((last as { event: string }).event !== 'removed');
  });

  test('end quietly when their reader goes', async () => {
    const id = await create('cat');
    const events = streamCli(['events', id, '--ack'], { socketPath: daemon.socketPath });
    await events.line();
    events.process.stdout?.destroy();
    await output(['resize', id, '70', '20']);
    expect(await events.ended()).toEqual({ status: 0, stderr: '' });
  });

  test('end quietly at Ctrl+C', async () => {
    const events = streamCli(['events', '--ack'], { socketPath: daemon.socketPath });
    await events.line();
    events.process.kill('SIGINT');
    expect(await events.ended()).toEqual({ status: 'SIGINT', stderr: '' });
  });

  test('of a terminal that is not there are refused', async () => {
    expect(await t4a(['events', 'nobody'])).toMatchObject({ status: 4, stdout: '' });
  });
});

test('long output arrives whole', async () => {
  const lines = (await output(['run', '--max-lines', '100000', '--scrollback', '40000', '--', 'seq', '30000']))
    .trimEnd()
    .split('\n');
  expect({ count: lines.length, last: lines.at(-1) }).toEqual({ count: 30_000, last: '30000' });
});

describe('errors', () => {
  test('with --json are one JSON line on standard error', async () => {
    const { status, stdout, stderr } = await t4a(['text', 'nobody', '--json']);
    expect({ status, stdout }).toEqual({ status: 4, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({
      ok: false,
      code: 'terminal_not_found',
      error: expect.stringContaining('nobody'),
    });
    expect(JSON.parse((await t4a(['--json', 'txet'])).stderr)).toMatchObject({ code: 'usage', closest: 'text' });
  });

  test('of the command line are told without a daemon', async () => {
    const dir = tempDir();
    for (const args of [['lsit'], ['text', '--trmi'], ['resize', 't1'], ['create', '--env', 'x'], []]) {
      const { status, stdout, stderr } = await runCli(args, { socketPath: dir.socketPath });
      expect({ args, status, stdout }).toEqual({ args, status: 2, stdout: '' });
      expect(stderr).not.toBe('');
    }
    expect(() => readFileSync(dir.socketPath)).toThrow('ENOENT');
  });

  test('of a directory that is gone are told as such', () => {
    const script = `mkdir gone && cd gone && rmdir ../gone && "$0" "$@"; echo $?`;
    const cli = [process.execPath, CLI, '--socket', daemon.socketPath, 'create'];
    const told = execFileSync('sh', ['-c', `{ ${script}; } 2>&1`, ...cli], { cwd: tempDir().path, encoding: 'utf8' });
    expect(told).toContain('does not exist any more');
    expect(told.trimEnd().split('\n').at(-1)).toBe('2');
  });
});

describe('help', () => {
  test.each(COMMAND_TABLE.map(({ name }) => name))('explains %s, however it is asked', async (name) => {
    const [asFlag, asCommand] = await Promise.all([runCli([name, '--help']), runCli(['help', name])]);
    expect(asFlag).toMatchObject({ status: 0, stderr: '' });
    expect(asFlag.stdout).toMatch(new RegExp(`^Usage: t4a ${name}\\b`));
    expect(asFlag.stdout).toContain(`\n  t4a ${name}`);
    expect(asCommand.stdout).toBe(asFlag.stdout);
  });

  test('lists every command', async () => {
    const { status, stdout } = await runCli(['--help']);
    expect(status).toBe(0);
    for (const { name, summary } of COMMAND_TABLE)
      expect(stdout).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 20)}`, 'm'));
    expect((await runCli(['help'])).stdout).toBe(stdout);
  });

  test('has the version', async () => {
    const [flag, command] = await Promise.all([runCli(['--version']), runCli(['version'])]);
    expect(flag.stdout).toMatch(/^t4a \d+\.\d+\.\d+\n$/);
    expect(command.stdout).toBe(flag.stdout);
  });
});
