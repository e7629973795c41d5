/** Changes of size of a terminal with a long scrollback, which take a while: others are served within them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

async function longTerminal(): Promise<string> {
  const command =
    'seq -f "%.0f the quick brown fox jumps over the lazy dog, and so on for a while" 1 30000; printf "\\a"; cat';
  const wait = { until: { event: 'bell' }, timeout_ms: 60_000 };
  const { id } = await request(daemon, { cmd: 'create', cols: 80, rows: 24, scrollback: 30_000, command, wait });
  return id as string;
}

it('another terminal is read while the size of a long one changes, and what is read after it has the new layout', async () => {
  const id = await longTerminal();
  const { id: other } = await request(daemon, { cmd: 'create', command: 'echo there; cat' });
  const connection = new RawConnection(daemon.socketPath);
  const requests = [
    { cmd: 'resize', id, cols: 50, rows: 24, req: 1 },
    { cmd: 'text', id: other, req: 2 },
  ];
  connection.write(requests.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const replies = [];
  for (const _ of requests) replies.push((await connection.reply()).header);
  expect(replies[0]).toMatchObject({ ok: true, req: 2 });
  expect(replies[1]).toMatchObject({ ok: true, req: 1, cols: 50 });
  const { lines } = (await request(daemon, { cmd: 'text', id })) as { lines: string[] };
  expect(Math.max(...lines.map((line) => line.length))).toBe(50);
  connection.socket.destroy();
  await request(daemon, { cmd: 'kill', id });
});

it('of sizes that are asked for while a change is under way the last one holds, also if it is the first', async () => {
  const id = await longTerminal();
  const connections = [100, 80].map((cols) => {
    const connection = new RawConnection(daemon.socketPath);
    connection.write(`${JSON.stringify({ cmd: 'resize', id, cols, rows: 24 })}\n`);
    return connection;
  });
  for (const connection of connections) await connection.reply();
  expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ cols: 80, rows: 24 });
  for (const connection of connections) connection.socket.destroy();
  await request(daemon, { cmd: 'kill', id });
});
