/** One connection for everything: streams of two terminals, waits beside them, and their end by `cancel`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';

let daemon: TestDaemon;
let connection: RawConnection;
beforeAll(async () => {
  daemon = await startDaemon();
  connection = new RawConnection(daemon.socketPath);
  for (const name of ['a', 'b']) await request(daemon, { cmd: 'create', name, cmd_args: ['cat'] });
});
afterAll(async () => {
  connection.close();
  await daemon.stop();
});

test('two streams, a wait and input share a connection', async () => {
  for (const terminal of ['a', 'b']) {
    const { header } = await connection.request({
      cmd: 'events',
      shared: true,
      terminal,
      types: ['bell'],
      req: terminal,
    });
    expect(header).toMatchObject({ ok: true, req: terminal });
    expect(header['seq']).toBeTypeOf('number');
  }
  connection.write('{"cmd":"wait","id":"a","until":{"text":"never"},"timeout_ms":60000,"req":1}\n');
  connection.write('{"cmd":"send","id":"b","input":"\\u0007\\r"}\n');
  const seen = [(await connection.reply()).header, (await connection.reply()).header];
  expect(seen.find(({ ok }) => ok === true)).toEqual({ ok: true });
  expect(seen.find(({ event }) => event === 'bell')).toMatchObject({ req: 'b', terminal: 'b' });

  connection.write('{"cmd":"cancel","of":1}\n{"cmd":"cancel","of":"b"}\n');
  const ends = [];
  for (let i = 0; i < 3; i++) ends.push((await connection.reply()).header);
  expect(ends.find(({ req }) => req === 1)).toMatchObject({ ok: false, code: 'cancelled' });
  expect(ends.filter(({ cancelled }) => cancelled === true)).toHaveLength(2);

  // The stream of "b" has ended, that of "a" has not.
  connection.write('{"cmd":"send","id":"b","input":"\\u0007\\r","wait":{"until":{"settled_ms":50}}}\n');
  expect((await connection.reply()).header).toMatchObject({ ok: true });
  connection.write('{"cmd":"send","id":"a","input":"\\u0007\\r","wait":{"until":{"event":"bell"}}}\n');
  const last = [(await connection.reply()).header, (await connection.reply()).header];
  expect(last.find(({ event }) => event === 'bell')).toMatchObject({ req: 'a', terminal: 'a' });
});

test('a shared stream needs a req', async () => {
  const { header } = await connection.request({ cmd: 'events', shared: true });
  expect(header).toMatchObject({ ok: false, code: 'invalid_field', field: 'shared' });
});
