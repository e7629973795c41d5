import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Outbox } from '../../src/rpc/outbox.js';
import { Random } from '../../trials/support/random.js';
import { tempDir } from '../support/temp-dir.js';
import { seedOfRun } from '../support/trial.js';

const MAX_BYTES = 1000;
const toEnd: (() => void)[] = [];

afterEach(() => {
  for (const end of toEnd.splice(0)) end();
});

/** The serving end of a connection whose other end reads nothing. */
async function unreadSocket(): Promise<Socket> {
  return (await connected()).socket;
}

/** The other end does not read yet. */
async function connected(): Promise<{ readonly socket: Socket; readonly client: Socket }> {
  const server = net.createServer({ pauseOnConnect: true }).listen(tempDir().socketPath);
  await once(server, 'listening');
  const client = net.connect(server.address() as string).pause();
  const [socket] = (await once(server, 'connection')) as [Socket];
  toEnd.push(
    () => client.destroy(),
    () => socket.destroy(),
    () => void server.close(),
  );
  return { socket, client };
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

test.each(['end', 'close'] as const)(
  'replies of any length that are not read arrive whole and in their order, also before its %s',
  async (how) => {
    const random = new Random(seedOfRun());
    const { socket, client } = await connected();
    const outbox = new Outbox(socket, MAX_BYTES, () => {});
    const sent: Uint8Array[] = [];
    const chunks: Buffer[] = [];
    for (let i = 0; i < 3000; i++) {
      const length = random.below(random.pick([10, 500, 5000, 40_000]));
      const piece = new Uint8Array(length).fill(i % 251);
      sent.push(piece);
      outbox.send(piece);
      if (random.chance(0.1)) await new Promise(setImmediate);
      const read = random.chance(0.1) ? (client.read() as Buffer | null) : null;
      if (read !== null) chunks.push(read);
    }
    expect(outbox.congested).toBe(true);
    outbox[how]();
    for await (const chunk of client) chunks.push(chunk as Buffer);
    expect(Buffer.compare(Buffer.concat(chunks), Buffer.concat(sent))).toBe(0);
  },
);

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
