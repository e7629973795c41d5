/** A client around connections that come and go, and its reports of them. */
import { getEventListeners, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connect, connectAndCall, type Client, type Reconnection } from '../../src/client/client.js';
import { Terminal } from '../../src/client/terminal.js';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.js';
import { tempDir } from '../support/temp-dir.js';

/** A daemon whose connections end on request; each reports a pid of its own. */
async function place() {
  const { socketPath } = tempDir();
  const open = new Set<Socket>();
  const asked: string[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    const who = { version: '0.0.1', protocol: PROTOCOL_VERSION, pid: ++connections, uptime_ms: 1, terminals: 0 };
    open.add(socket);
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', (line) => {
      const { cmd, req } = JSON.parse(line) as { cmd: string; req: number };
      asked.push(cmd);
      const fields = cmd === 'ping' ? who : cmd === 'stats' ? { ok: false, code: 'unknown_cmd', error: 'None.' } : {};
      socket.write(`${JSON.stringify({ ok: true, req, ...fields })}\n`);
    });
  });
  server.listen(socketPath);
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  onTestFinished(close);
  return {
    socketPath,
    asked,
    close,
    client: async (): Promise<Client> => {
      const client = await connect({ socketPath, autoStart: false });
      onTestFinished(() => client.close());
      return client;
    },
    /** Ends all connections; the call that meets the end is the fence. */
    drop: async (client: Client): Promise<void> => {
      const call = client.call('list');
      for (const socket of open) socket.destroy();
      open.clear();
      await call.catch(() => {});
    },
  };
}

test('a client reports the socket of its daemon, its identity, and that it was running already', async () => {
  const { client, socketPath } = await place();
  const { socketPath: path, daemon, hasStartedDaemon, isClosed } = await client();
  expect([path, daemon.pid, hasStartedDaemon, isClosed]).toEqual([socketPath, 1, false, false]);
});

test('the next call reconnects, and reports that once, until the listener is removed', async () => {
  const { client: connected, drop } = await place();
  const client = await connected();
  const told: Reconnection[] = [];
  const listening = client.onReconnect((reconnection) => told.push(reconnection));
  await drop(client);
  expect(client.daemon.pid).toBe(1);
  expect((await client.call('ping')).pid).toBe(2);
  expect(told.map(({ before, now }) => [before.pid, now.pid])).toEqual([[1, 2]]);
  listening.dispose();
  await drop(client);
  expect((await client.reach()).pid).toBe(3);
  expect(told).toHaveLength(1);
});

test('reconnecting to a connected daemon makes no request', async () => {
  const { client: connected, asked } = await place();
  const client = await connected();
  const { signal } = new AbortController();
  expect((await client.reach({ signal })).pid).toBe(1);
  expect(asked).toEqual(['ping']);
});

test('calls that wait for a connection share it, and each can be given up', async () => {
  const { client: connected, drop, asked } = await place();
  const client = await connected();
  await drop(client);
  const before = asked.length;
  const controller = new AbortController();
  const givenUp = expect(client.call('list', {}, { signal: controller.signal })).rejects.toThrow('enough');
  const others = [client.call('ping'), client.call('ping'), client.reach()];
  controller.abort(new Error('enough'));
  await givenUp;
  expect(asked).toHaveLength(before);
  expect((await Promise.all(others)).map(({ pid }) => pid)).toEqual([2, 2, 2]);
  expect(asked.slice(before)).toEqual(['ping', 'ping', 'ping']);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  await drop(client);
  await expect(client.call('list', {}, { signal: controller.signal })).rejects.toThrow('enough');
  expect(client.daemon.pid).toBe(2);
});

test('the signal of the first connection does not apply to the next', async () => {
  const { drop, socketPath } = await place();
  const controller = new AbortController();
  const client = await connect({ socketPath, autoStart: false, signal: controller.signal });
  onTestFinished(() => client.close());
  controller.abort();
  await drop(client);
  expect((await client.call('ping')).pid).toBe(2);
});

test('a client keeps its first path, although the environment changes', async () => {
  const { client: connected, drop, socketPath } = await place();
  vi.stubEnv('T4A_SOCKET', socketPath);
  onTestFinished(() => void vi.unstubAllEnvs());
  const client = await connect({ autoStart: false });
  onTestFinished(() => client.close());
  vi.stubEnv('T4A_SOCKET', '/nowhere/else');
  await drop(client);
  expect((await client.call('ping')).pid).toBe(2);
  expect((await connected()).socketPath).toBe(socketPath);
});

test('the next call after a failed attempt tries again', async () => {
  const { client: connected, drop, close } = await place();
  const client = await connected();
  await drop(client);
  close();
  await expect(client.call('ping')).rejects.toMatchObject({ code: 'daemon_unreachable' });
  await expect(client.reach()).rejects.toMatchObject({ code: 'daemon_unreachable' });
});

test('a closed client stays closed', async () => {
  const { client: connected, asked } = await place();
  const client = await connected();
  await client.close();
  expect(client.isClosed).toBe(true);
  await expect(client.call('list')).rejects.toMatchObject({ code: 'connection_lost' });
  await expect(client.reach()).rejects.toThrow('The client was closed.');
  expect(asked).toEqual(['ping']);
});

test('a client closed while it reconnects has no connection left', async () => {
  const { client: connected, drop } = await place();
  const client = await connected();
  await drop(client);
  const reaching = client.reach();
  await client.close();
  await reaching;
  await expect(client.call('list')).rejects.toMatchObject({ code: 'connection_lost' });
});

test('an error of a daemon of another version names both, in every kind of call', async () => {
  const { client: connected, socketPath } = await place();
  const details: unknown = expect.objectContaining({
    hint: expect.stringContaining('The daemon is t4a 0.0.1') as string,
  });
  const expected = { code: 'unknown_cmd', details };
  await expect((await connected()).call('stats')).rejects.toMatchObject(expected);
  const { client, result } = await connectAndCall({ socketPath, autoStart: false }, 'stats');
  onTestFinished(() => client.close());
  await expect(result).rejects.toMatchObject(expected);
});

test('events have a connection of their own', async () => {
  const { client: connected, asked } = await place();
  const client = await connected();
  const stream = client.events({ types: ['bell'] });
  await stream.subscribed;
  expect(asked).toEqual(['ping', 'events']);
  stream.close();
  expect((await client.call('ping')).pid).toBe(1);
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(client.events({}, { signal }).subscribed).rejects.toThrow('enough');
});

test('a terminal is gone with its daemon, and does not mean one of the next', async () => {
  const { client: connected, drop, asked } = await place();
  const client = await connected();
  const terminal = new Terminal(client, { id: 't1', pid: 7 });
  await terminal.kill();
  await drop(client);
  await expect(terminal.kill()).rejects.toMatchObject({
    code: 'terminal_not_found',
    message: 'Terminal "t1" is gone with its daemon (pid 1).',
  });
  await terminal.close();
  expect(asked.filter((cmd) => cmd === 'kill')).toHaveLength(1);
  expect(client.daemon.pid).toBe(2);
});
