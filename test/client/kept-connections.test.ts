/** A process that works for several callers keeps connections: none of them ever sees that another had it. */
import { once } from 'node:events';
import { linkSync, renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { VERSION } from '../../src/base/version.js';
import { connect, connectAndCall } from '../../src/client/client.js';
import { KeptConnections, type LentConnections } from '../../src/client/kept-connections.js';
import type { CommandName } from '../../src/protocol/registry.js';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.js';
import type { Call, CallConnection, Handlers } from '../../src/rpc/service.js';
import { replyLine } from '../support/fake-daemon.js';
import { gate, serve, type Served } from '../support/serve.js';
import { tempDir } from '../support/temp-dir.js';

type Seen = Pick<Call, 'cmd' | 'scope' | 'as'> & { readonly connection: number };

const INSTANCE = 'one';
const PONG = { version: VERSION, protocol: PROTOCOL_VERSION, pid: process.pid, socket: '', uptime_ms: 1, terminals: 0 };

/** A daemon that knows each connection by a number. */
async function daemon(more: Partial<Handlers> = {}): Promise<Served & { seen: Seen[]; connections: () => number[] }> {
  const seen: Seen[] = [];
  const numbers = new Map<CallConnection, number>();
  const noted =
    (reply: object) =>
    (_params: unknown, { cmd, scope, as, connection }: Call): never => {
      numbers.set(connection, numbers.get(connection) ?? numbers.size + 1);
      seen.push({ cmd, scope, as, connection: numbers.get(connection) ?? 0 });
      return reply as never;
    };
  const served = await serve({
    ping: noted({ ...PONG, instance: INSTANCE, features: ['scope', 'as', 'restrict'] }),
    list: noted({ terminals: [] }),
    type: noted({ reply: {} }),
    create: noted({ reply: { id: 't1' } }),
    control: noted({}),
    restrict: noted({}),
    ...more,
  });
  return { ...served, seen, connections: () => seen.filter(({ cmd }) => cmd !== 'ping').map((one) => one.connection) };
}

const PARAMS: Partial<Record<CommandName, object>> = {
  type: { id: 't1', text: 'x' },
  control: { id: 't1', action: 'take' },
  wait: { id: 't1', until: { text: 'x' } },
};

const asked = async (
  socketPath: string,
  kept: LentConnections,
  cmd: CommandName = 'list',
  more: { readonly scope?: string; readonly as?: string } = {},
): Promise<unknown> => {
  const params = PARAMS[cmd] ?? {};
  const options = { socketPath, kept, autoStart: false, scope: 's', ...more };
  const { result } = await connectAndCall(options, cmd as 'list', params as never);
  return result;
};

/** One caller after the other, each with one request. */
async function inTurns(socketPath: string, pool: KeptConnections, commands: readonly CommandName[]): Promise<void> {
  for (const cmd of commands) {
    const lent = pool.lend();
    await asked(socketPath, lent, cmd);
    lent.end(false);
  }
}

it('one connection serves callers in turn, with one handshake, and each request is that of its caller', async () => {
  const { socketPath, seen } = await daemon();
  const pool = new KeptConnections(socketPath);
  for (const more of [{ scope: 'a', as: 'anna' }, { scope: 'b' }, { scope: 'c', as: 'carl' }]) {
    const lent = pool.lend();
    await asked(socketPath, lent, 'list', more);
    lent.end(false);
  }
  expect(seen).toEqual([
    { cmd: 'ping', scope: undefined, as: undefined, connection: 1 },
    { cmd: 'list', scope: 'a', as: 'anna', connection: 1 },
    { cmd: 'list', scope: 'b', as: undefined, connection: 1 },
    { cmd: 'list', scope: 'c', as: 'carl', connection: 1 },
  ]);
});

it('callers at once have one each', async () => {
  const { socketPath, connections } = await daemon();
  const pool = new KeptConnections(socketPath);
  const callers = Array.from({ length: 6 }, () => pool.lend());
  await Promise.all(callers.map((lent) => asked(socketPath, lent)));
  for (const lent of callers) lent.end(false);
  expect(new Set(connections()).size).toBe(6);
});

describe('a connection ends with its caller', () => {
  it.each<CommandName>(['create', 'control'])('that has asked for "%s"', async (cmd) => {
    const { socketPath, connections } = await daemon();
    await inTurns(socketPath, new KeptConnections(socketPath), ['list', cmd, 'type']);
    expect(connections()).toEqual([1, 1, 2]);
  });

  it('that has restricted it', async () => {
    const { socketPath, connections } = await daemon();
    const pool = new KeptConnections(socketPath);
    await inTurns(socketPath, pool, ['list']);
    const lent = pool.lend();
    await connect({ socketPath, kept: lent, reach: 'read', autoStart: false });
    lent.end(false);
    await inTurns(socketPath, pool, ['list']);
    expect(connections()).toEqual([1, 1, 2]);
  });

  it('that waits for a reply, or has gone', async () => {
    const answer = gate();
    const { socketPath, server, connections } = await daemon({ wait: () => answer.promise.then(() => ({}) as never) });
    const pool = new KeptConnections(socketPath);
    await inTurns(socketPath, pool, ['list']);
    const lent = pool.lend();
    const lost = expect(asked(socketPath, lent, 'wait')).rejects.toMatchObject({ code: 'connection_lost' });
    await expect.poll(() => server.counts().in_flight).toBe(1);
    lent.end(false);
    await lost;
    const gone = pool.lend();
    await asked(socketPath, gone);
    gone.end(true);
    await inTurns(socketPath, pool, ['list']);
    expect(new Set(connections()).size).toBe(3);
    await expect.poll(() => server.connectionCount).toBe(1);
  });

  it('if no call has used it for a second', async () => {
    const { socketPath, server, connections } = await daemon();
    const pool = new KeptConnections(socketPath);
    await inTurns(socketPath, pool, ['list']);
    pool.look();
    await inTurns(socketPath, pool, ['list']);
    pool.look(performance.now() + 2000);
    await expect.poll(() => server.connectionCount).toBe(0);
    expect(connections()).toEqual([1, 1]);
  });
});

describe('a caller after the end of a daemon', () => {
  it('asks the one that has its place', async () => {
    const before = await daemon();
    const pool = new KeptConnections(before.socketPath);
    await inTurns(before.socketPath, pool, ['list']);
    const now = await daemon();
    renameSync(now.socketPath, before.socketPath);
    await inTurns(before.socketPath, pool, ['list', 'type']);
    expect({ before: before.connections(), now: now.connections() }).toEqual({ before: [1], now: [1, 1] });
  });

  it.each([
    ['asks another one once more', 'two', 2],
    ['asks the same one nothing twice', INSTANCE, 1],
  ])('%s, where the reply was lost', async (_what, next, times) => {
    let [instance, typed] = [INSTANCE, 0];
    const { socketPath } = tempDir();
    const { socketPath: other } = await serve();
    // Of this process, which runs.
    linkSync(`${other}.lock`, `${socketPath}.lock`);
    const server = createServer((socket) => {
      const lines = createInterface({ input: socket.on('error', () => {}) });
      lines.on('error', () => {});
      lines.on('line', (line) => {
        const { cmd, req } = JSON.parse(line) as { cmd: string; req: number };
        if (cmd === 'type') [instance, typed] = [next, typed + 1];
        if (cmd === 'type' && typed === 1) socket.destroy();
        else socket.write(replyLine(req, cmd === 'ping' ? { ...PONG, instance } : {}));
      });
    });
    await once(server.listen(socketPath), 'listening');
    onTestFinished(() => void server.close());
    const pool = new KeptConnections(socketPath);
    await inTurns(socketPath, pool, ['list']);
    const lent = pool.lend();
    const result = await asked(socketPath, lent, 'type').catch(({ code }: { code: string }) => code);
    lent.end(false);
    pool.close();
    expect({ result, typed }).toEqual({ result: times === 1 ? 'connection_lost' : {}, typed: times });
  });
});
