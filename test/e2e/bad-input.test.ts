/** Input from careless or hostile clients: each gets an error with its code, and the daemon continues to serve. */
import { once } from 'node:events';
import { afterAll, beforeAll, afterEach, describe, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';

let daemon: TestDaemon;
let live: unknown;
let exited: unknown;

beforeAll(async () => {
  daemon = await startDaemon();
  live = (await request(daemon, { cmd: 'create', name: 'build', cmd_args: ['cat'] }))['id'];
  exited = (await request(daemon, { cmd: 'run', keep: true, cmd_args: ['true'] }))['id'];
});
afterAll(() => daemon.stop());

afterEach(async () => {
  expect(await request(daemon, { cmd: 'ping' })).toMatchObject({ ok: true });
  expect(daemon.process.exitCode).toBeNull();
  expect(daemon.log()).not.toMatch(/ error /);
});

async function sendLine(line: string | Uint8Array): Promise<Record<string, unknown>> {
  const connection = new RawConnection(daemon.socketPath);
  connection.write(line);
  const { header } = await connection.reply();
  connection.close();
  return header;
}

describe('the daemon', () => {
  it.each([
    ['a line that is no JSON', 'hello\n', 'bad_json'],
    ['half a JSON object', '{"cmd":\n', 'bad_json'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]), 'bad_json'],
    ['an array', '[1]\n', 'bad_request'],
    ['null', 'null\n', 'bad_request'],
    ['a line without cmd', '{"id":"t1"}\n', 'missing_cmd'],
    ['an unknown cmd', '{"cmd":"screenshoot"}\n', 'unknown_cmd'],
    ['a cmd that is no string', '{"cmd":7}\n', 'unknown_cmd'],
    ['a cmd that every object inherits', '{"cmd":"constructor"}\n', 'unknown_cmd'],
    ['a req that is an object', '{"cmd":"ping","req":{}}\n', 'invalid_field'],
  ])('refuses %s', async (_, line, code) => {
    expect(await sendLine(line)).toMatchObject({
      ok: false,
      code,
      error: expect.any(String),
      hint: expect.any(String),
    });
  });

  it.each([
    { cmd: 'run', command: 'echo one\0 two' },
    { cmd: 'create', command: 'echo one\0 two' },
    { cmd: 'run', cmd_args: ['echo', 'one\0two'] },
    { cmd: 'create', cmd_args: ['true'], cwd: '/\0tmp' },
  ])('refuses the NUL in %j, which would cut it', async (fields) => {
    expect(await sendLine(`${JSON.stringify(fields)}\n`)).toMatchObject({ ok: false, code: 'invalid_field' });
  });

  it('suggests the closest command for an unknown one', async () => {
    expect(await sendLine('{"cmd":"screenshoot"}\n')).toMatchObject({ closest: 'screenshot' });
  });

  it('answers HTTP with a hint about HTTP', async () => {
    expect(await sendLine('GET / HTTP/1.1\r\nHost: x\r\n\r\n')).toMatchObject({
      code: 'bad_json',
      hint: expect.stringContaining('HTTP'),
    });
  });

  it('refuses a line of 20 MB, and closes only its connection', async () => {
    const connection = new RawConnection(daemon.socketPath);
    connection.write(Buffer.alloc(20 * 1024 * 1024, 'x'));
    expect((await connection.reply()).header).toMatchObject({ ok: false, code: 'line_too_long' });
    await connection.rest();
    connection.close();
  });

  it('serves other clients while a line is incomplete', async () => {
    const connection = new RawConnection(daemon.socketPath);
    await once(connection.socket, 'connect');
    connection.write('{"cmd":"li');
    expect(await request(daemon, { cmd: 'ping' })).toMatchObject({ ok: true });
    connection.write('st"}\n');
    expect((await connection.reply()).header).toMatchObject({ ok: true });
    connection.close();
  });

  it('survives clients that leave in the middle of a picture', async () => {
    for (let round = 0; round < 10; round++) {
      const connection = new RawConnection(daemon.socketPath);
      connection.write(`${JSON.stringify({ cmd: 'screenshot', id: live })}\n`);
      await connection.line();
      connection.close();
    }
  });
});

describe('an invalid field', () => {
  it.each([
    [{ cmd: 'create', cols: 0 }, 'invalid_field', 'cols'],
    [{ cmd: 'create', cols: 100_000 }, 'invalid_field', 'cols'],
    [{ cmd: 'create', rows: 0 }, 'invalid_field', 'rows'],
    [{ cmd: 'create', rows: 100_000 }, 'invalid_field', 'rows'],
    [{ cmd: 'create', cols: '80' }, 'invalid_field', 'cols'],
    [{ cmd: 'create', cols: 80.5 }, 'invalid_field', 'cols'],
    [{ cmd: 'create', cmd_args: 'bash' }, 'invalid_field', 'cmd_args'],
    [{ cmd: 'create', cmd_args: ['a', 7] }, 'invalid_field', 'cmd_args.1'],
    [{ cmd: 'create', env: { A: 1 } }, 'invalid_field', 'env.A'],
    [{ cmd: 'create', name: 'a b' }, 'invalid_field', 'name'],
    [{ cmd: 'create', name: '..' }, 'invalid_field', 'name'],
    [{ cmd: 'create', name: '-rf' }, 'invalid_field', 'name'],
    [{ cmd: 'create', name: 'a'.repeat(65) }, 'invalid_field', 'name'],
    [{ cmd: 'create', name: 'a/b' }, 'invalid_field', 'name'],
    [{ cmd: 'create', name: 'host:t1' }, 'invalid_field', 'name'],
    [{ cmd: 'create', name: '@' }, 'invalid_field', 'name'],
    [{ cmd: 'text', id: '../../etc' }, 'invalid_field', 'id'],
    [{ cmd: 'create', colz: 80 }, 'unknown_field', 'colz'],
    [{ cmd: 'create', cwd: '/no/such/directory' }, 'cwd_not_found', 'cwd'],
    [{ cmd: 'create', cmd_args: ['no-such-program'] }, 'program_not_found', 'cmd_args'],
    [{ cmd: 'create', cmd_args: ['/etc/passwd'] }, 'program_not_executable', 'cmd_args'],
    [{ cmd: 'create', name: 'build' }, 'name_taken', 'name'],
    [{ cmd: 'text', id: 'build', start: 5, end: 2 }, 'invalid_field', 'end'],
    [{ cmd: 'text', id: 'build', region: 'moon' }, 'invalid_field', 'region'],
    [{ cmd: 'send', id: 'build' }, 'invalid_field', 'input'],
    [{ cmd: 'send', id: 'build', input: 'a', input_base64: 'YQ==' }, 'invalid_field', 'input'],
    [{ cmd: 'send', id: 'build', input: 'x'.repeat(1024 * 1024 + 1) }, 'invalid_field', 'input'],
    [{ cmd: 'send', id: 'build', input_base64: '!!!' }, 'invalid_field', 'input_base64'],
    [{ cmd: 'screenshot', id: 'build', scale: 1 }, 'invalid_field', 'scale'],
    [{ cmd: 'screenshot', id: 'build', pad: -1 }, 'invalid_field', 'pad'],
    [{ cmd: 'kill', id: 'build', signal: 'SIGNOPE' }, 'invalid_field', 'signal'],
    [{ cmd: 'events', types: ['bel'] }, 'invalid_field', 'types.0'],
    [{ cmd: 'events', since: 1e9 }, 'invalid_field', 'since'],
    [{ cmd: 'config', idle_timeout_ms: 0 }, 'invalid_field', 'idle_timeout_ms'],
    [{ cmd: 'run' }, 'invalid_field', 'cmd_args'],
  ])('is refused with its name: %j', async (fields, code, field) => {
    expect(await request(daemon, fields)).toMatchObject({ ok: false, code, field, error: expect.any(String) });
  });

  it('with an unknown name is answered with the closest name', async () => {
    expect(await request(daemon, { cmd: 'create', colz: 80 })).toMatchObject({ closest: 'cols' });
  });
});

describe('terminals', () => {
  it.each(['a', '7', '_', '_x', 'Build-1.2_3', 'a'.repeat(64)])('may have the name %s', async (name) => {
    expect(await request(daemon, { cmd: 'create', name, cmd_args: ['cat'] })).toMatchObject({ ok: true, id: name });
    expect(await request(daemon, { cmd: 'kill', id: name })).toMatchObject({ ok: true });
  });

  it('with an unknown id are answered with the closest id', async () => {
    expect(await request(daemon, { cmd: 'text', id: 'biuld' })).toEqual({
      ok: false,
      error: 'No terminal "biuld".',
      code: 'terminal_not_found',
      hint: 't4a list',
      closest: 'build',
    });
  });

  it('that have exited refuse input and signals, but stay readable', async () => {
    expect(await request(daemon, { cmd: 'send', id: exited, input: 'x' })).toMatchObject({ code: 'terminal_exited' });
    expect(await request(daemon, { cmd: 'kill', id: exited, signal: 'INT' })).toMatchObject({
      code: 'terminal_exited',
    });
    expect(await request(daemon, { cmd: 'text', id: exited })).toMatchObject({ ok: true });
    expect(await request(daemon, { cmd: 'screenshot', id: exited, inline: true })).toMatchObject({ ok: true });
  });

  it('are refused beyond max_terminals', async () => {
    await request(daemon, { cmd: 'config', max_terminals: 2 });
    expect(await request(daemon, { cmd: 'create' })).toMatchObject({
      code: 'too_many_terminals',
      hint: expect.stringContaining('max_terminals'),
    });
    await request(daemon, { cmd: 'config', max_terminals: 500 });
  });
});
