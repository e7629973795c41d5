import { existsSync, readFileSync, rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { Log } from '../../src/base/log.js';
import { openSocket } from '../../src/client/open-socket.js';
import { RpcServer } from '../../src/rpc/server.js';
import { serve } from '../support/serve.js';
import { testHandlers } from '../support/test-handlers.js';

test('a deleted socket is restored, and open connections stay', async () => {
  const { socketPath, connect, log } = await serve();
  const before = connect();
  await before.request({ cmd: 'ping' });
  rmSync(socketPath);
  let socket = await openSocket(socketPath);
  while (socket === 'absent') {
    // The server is in this process: it gets its turn.
    await new Promise((resolve) => setImmediate(resolve));
    socket = await openSocket(socketPath);
  }
  socket.destroy();
  expect((await connect().request({ cmd: 'ping' })).header).toMatchObject({ ok: true });
  expect((await before.request({ cmd: 'ping' })).header).toMatchObject({ ok: true });
  expect(log.join('')).toContain('it is there again');
});

test('a deleted lock is restored, with the socket or alone', async () => {
  const { socketPath, connect, server } = await serve();
  const lock = `${socketPath}.lock`;
  for (const deleted of [[lock], [lock, socketPath]]) {
    for (const path of deleted) rmSync(path);
    await until(() => existsSync(lock) && existsSync(socketPath));
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ nonce: server.instance });
  }
  expect((await connect().request({ cmd: 'ping' })).header).toMatchObject({ ok: true });
});

test('a daemon whose place another one has taken says so, leaves it, and is back after the end of that one', async () => {
  const { socketPath, connect, log, server } = await serve();
  rmSync(socketPath);
  rmSync(`${socketPath}.lock`);
  const second = new RpcServer({ handlers: testHandlers(), log: new Log(() => {}, 'warn'), closeGraceMs: 500 });
  onTestFinished(() => second.close());
  expect(await second.listen(socketPath)).toBe('listening');
  await until(() => log.some((line) => line.includes(`another daemon (pid ${process.pid}) has the socket`)));
  expect(JSON.parse(readFileSync(`${socketPath}.lock`, 'utf8'))).toMatchObject({ nonce: second.instance });
  await second.close();
  await until(() => existsSync(socketPath));
  expect(JSON.parse(readFileSync(`${socketPath}.lock`, 'utf8'))).toMatchObject({ nonce: server.instance });
  expect((await connect().request({ cmd: 'ping' })).header).toMatchObject({ ok: true });
});

/** The server is in this process: it gets its turn. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
