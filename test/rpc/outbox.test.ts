import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Outbox } from '../../src/rpc/outbox.js';
import { tempDir } from '../support/temp-dir.js';

const MAX_BYTES = 1000;
const toEnd: (() => void)[] = [];

afterEach(() => {
  for (const end of toEnd.splice(0)) end();
});

/** The serving end of a connection whose other end reads nothing. */
async function unreadSocket(): Promise<Socket> {
  const server = net.createServer({ pauseOnConnect: true }).listen(tempDir().socketPath);
  await once(server, 'listening');
  const client = net.connect(server.address() as string).pause();
  const [socket] = (await once(server, 'connection')) as [Socket];
  toEnd.push(
    () => client.destroy(),
    () => socket.destroy(),
    () => void server.close(),
  );
  return socket;
}

test('an unread outbox is behind, and that of a disconnected client is not', async () => {
  const socket = await unreadSocket();
  const outbox = new Outbox(socket, MAX_BYTES, () => {});
  expect(outbox.congested).toBe(false);
  outbox.send(new Uint8Array(4 << 20));
  expect(outbox.congested).toBe(true);
  socket.destroy();
  expect(outbox.congested).toBe(false);
});

test('an outbox with exactly the bound is not behind', async () => {
  const outbox = new Outbox(await unreadSocket(), MAX_BYTES, () => {});
  outbox.send(new Uint8Array(MAX_BYTES - 1), [new Uint8Array(1)]);
  expect([outbox.unreadBytes, outbox.congested]).toEqual([MAX_BYTES, false]);
  outbox.send(new Uint8Array(1));
  expect([outbox.unreadBytes, outbox.congested]).toEqual([MAX_BYTES + 1, true]);
});

test('a stream is pulled until it is empty, and again when it has something', async () => {
  const socket = await unreadSocket();
  const outbox = new Outbox(socket, MAX_BYTES, () => {});
  const lines = [{ n: 1 }, { n: 2 }];
  const seen = { listeners: 0, disposed: 0 };
  let wake: (() => void) | undefined;
  expect(outbox.streams.size).toBe(0);
  outbox.stream(
    {
      next: () => lines.shift(),
      onReadable: (listener) => {
        wake = listener;
        seen.listeners++;
        return { dispose: () => void seen.listeners-- };
      },
      dispose: () => void seen.disposed++,
    },
    undefined,
  );
  expect([outbox.streams.size, lines, outbox.unreadBytes]).toEqual([1, [], '{"n":1}\n{"n":2}\n'.length]);
  lines.push({ n: 3 });
  wake?.();
  expect(lines).toEqual([]);
  outbox.streams.endAll();
  expect([outbox.streams.size, seen]).toEqual([0, { listeners: 0, disposed: 1 }]);
  outbox.streams.endAll();
  expect(seen.disposed).toBe(1);
});

test('a disconnected client is sent nothing, and ended once', async () => {
  const socket = await unreadSocket();
  const outbox = new Outbox(socket, MAX_BYTES, () => {});
  outbox.end();
  outbox.end();
  outbox.send(new Uint8Array(10));
  outbox.probe();
  expect(outbox.unreadBytes).toBe(0);
});
