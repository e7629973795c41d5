/** vtr's API through a client of gRPC: what each method does, and its errors. */
import { status as Status } from '@grpc/grpc-js';
import { statSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { useCommandLine } from '../support/cli-daemon.js';
import { request } from '../support/daemon.js';
import { type Message, vtr } from '../support/grpc.js';
import { eventually } from '../support/eventually.js';
import { ofFile } from '../support/of-file.js';

const cli = useCommandLine();

const serve = ofFile((atEnd) => vtr(cli.daemon.socketPath, [], atEnd));
const serveWith = (...args: string[]) => vtr(cli.daemon.socketPath, args);

let count = 0;
const fresh = (): string => `s${process.pid}-${++count}`;

const lineOf = (row: Message): string =>
  (row['cells'] as Message[])
    .map((cell) => cell['char'] as string)
    .join('')
    .trimEnd();

test('its socket is for its owner alone', async () => {
  const { socketPath } = await serve();
  const { mode, uid } = statSync(socketPath);
  expect({ mode: mode & 0o777, uid }).toEqual({ mode: 0o600, uid: process.getuid?.() });
});

describe('sessions', () => {
  test('are spawned, listed, and removed', async () => {
    const { call, refusal } = await serve();
    const name = fresh();
    const { session } = await call('Spawn', {
      name,
      command: 'echo "$SAID" in "$PWD"; exec cat',
      working_dir: '/',
      env: { SAID: 'hi' },
    });
    expect(session).toMatchObject({
      name,
      status: 'SESSION_STATUS_RUNNING',
      cols: 80,
      rows: 24,
      exit_code: 0,
      exited_at: null,
    });
    expect(Math.abs(Number((session as Message)['created_at'].seconds) - Date.now() / 1000)).toBeLessThan(60);
    await call('WaitForIdle', { name, idle_duration: { seconds: 0, nanos: 50_000_000 } });
    const screen = await call('GetScreen', { name });
    expect(lineOf(screen['screen_rows'][0])).toBe('hi in /');
    const { sessions } = await call('List');
    expect((sessions as Message[]).map((one) => one['name'])).toContain(name);
    await call('Remove', { name });
    expect(await refusal('Info', { name })).toMatchObject({ code: Status.NOT_FOUND });
  });

  test.each([
    'Info',
    'Kill',
    'Remove',
    'GetScreen',
    'Grep',
    'SendText',
    'SendKey',
    'SendBytes',
    'Resize',
    'WaitFor',
    'WaitForIdle',
    'DumpAsciinema',
  ])('%s reaches no session of others by "@"', async (method) => {
    const { call, refusal } = await serve();
    const name = fresh();
    await call('Spawn', { name, command: 'exec cat' });
    const fields = { key: 'Enter', pattern: 'x', text: 'x', data: Buffer.from('x'), cols: 10, rows: 10 };
    for (const at of ['@', '@-1', `@${name}`]) {
      expect(await refusal(method, { ...fields, name: at })).toMatchObject({
        code: Status.NOT_FOUND,
        details: expect.stringMatching(/^SESSION_NOT_FOUND: /) as string,
      });
    }
    const { session } = await call('Info', { name });
    expect(session).toMatchObject({ status: 'SESSION_STATUS_RUNNING', cols: 80 });
  });

  test('are not spawned with a name that begins with "@"', async () => {
    const { refusal } = await serve();
    expect(await refusal('Spawn', { name: '@', command: 'exec cat' })).toMatchObject({ code: Status.INVALID_ARGUMENT });
  });

  test('have the exit code of their program, or 128 and the signal', async () => {
    const { call } = await serve();
    const [one, two] = [fresh(), fresh()];
    await call('Spawn', { name: one, command: 'exit 7' });
    await call('Spawn', { name: two, command: 'exec cat', cols: 40, rows: 5 });
    await call('Kill', { name: two });
    for (const [name, code] of [
      [one, 7],
      [two, 143],
    ] as const) {
      await call('WaitFor', { name, pattern: 'never', timeout: { seconds: 10 } });
      const { session } = await call('Info', { name });
      expect(session).toMatchObject({ status: 'SESSION_STATUS_EXITED', exit_code: code });
      expect((session as Message)['exited_at']).not.toBeNull();
    }
  });

  test('Remove sends SIGTERM, and SIGKILL after the kill timeout', async () => {
    const { call } = await serveWith('--kill-timeout', '300ms');
    const name = fresh();
    await call('Spawn', { name, command: 'trap "echo got TERM" TERM; echo ready; while :; do sleep 0.05; done' });
    await cli.output(['wait', name, '--text', 'ready']);
    const heard = call('WaitFor', { name, pattern: 'got TERM', timeout: { seconds: 20 } });
    await call('Remove', { name });
    expect(await heard).toMatchObject({ matched: true });
    expect((await cli.t4a(['status', name])).status).toBe(4);
  });
});

describe('the screen', () => {
  test('has colours in RGB, attributes as bits, and an empty cell after a wide character', async () => {
    const { call } = await serve();
    const name = await cli.printed(
      String.raw`\033[1;4;31mA\033[0m\033[38;2;1;2;3;48;5;196;7mB\033[0m\343\201\202C\033[3;2;5;8;9;53mD`,
    );
    const { cols, rows, cursor_x: x, cursor_y: y, screen_rows: all } = await call('GetScreen', { name });
    expect({ cols, rows, x, y }).toEqual({ cols: 80, rows: 24, x: 6, y: 0 });
    expect((all as Message[]).every(({ cells }) => (cells as unknown[]).length === 80)).toBe(true);
    const [a, b, wide, half, c, d, blank] = all[0].cells as Message[];
    const ground = { fg_color: 0xd8dee9, bg_color: 0x101418, attributes: 0 };
    expect(a).toEqual({ ...ground, char: 'A', fg_color: 0xf2545b, attributes: 0x01 | 0x04 });
    expect(b).toEqual({ char: 'B', fg_color: 0x010203, bg_color: 0xff0000, attributes: 0x20 });
    expect([wide, half, c]).toEqual([
      { ...ground, char: 'あ' },
      { ...ground, char: '' },
      { ...ground, char: 'C' },
    ]);
    expect(d).toMatchObject({ char: 'D', attributes: 0x02 | 0x08 | 0x10 | 0x40 | 0x80 | 0x100 });
    expect(blank).toEqual({ ...ground, char: ' ' });
  });

  test('Grep counts lines from the oldest, with context, and at most 100 matches', async () => {
    const { call } = await serve();
    const name = fresh();
    await call('Spawn', { name, command: 'seq 1 250' });
    await cli.output(['wait', name, '--exit']);
    const { matches } = await call('Grep', {
      name,
      pattern: '^1[0-9]5$',
      context_before: 1,
      context_after: 1,
      max_matches: 2,
    });
    expect(matches).toEqual([
      { line_number: 104, line: '105', context_before: ['104'], context_after: ['106'] },
      { line_number: 114, line: '115', context_before: ['114'], context_after: ['116'] },
    ]);
    expect((await call('Grep', { name, pattern: '.' }))['matches']).toHaveLength(100);
  });
});

describe('input', () => {
  test('is text, keys and bytes; a resize reaches the program', async () => {
    const { call } = await serve();
    const name = fresh();
    await call('Spawn', { name, command: 'cat; stty size; cat -v' });
    await call('SendText', { name, text: 'one' });
    for (const key of ['enter', 'ctrl+d']) await call('SendKey', { name, key });
    await cli.output(['wait', name, '--text', '24 80']);
    await call('Resize', { name, cols: 100, rows: 30 });
    await call('SendBytes', { name, data: Buffer.from([0x01, 0x0a]) });
    await cli.output(['wait', name, '--text', '^A']);
    expect((await call('Info', { name }))['session']).toMatchObject({ cols: 100, rows: 30 });
  });
});

describe('waits', () => {
  test('WaitFor counts what comes after it, and returns the line', async () => {
    const { call } = await serve();
    const name = fresh();
    await call('Spawn', { name, command: 'echo ready; exec cat' });
    await cli.output(['wait', name, '--text', 'ready']);
    expect(await call('WaitFor', { name, pattern: 'ready', timeout: { nanos: 50_000_000 } })).toEqual({
      matched: false,
      matched_line: '',
      timed_out: true,
    });
    let isOver = false;
    const waiting = call('WaitFor', { name, pattern: 'l+o w', timeout: { seconds: 20 } }).finally(
      () => (isOver = true),
    );
    // No reply says that the wait has begun.
    await eventually(async () => {
      await call('SendText', { name, text: 'hello world\n' });
      expect(isOver).toBe(true);
    });
    expect(await waiting).toEqual({ matched: true, matched_line: 'hello world', timed_out: false });
  });

  test('WaitForIdle ends with silence, or at its deadline', async () => {
    const { call } = await serve();
    const name = fresh();
    await call('Spawn', { name, command: 'while :; do echo x; sleep 0.02; done' });
    const busy = { name, idle_duration: { seconds: 5 }, timeout: { nanos: 200_000_000 } };
    expect(await call('WaitForIdle', busy)).toEqual({ idle: false, timed_out: true });
    await call('Remove', { name });
  });
});

describe('errors', () => {
  beforeAll(async () => {
    await request(cli.daemon, { cmd: 'create', name: 'taken', cmd_args: ['cat'] });
    const ended = { cmd: 'create', name: 'ended', cmd_args: ['true'], wait: { until: { exit: true } } };
    expect(await request(cli.daemon, ended)).toMatchObject({ ok: true });
  });

  test.each([
    ['Info', { name: 'missing' }, Status.NOT_FOUND, 'SESSION_NOT_FOUND: '],
    ['Info', {}, Status.INVALID_ARGUMENT, 'INVALID_ARGUMENT: name is empty.'],
    ['Spawn', { name: 'a/b' }, Status.INVALID_ARGUMENT, ''],
    ['Spawn', { name: 'x', working_dir: '/dev/null/x' }, Status.INTERNAL, 'SPAWN_FAILED: '],
    ['Spawn', { name: 'x', cols: -1 }, Status.INVALID_ARGUMENT, ''],
    ['Grep', { name: 'taken', pattern: '(' }, Status.INVALID_ARGUMENT, 'BAD_REGEX: '],
    ['WaitFor', { name: 'taken', pattern: '(' }, Status.INVALID_ARGUMENT, 'BAD_REGEX: '],
    ['SendKey', { name: 'taken', key: 'no-such-key' }, Status.INVALID_ARGUMENT, 'UNKNOWN_KEY: '],
    ['SendBytes', { name: 'taken', data: Buffer.alloc(2 * 1024 * 1024) }, Status.INVALID_ARGUMENT, ''],
    ['Resize', { name: 'taken' }, Status.INVALID_ARGUMENT, ''],
    ['Spawn', { name: 'taken' }, Status.ALREADY_EXISTS, 'SESSION_ALREADY_EXISTS: '],
    ['SendText', { name: 'ended', text: 'x' }, Status.FAILED_PRECONDITION, 'SESSION_NOT_RUNNING: '],
  ])('%s %o', async (method, fields, code, begin) => {
    const { refusal } = await serve();
    const refused = await refusal(method, fields);
    expect(refused.code).toBe(code);
    expect(refused.details.startsWith(begin), refused.details).toBe(true);
  });

  test('bytes that are not gRPC end their connection, and no other', async () => {
    const { call, socketPath } = await serve();
    const { RawConnection } = await import('../support/raw.js');
    const raw = new RawConnection(socketPath);
    raw.write('{"cmd":"list"}\n');
    await expect(raw.line().then(() => raw.line())).rejects.toThrow('the connection ended');
    expect(await call('List')).toHaveProperty('sessions');
  });
});

test('DumpAsciinema is an asciicast of the history of a session that is not recorded', async () => {
  const { call } = await serve();
  const name = fresh();
  await call('Spawn', { name, command: 'echo remembered; exec cat' });
  await cli.output(['wait', name, '--text', 'remembered']);
  const { data } = await call('DumpAsciinema', { name });
  const [header = '', ...events] = (data as Buffer).toString().trim().split('\n');
  expect(JSON.parse(header)).toMatchObject({ version: 2, width: 80, height: 24 });
  expect(events.map((line) => (JSON.parse(line) as unknown[])[1])).toContain('o');
  expect(events.join('\n')).toContain('remembered');
  await call('SendText', { name, text: '\u0004' });
  await cli.output(['wait', name, '--exit']);
  expect(((await call('DumpAsciinema', { name }))['data'] as Buffer).toString()).toContain('remembered');
});

test('DumpAsciinema is refused with NO_RECORDING only where there is no history either', async () => {
  const { call, refusal } = await serve();
  const { history_bytes: before } = await request(cli.daemon, { cmd: 'config' });
  await request(cli.daemon, { cmd: 'config', history_bytes: 0 });
  const name = fresh();
  await call('Spawn', { name, command: 'exec cat' });
  await request(cli.daemon, { cmd: 'config', history_bytes: before });
  expect(await refusal('DumpAsciinema', { name })).toMatchObject({
    code: Status.FAILED_PRECONDITION,
    details: expect.stringMatching(/^NO_RECORDING: /) as string,
  });
});

test('--scrollback is that of new sessions', async () => {
  const { call } = await serveWith('--scrollback', '5');
  const name = fresh();
  await call('Spawn', { name, command: 'seq 1 100; echo end; exec cat' });
  await cli.output(['wait', name, '--regex', '^end$']);
  // Five lines above the 24 of the viewport, of which the last is empty.
  expect(await call('Grep', { name, pattern: '^\\d+$', max_matches: 1 })).toMatchObject({
    matches: [{ line_number: 0, line: '74' }],
  });
  for (const wrong of ['-1', '1000001', 'many']) {
    const { status, stderr } = await cli.t4a(['grpc', `--scrollback=${wrong}`]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/--scrollback.* is .*: expected/);
  }
});

test('DumpAsciinema is an asciicast of what was recorded', async () => {
  const { call } = await serveWith('--record');
  const name = fresh();
  await call('Spawn', { name, command: 'echo recorded; exec cat' });
  await cli.output(['wait', name, '--text', 'recorded']);
  await call('SendText', { name, text: '\u0004' });
  await cli.output(['wait', name, '--exit']);
  const { data } = await call('DumpAsciinema', { name });
  const [header = '', ...events] = (data as Buffer).toString().trim().split('\n');
  expect(JSON.parse(header)).toMatchObject({ version: 2, width: 80, height: 24 });
  expect(events.join('\n')).toContain('recorded');
});
