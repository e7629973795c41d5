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

test('who does not read is behind, and who has gone is not: nobody would ever be woken to go on', async () => {
  const socket = await unreadSocket();
  const outbox = new Outbox(socket, MAX_BYTES, () => {});
  expect(outbox.congested).toBe(false);
  outbox.send(new Uint8Array(4 << 20));
  expect(outbox.congested).toBe(true);
  socket.destroy();
  expect(outbox.congested).toBe(false);
});
