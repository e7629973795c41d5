import { spawn } from 'node:child_process';
import { createConnection } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { T4aError } from '../../src/protocol/errors.js';
import { MAX_LINE_BYTES } from '../../src/protocol/limits.js';
import { requireProgram } from '../support/programs.js';
import { gate, serve, type Gate } from '../support/serve.js';

/** A handler that waits until its call is aborted, and reports both to the test. */
function untilAborted(started: Gate, aborted: Gate<unknown>) {
  return async (_params: unknown, { signal }: { signal: AbortSignal }): Promise<never> => {
    started.open();
    await once(signal, 'abort');
    aborted.open(signal.reason);
    throw signal.reason;
  };
}

const WRITES_THEN_READS = `
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.sendall(b"a" * 20_000_000 + b"\\n")
data = b""
while chunk := s.recv(4096):
    data += chunk
print(data.decode())
`;

describe('a client that closes its writing side', () => {
  test('still gets the replies to its requests, then the end', async () => {
    const slow = gate();
    const { connect } = await serve({ send: () => slow.promise.then(() => ({ reply: {} })) });
    const connection = connect();
    connection.socket.end('{"cmd":"send","id":"t1","input":"x"}\n{"cmd":"list","req":1}\n');
    expect((await connection.reply()).header['req']).toBe(1);
    slow.open();
    expect((await connection.rest()).toString()).toBe('{"ok":true}\n');
  });

  test('gets a reply to a last line without a newline', async () => {
    const { connect } = await serve();
    const connection = connect();
    connection.socket.end('{"cmd":"list"}');
    expect((await connection.rest()).toString()).toBe('{"ok":true,"terminals":[]}\n');
  });

  test('has its pending calls aborted when it closes completely', async () => {
    const started = gate();
    const aborted = gate<unknown>();
    const { connect, server } = await serve({ send: untilAborted(started, aborted) });
    const connection = connect();
    // Without its newline the request is known to be complete only by the end of the input.
    connection.socket.end('{"cmd":"send","id":"t1","input":"x"}');
    await started.promise;
    expect(server.connectionCount).toBe(1);
    connection.close();
    expect(await aborted.promise).toMatchObject({ code: 'connection_lost' });
  });
});

describe('a disconnecting client', () => {
  test('has its pending calls aborted, silently', async () => {
    const started = gate();
    const aborted = gate<unknown>();
    const { connect, log, server } = await serve({ send: untilAborted(started, aborted) });
    const gone = new Promise<void>((resolve) => {
      server.onConnectionCount((count) => count === 0 && resolve());
    });
    const connection = connect();
    connection.write('{"cmd":"send","id":"t1","input":"x"}\n');
    await started.promise;
    connection.close();
    expect(await aborted.promise).toBeInstanceOf(T4aError);
    await gone;
    expect(log).toEqual([]);
  });

  test('in the middle of a large reply does not affect other clients', async () => {
    const { connect, server } = await serve({
      screenshot: () => ({ reply: { rev: 1 }, bytes: [new Uint8Array(32 * 1024 * 1024)] }),
    });
    const gone = new Promise<void>((resolve) => {
      server.onConnectionCount((count) => count === 0 && resolve());
    });
    const connection = connect();
    connection.write('{"cmd":"screenshot","id":"t1"}\n');
    await connection.line();
    connection.close();
    await gone;
    expect((await connect().request({ cmd: 'ping' })).header['ok']).toBe(true);
  });
});

describe('bad input', () => {
  test('of 20 MB in one line is refused with its code after earlier replies, and the connection closes', async () => {
    const { connect } = await serve();
    const connection = connect();
    connection.write('{"cmd":"list"}\n');
    const chunk = Buffer.alloc(1024 * 1024, 0x61);
    for (let i = 0; i < 20; i++) connection.write(chunk);
    connection.write('\n{"cmd":"list"}\n');
    const lines = (await connection.rest()).toString().trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? '')).toEqual({ ok: true, terminals: [] });
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ ok: false, code: 'line_too_long' });
    expect((await connect().request({ cmd: 'ping' })).header['ok']).toBe(true);
  });

  test('of 20 MB in one line is refused for a client that writes all of it before it reads', async () => {
    const { socketPath } = await serve();
    const python = spawn(requireProgram('python3'), ['-c', WRITES_THEN_READS, socketPath], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said: Buffer[] = [];
    python.stdout.on('data', (chunk: Buffer) => said.push(chunk));
    const [status] = (await once(python, 'close')) as [number];
    expect(status).toBe(0);
    expect(JSON.parse(Buffer.concat(said).toString())).toMatchObject({ ok: false, code: 'line_too_long' });
  });

  test('of a line just within the limit is accepted', async () => {
    const { connect } = await serve({
      send: ({ input }) => ({ reply: { got: input?.length } as object }),
    });
    const start = '{"cmd":"send","id":"t1","input":"';
    const input = 'x'.repeat(MAX_LINE_BYTES - start.length - 2);
    const connection = connect();
    connection.write(`${start}${input}"}\n`);
    expect((await connection.reply()).header).toEqual({ ok: true, got: input.length });
  });

  test('of half a line and then silence blocks no other client', async () => {
    const { connect } = await serve();
    const half = connect();
    half.write('{"cmd":"li');
    expect((await connect().request({ cmd: 'list' })).header['ok']).toBe(true);
    half.write('st"}\n');
    expect((await half.reply()).header['ok']).toBe(true);
  });

  test('that is HTTP is answered with the protocol of this socket', async () => {
    const { connect } = await serve();
    const connection = connect();
    connection.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
    const { header } = await connection.reply();
    expect(header).toMatchObject({ ok: false, code: 'bad_json' });
    expect(header['hint']).toContain('not HTTP');
    expect((await connection.reply()).header['code']).toBe('bad_json');
    expect((await connection.request({ cmd: 'list' })).header['ok']).toBe(true);
  });

  test('that is not UTF-8 is answered and leaves the connection usable', async () => {
    const { connect } = await serve();
    const connection = connect();
    connection.write(new Uint8Array([0x7b, 0xff, 0xfe, 0x7d, 0x0a]));
    expect((await connection.reply()).header['code']).toBe('bad_json');
    expect((await connection.request({ cmd: 'list' })).header['ok']).toBe(true);
  });
});

describe('a handler that fails', () => {
  test('by a defect is answered with internal, its stack is logged, and the daemon continues', async () => {
    const { connect, log } = await serve({
      list() {
        throw new TypeError('grid is undefined');
      },
      cursor: () => Promise.reject(new RangeError('row 7')),
    });
    const connection = connect();
    expect((await connection.request({ cmd: 'list' })).header).toMatchObject({ ok: false, code: 'internal' });
    expect((await connection.request({ cmd: 'cursor', id: 't1' })).header['error']).toContain('row 7');
    expect(log).toHaveLength(2);
    expect(log[0]).toMatch(/"list" failed: TypeError: grid is undefined \|.* at /);
    expect((await connection.request({ cmd: 'ping' })).header['ok']).toBe(true);
  });

  test('with a message that quotes the request is logged and answered without the quote, with the place of the error', async () => {
    const { connect, log } = await serve({
      send({ input = '' }) {
        throw new RangeError(`cannot write ${JSON.stringify(input)}`);
      },
    });
    const connection = connect();
    for (const input of ['hunter2', 'say "hunter2"', `hunter2${'x'.repeat(200)}`]) {
      const { header } = await connection.request({ cmd: 'send', id: 't1', input });
      expect(header).toMatchObject({ ok: false, code: 'internal' });
      expect(JSON.stringify(header)).not.toContain('hunter2');
    }
    expect(log).toHaveLength(3);
    expect(log[0]).toMatch(/"send" failed: RangeError: the message is not shown.* \|     at .*connection\.test/);
    expect(log.join('')).not.toContain('hunter2');
  });

  test('by an answer that is not JSON is answered with internal', async () => {
    const { connect } = await serve({ resize: () => ({ reply: { cols: 1n, rows: 1, rev: 1 } }) as never });
    const { header } = await connect().request({ cmd: 'resize', id: 't1', cols: 80, rows: 1, req: 5 });
    expect(header).toMatchObject({ ok: false, req: 5, code: 'internal' });
  });
});

describe('closing the server', () => {
  test('answers pending calls with shutting_down, and removes the socket before connections close', async () => {
    const started = gate();
    const { connect, server, socketPath } = await serve({
      async send(_params, { signal }) {
        started.open();
        await delay(60_000, undefined, { signal });
        return { reply: {} };
      },
    });
    const connection = connect();
    connection.write('{"cmd":"send","id":"t1","input":"x"}\n');
    await started.promise;
    const closed = server.close();
    expect((await connection.reply()).header).toMatchObject({ ok: false, code: 'shutting_down' });
    expect((await connection.rest()).length).toBe(0);
    const socket = createConnection({ path: socketPath });
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ENOENT');
    await closed;
  });

  test('does not wait for a client that never reads', async () => {
    const { connect, server } = await serve({
      screenshot: () => ({ reply: { rev: 1 }, bytes: [new Uint8Array(32 * 1024 * 1024)] }),
    });
    const connection = connect();
    connection.write('{"cmd":"screenshot","id":"t1"}\n');
    await connection.line();
    connection.socket.pause();
    await server.close();
    expect(server.connectionCount).toBe(0);
  });

  test('does not wait for a silent client', async () => {
    const { connect, server } = await serve();
    const connection = connect();
    await connection.request({ cmd: 'ping' });
    await server.close();
    expect((await connection.rest()).length).toBe(0);
  });
});
