import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openSocket } from '../../src/client/open-socket.js';
import { serve } from '../support/serve.js';

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
