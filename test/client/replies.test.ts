/** What a connection makes of each answer, and of a daemon that goes. */
import { getEventListeners, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DaemonConnection } from '../../src/client/connection.js';
import { EventStream } from '../../src/client/event-stream.js';
import { openSocket } from '../../src/client/open-socket.js';
import { MAX_LINE_BYTES } from '../../src/protocol/limits.js';
import { gate } from '../support/serve.js';
import { tempDir } from '../support/temp-dir.js';

/** Where a program answers what a client sends as the test says. */
async function program(onLine: (socket: Socket, line: string) => void): Promise<string> {
  const { socketPath } = tempDir();
  const server = createServer((socket) => {
    socket.on('error', () => {
      // EPIPE, ECONNRESET: the client has gone.
    });
    socket.on('data', (chunk: Buffer) => {
      for (const line of chunk.toString().trimEnd().split('\n')) onLine(socket, line);
    });
  });
  server.listen(socketPath);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return socketPath;
}

async function connection(onLine: (socket: Socket, line: string) => void): Promise<DaemonConnection> {
  const socketPath = await program(onLine);
  const socket = await openSocket(socketPath);
  if (socket === 'absent') throw new Error('the program does not listen');
  const made = new DaemonConnection(socket, socketPath);
  onTestFinished(() => made.close());
  return made;
}

const answering = (...lines: string[]) =>
  connection((socket) => void socket.write(lines.map((line) => `${line}\n`).join('')));

describe('a call', () => {
  test('is a line with a number of its own, from 1', async () => {
    const asked: unknown[] = [];
    const client = await connection((socket, line) => {
      const { req, ...request } = JSON.parse(line) as { req: number };
      asked.push([req, request]);
      socket.write(`{"ok":true,"req":${req},"terminals":[]}\n`);
    });
    await client.call('list');
    await client.call('resize', { id: 't1', cols: 3, rows: 4 });
    expect(asked).toEqual([
      [1, { cmd: 'list' }],
      [2, { cmd: 'resize', id: 't1', cols: 3, rows: 4 }],
    ]);
  });

  test('is not answered by the reply to another one', async () => {
    const client = await answering('{"ok":true,"req":9,"terminals":["x"]}', '{"ok":true,"req":1,"terminals":[]}');
    expect(await client.call('list')).toEqual({ terminals: [] });
    expect(client.isOpen).toBe(true);
  });

  test('fails with all others if a reply names no request', async () => {
    const client = await answering('{"ok":true,"terminals":[]}');
    const calls = [client.call('list'), client.call('ping')];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'daemon_unreachable' });
    expect(client.isOpen).toBe(false);
  });

  test('fails with the error that names no request, and its hint', async () => {
    const client = await answering('{"ok":false,"code":"too_many_connections","error":"Full.","hint":"t4a list"}');
    for (const call of [client.call('list'), client.call('ping')]) {
      await expect(call).rejects.toMatchObject({
        code: 'too_many_connections',
        message: 'Full.',
        details: { hint: 't4a list' },
      });
    }
  });

  test('reports which of the calls under way was not answered', async () => {
    const client = await connection((socket) => socket.end());
    await expect(client.call('list')).rejects.toMatchObject({
      code: 'connection_lost',
      message: 'The daemon closed the connection. "list" was not answered.',
      details: { hint: 't4a ping' },
    });
    await expect(client.call('stats')).rejects.toThrow('"stats" was not answered.');
  });

  test('leaves no listener at its signal, after a reply and after an error', async () => {
    const { signal } = new AbortController();
    const client = await connection((socket, line) => {
      const { req, cmd } = JSON.parse(line) as { req: number; cmd: string };
      socket.write(`{"ok":${cmd === 'list'},"req":${req},"code":"internal","error":"No."}\n`);
    });
    const good = client.call('list', {}, { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await good;
    await client.call('stats', {}, { signal }).catch(() => {});
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('may have as many bytes as a line, and no more', async () => {
    const client = await connection((socket, line) => {
      if (line.includes('"req":1')) socket.write('{"ok":true,"req":1}\n');
    });
    const around = JSON.stringify({ cmd: 'send', req: 1, id: 't', input: '' }).length + 1;
    const send = (bytes: number) => client.call('send', { id: 't', input: 'x'.repeat(bytes - around) });
    expect(await send(MAX_LINE_BYTES)).toEqual({});
    await expect(send(MAX_LINE_BYTES + 1)).rejects.toMatchObject({
      code: 'line_too_long',
      message: expect.stringContaining(`has ${MAX_LINE_BYTES + 1} bytes`) as string,
    });
  });

  test('has no bytes if the reply has a len of 0', async () => {
    const client = await answering('{"ok":true,"req":1,"len":2}\nab{"ok":true,"req":2,"len":0}');
    const [drawn, none] = await Promise.all([
      client.call('screenshot', { id: 't' }),
      client.call('screenshot', { id: 't' }),
    ]);
    expect(Buffer.from(drawn.bytes ?? []).toString()).toBe('ab');
    expect(none).not.toHaveProperty('bytes');
  });
});

test('a closed connection is reported to calls under way and to later ones', async () => {
  const client = await connection(() => {});
  const underWay = expect(client.call('list')).rejects.toThrow('The client was closed. "list" was not answered.');
  expect(client.isOpen).toBe(true);
  await client.close();
  await underWay;
  expect(client.isOpen).toBe(false);
  await expect(client.call('ping')).rejects.toMatchObject({ code: 'connection_lost' });
});

describe('an event stream', () => {
  const ACK = '{"ok":true,"seq":4}\n';

  test('that is closed drops unconsumed events, and ends', async () => {
    const path = await program((socket) => void socket.write(`${ACK}{"event":"bell"}\n{"event":"bell"}\n`));
    const stream = new EventStream(path);
    const lines = stream[Symbol.asyncIterator]();
    expect((await lines.next()).value).toEqual({ event: 'bell' });
    stream.close();
    expect(await lines.next()).toEqual({ value: undefined, done: true });
  });

  test('is closed at the end of its block', async () => {
    const gone = gate();
    const path = await program((socket) => {
      socket.on('close', () => gone.open());
      socket.write(ACK);
    });
    {
      await using stream = new EventStream(path);
      expect(await stream.subscribed).toBe(4);
    }
    await gone.promise;
  });

  test('of a daemon that closes before it has subscribed fails with connection_lost', async () => {
    const stream = new EventStream(await program((socket) => socket.end()));
    await expect(stream.subscribed).rejects.toMatchObject({ code: 'connection_lost' });
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'connection_lost' });
  });

  test("to another kind of server fails with the server's text", async () => {
    const stream = new EventStream(await program((socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n')));
    await expect(stream.subscribed).rejects.toMatchObject({
      code: 'daemon_unreachable',
      message: expect.stringContaining('HTTP/1.1 400') as string,
    });
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'daemon_unreachable' });
  });

  test('with an aborted signal sends nothing', async () => {
    const asked: string[] = [];
    const path = await program((_, line) => void asked.push(line));
    const stream = new EventStream(path, {}, AbortSignal.abort(new Error('enough')));
    await expect(stream.subscribed).rejects.toThrow('enough');
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow('enough');
    expect(asked).toEqual([]);
  });

  test('that is closed before it is connected sends nothing', async () => {
    const asked: string[] = [];
    const path = await program((_, line) => void asked.push(line));
    const stream = new EventStream(path);
    stream.close();
    await expect(stream.subscribed).rejects.toMatchObject({ code: 'connection_lost' });
    expect(await stream[Symbol.asyncIterator]().next()).toEqual({ value: undefined, done: true });
    expect(asked).toEqual([]);
  });

  test('leaves no listener at its signal after its end', async () => {
    const { signal } = new AbortController();
    const path = await program((socket) => void socket.write(ACK));
    const stream = new EventStream(path, {}, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await stream.subscribed;
    stream.close();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('ends for its first reason', async () => {
    const controller = new AbortController();
    const stream = new EventStream(await program((socket) => void socket.write(ACK)), {}, controller.signal);
    await stream.subscribed;
    const next = stream[Symbol.asyncIterator]().next();
    controller.abort(new Error('first'));
    stream.close();
    await expect(next).rejects.toThrow('first');
  });
});
