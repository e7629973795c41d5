/** What a connection makes the process hold is its own: beyond the bound of all it ends, and no other pays. */
import { expect, test } from 'vitest';
import type { Handlers } from '../../src/rpc/service.js';
import { Held } from '../../src/rpc/held.js';
import { gate, serve } from '../support/serve.js';

const KIB = 1024;
const mostHeldBytes = (): number => 256 * KIB;

/** One that holds less, and is to be answered at the end. */
const UNFINISHED = '{"cmd":"ping" ';

test.each([
  ['a line without an end', () => [' '.repeat(400 * KIB)]],
  ['lines without an end behind whole ones', () => ['{"cmd":"ping"}\n', ' '.repeat(400 * KIB)]],
  [
    'requests that wait for one before',
    () => ['{"cmd":"list"}\n', ...Array.from({ length: 40 }, () => `{"cmd":"ping"${' '.repeat(10 * KIB)}}\n`)],
  ],
  [
    'requests with req that are not answered',
    () => Array.from({ length: 40 }, (_, req) => `{"cmd":"list","req":${req}${' '.repeat(10 * KIB)}}\n`),
  ],
])('%s: the connection that has sent most ends with a reason, and another goes on', async (_, sent) => {
  const { open, promise } = gate();
  const { connect, log } = await serve({ list: () => promise.then(() => ({ terminals: [] })) }, { mostHeldBytes });
  const small = connect();
  small.write(UNFINISHED);
  const large = connect();
  large.socket.on('error', () => {});
  for (const each of sent()) large.write(each);
  const rest = (await large.rest()).toString();
  expect(rest).toContain('"code":"memory_low"');
  expect(log.join()).toContain('is cut off');
  open();
  small.write('}\n');
  expect((await small.reply()).header).toMatchObject({ ok: true });
});

test('replies that are not read end the connection that has most of them, and one large reply ends none', async () => {
  const { connect, server } = await serve(
    {
      screenshot: () => ({ reply: { rev: 1 }, bytes: [new Uint8Array(8 * KIB * KIB)] }),
      list: () => ({ terminals: [] }),
    },
    { mostHeldBytes: () => 4 * KIB * KIB },
  );
  const first = connect();
  first.socket.pause();
  first.write('{"cmd":"screenshot","id":"t1"}\n');
  const asks = connect();
  const unread = async (): Promise<number> => {
    await asks.request({ cmd: 'ping' });
    return server.counts().unread_bytes;
  };
  await expect.poll(unread).toBeGreaterThan(7 * KIB * KIB);
  const second = connect();
  second.socket.pause();
  second.write('{"cmd":"screenshot","id":"t1"}\n{"cmd":"screenshot","id":"t1"}\n');
  await expect.poll(() => server.connectionCount).toBe(2);
  expect(server.counts().unread_bytes).toBeLessThan(9 * KIB * KIB);
});

test('replies that are being made count to their connection: that of the most ends, and its call with it', async () => {
  const { open, promise } = gate();
  const broken: unknown[] = [];
  const list: Handlers['list'] = async ({ owner }, call) => {
    call.made?.(Number(owner) * KIB);
    call.signal.addEventListener('abort', () => broken.push([owner, call.signal.reason.code]));
    await promise;
    call.signal.throwIfAborted();
    return { terminals: [] };
  };
  const { connect, log } = await serve({ list }, { mostHeldBytes });
  const [most, less] = [connect(), connect()];
  most.write('{"cmd":"list","owner":"900"}\n');
  less.write('{"cmd":"list","owner":"300"}\n');
  expect((await most.rest()).toString()).toContain('"code":"memory_low"');
  expect(broken).toEqual([['900', 'memory_low']]);
  expect(log.join()).toContain('is cut off');
  open();
  expect((await less.reply()).header).toMatchObject({ ok: true });
  // What was answered is held no more.
  const others = [less, connect()];
  for (let n = 0; n < 5; n++) {
    for (const one of others) {
      one.write('{"cmd":"list","owner":"200"}\n');
      expect((await one.reply()).header).toMatchObject({ ok: true });
    }
  }
});

test('what all have sent has a bound of its own where there is much memory', () => {
  const cut: string[] = [];
  const one = (name: string, mebibytes: number) => ({
    sentBytes: mebibytes * KIB * KIB,
    replyBytes: mebibytes * KIB * KIB,
    cutOff: () => void cut.push(name),
  });
  const held = new Held(() => 1024 * KIB * KIB);
  for (const each of [one('small', 100), one('large', 140)]) held.note(each);
  expect(cut).toEqual([]);
  held.note(one('last', 17));
  expect(cut).toEqual(['large']);
});

test('what a connection held is free once it has gone', async () => {
  const { connect, server } = await serve({}, { mostHeldBytes });
  for (let n = 0; n < 5; n++) {
    const one = connect();
    one.write(' '.repeat(200 * KIB));
    await one.request({ cmd: 'ping' });
    one.write(' '.repeat(200 * KIB));
    one.close();
    await expect.poll(() => server.connectionCount).toBe(0);
  }
  const last = connect();
  last.write(`{"cmd":"ping"${' '.repeat(200 * KIB)}}\n`);
  expect((await last.reply()).header).toMatchObject({ ok: true });
});
