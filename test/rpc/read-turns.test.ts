/** Few connections that send large pieces are read in each turn of the loop, in their order. */
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { Connection } from '../../src/rpc/connection.js';
import { LARGE_PIECE_BYTES, ReadTurns } from '../../src/rpc/read-turns.js';
import type { Handlers } from '../../src/rpc/service.js';
import { tempDir } from '../support/temp-dir.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('four reads come in each turn, in the order in which they were asked for, and none that was forgotten', async () => {
  const turns = new ReadTurns();
  const read: number[] = [];
  const reads = Array.from({ length: 10 }, (_, i) => () => void read.push(i));
  for (const one of reads) turns.ask(one);
  turns.forget(reads[5] as () => void);
  expect(read).toEqual([]);
  await nextTurn();
  expect(read).toEqual([0, 1, 2, 3]);
  turns.ask(reads[0] as () => void);
  await nextTurn();
  expect(read.slice(4)).toEqual([4, 6, 7, 8]);
  await nextTurn();
  expect(read.slice(8)).toEqual([9, 0]);
});

test.each(['a', '\n'])(
  'a connection that has sent a large piece of %j is read on when its turn comes',
  async (byte) => {
    const path = `${tempDir().path}/s`;
    const waiting: (() => void)[] = [];
    const reads = { ask: (read: () => void) => void waiting.push(read), forget: () => {} } as unknown as ReadTurns;
    const accepted: Socket[] = [];
    const connections: Connection[] = [];
    const server = createServer((socket) => {
      accepted.push(socket);
      const limits = { max_line_bytes: 1 << 24, max_requests_in_flight: 8, client_buffer_bytes: 1 << 20 };
      const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
      connections.push(new Connection(socket, { handlers: {} as Handlers, log: log as never, limits, reads }));
    }).listen(path);
    await once(server, 'listening');
    const client = connect(path);
    onTestFinished(() => {
      client.destroy();
      server.close();
    });
    client.write(Buffer.alloc(4 * 1024 * 1024, byte));
    await expect.poll(() => waiting.length).toBe(1);
    const [socket] = accepted;
    // No turn has come: what is read by then are the first piece and the one that the stream keeps.
    expect(socket?.isPaused()).toBe(true);
    const before = socket?.bytesRead ?? 0;
    expect(before).toBeGreaterThanOrEqual(LARGE_PIECE_BYTES);
    expect(before).toBeLessThan(1024 * 1024);
    for (let reads = 0; (socket?.bytesRead ?? 0) < 4 * 1024 * 1024; reads++) {
      expect(reads).toBeLessThan(1024);
      const next = waiting.shift();
      next?.();
      await nextTurn();
    }
    // Neither half a line nor an empty one is a request.
    expect(connections.map(({ requests }) => requests)).toEqual([0]);
  },
);
