import { existsSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Log } from '../../src/base/log.js';
import { DEFAULT_CONFIG } from '../../src/protocol/commands/config.js';
import { RpcServer } from '../../src/rpc/server.js';
import { RawConnection, rawRequest } from '../support/raw.js';
import { gate } from '../support/serve.js';
import { tempDir, type TempDir } from '../support/temp-dir.js';
import { testHandlers } from '../support/test-handlers.js';

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function makeServer(options: Partial<ConstructorParameters<typeof RpcServer>[0]> = {}) {
  const said: string[] = [];
  const log = new Log((line) => said.push(line), 'warn');
  const server = new RpcServer({ handlers: testHandlers(), log, closeGraceMs: 500, ...options });
  onTestFinished(() => server.close());
  const untilSaid = async (text: string): Promise<void> => {
    while (!said.join('').includes(text)) await turn();
  };
  return { server, said, untilSaid };
}

function connect({ socketPath }: TempDir): RawConnection {
  const connection = new RawConnection(socketPath);
  onTestFinished(() => connection.close());
  return connection;
}

describe('a socket that was deleted', () => {
  /** Only the server's look at its socket: everything else goes on as ever. */
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  const look = (): void => void vi.advanceTimersByTime(1000);

  test('is not created again by a server that closes', async () => {
    const { socketPath } = tempDir();
    const { server, untilSaid } = makeServer();
    await server.listen(socketPath);
    rmSync(socketPath);
    look();
    const closed = server.close();
    await untilSaid('it is there again');
    await closed;
    expect(existsSync(socketPath)).toBe(false);
    expect(await makeServer().server.listen(socketPath)).toBe('listening');
  });

  test('is not looked for by a closed server', async () => {
    const { socketPath } = tempDir();
    const { server, said } = makeServer();
    await server.listen(socketPath);
    await server.close();
    expect(vi.getTimerCount()).toBe(0);
    look();
    expect(said).toEqual([]);
  });

  test('is the existing one while it is in its place', async () => {
    const { socketPath } = tempDir();
    const { server, said } = makeServer();
    await server.listen(socketPath);
    const { ino } = lstatSync(socketPath);
    look();
    await rawRequest(socketPath, { cmd: 'ping' });
    expect(lstatSync(socketPath).ino).toBe(ino);
    expect(said).toEqual([]);
  });

  test('is created later if it cannot be created now', async () => {
    const { path, socketPath } = tempDir();
    const { server, untilSaid } = makeServer();
    await server.listen(socketPath);
    const away = `${path}-away`;
    renameSync(path, away);
    onTestFinished(() => rmSync(away, { recursive: true, force: true, maxRetries: 5 }));
    look();
    await untilSaid('and there is no other');
    renameSync(away, path);
    rmSync(socketPath);
    look();
    await untilSaid('it is there again');
    expect((await rawRequest(socketPath, { cmd: 'ping' })).header).toMatchObject({ ok: true });
    await server.close();
    expect(existsSync(socketPath)).toBe(false);
  });

  test('is left to another program that has taken its place', async () => {
    const { socketPath } = tempDir();
    const { server, said } = makeServer();
    await server.listen(socketPath);
    rmSync(socketPath);
    const other = createServer((socket) => socket.on('error', () => {}).destroy()).listen(socketPath);
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { ino } = lstatSync(socketPath);
    look();
    const [asked] = (await once(other, 'connection')) as [object];
    expect(asked).toBeDefined();
    await server.close();
    expect(lstatSync(socketPath).ino).toBe(ino);
    expect(said).toEqual([]);
  });
});

describe('the counts of a server', () => {
  const NONE = { open: 0, refused: 0, requests: 0, in_flight: 0, waiting: 0, unread_bytes: 0 };

  test('are those of begun requests, of waiting ones, and of all', async () => {
    const dir = tempDir();
    const held = gate();
    const handlers = testHandlers({ list: () => held.promise.then(() => ({ terminals: [] })) });
    const { server } = makeServer({ handlers });
    expect(server.counts()).toEqual(NONE);
    await server.listen(dir.socketPath);
    const [one, other] = [connect(dir), connect(dir)];
    await other.request({ cmd: 'ping' });
    const requests = [{}, {}, {}, { req: 1 }, { req: 2 }].map((fields) => JSON.stringify({ cmd: 'list', ...fields }));
    one.write(`${requests.join('\n')}\n`);
    while (server.counts().requests < 6) await turn();
    expect(server.counts()).toEqual({ ...NONE, open: 2, requests: 6, in_flight: 3, waiting: 2 });
    held.open();
    for (const _ of requests) await one.reply();
    expect(server.counts()).toMatchObject({ open: 2, requests: 6, in_flight: 0, waiting: 0 });
    one.close();
    other.close();
    while (server.connectionCount > 0) await turn();
    expect(server.counts()).toEqual({ ...NONE, requests: 6 });
  });

  test('include connections refused at the limit', async () => {
    const dir = tempDir();
    const { server } = makeServer({ limits: () => ({ ...DEFAULT_CONFIG, max_connections: 2 }) });
    await server.listen(dir.socketPath);
    const open = [connect(dir), connect(dir)];
    for (const connection of open) await connection.request({ cmd: 'ping' });
    const refused = connect(dir);
    expect((await refused.reply()).header).toMatchObject({ ok: false, code: 'too_many_connections' });
    expect(await refused.rest()).toHaveLength(0);
    expect(server.counts()).toMatchObject({ refused: 1 });
    refused.close();
    open[0]?.close();
    while (server.connectionCount > 1) await turn();
    expect((await connect(dir).request({ cmd: 'ping' })).header).toMatchObject({ ok: true });
    expect(server.counts()).toMatchObject({ refused: 1, open: 2 });
  });
});

describe('listening', () => {
  test('is refused while another server has the lock, and leaves the place unchanged', async () => {
    const { socketPath } = tempDir();
    const first = makeServer().server;
    expect(await first.listen(socketPath)).toBe('listening');
    expect(first.predecessorPid).toBeUndefined();
    const second = makeServer().server;
    expect(await second.listen(socketPath)).toBe('taken');
    await second.close();
    expect((await rawRequest(socketPath, { cmd: 'ping' })).header).toMatchObject({ ok: true });
  });
});
