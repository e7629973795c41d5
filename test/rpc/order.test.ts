import { describe, expect, test } from 'vitest';
import { T4aError } from '../../src/protocol/errors.js';
import { MAX_REQUESTS_IN_FLIGHT } from '../../src/protocol/limits.js';
import type { RawConnection } from '../support/raw.js';
import { gate, serve } from '../support/serve.js';
import { textReply } from '../support/test-handlers.js';

function requestLine(fields: object): string {
  return `${JSON.stringify(fields)}\n`;
}

async function headers(connection: RawConnection, count: number): Promise<Record<string, unknown>[]> {
  const replies: Record<string, unknown>[] = [];
  while (replies.length < count) replies.push((await connection.reply()).header);
  return replies;
}

describe('requests without req', () => {
  test('see the effects of earlier ones', async () => {
    const written: string[] = [];
    const { connect } = await serve({
      async send({ input }) {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        written.push(input ?? '');
        return { reply: {} };
      },
      text: () => textReply([...written]),
    });
    const connection = connect();
    connection.write(requestLine({ cmd: 'send', id: 't1', input: 'a' }) + requestLine({ cmd: 'text', id: 't1' }));
    connection.write(requestLine({ cmd: 'send', id: 't1', input: 'b' }) + requestLine({ cmd: 'text', id: 't1' }));
    const replies = await headers(connection, 4);
    expect(replies.map(({ lines }) => lines)).toEqual([undefined, ['a'], undefined, ['a', 'b']]);
  });

  test('are answered in order, refusals too', async () => {
    const { connect } = await serve();
    const connection = connect();
    connection.write('{"cmd":"list"}\nno json\n{"cmd":"lisst"}\n[]\n{"cmd":"ping","x":1}\n{}\n{"cmd":"list"}\n');
    const replies = await headers(connection, 7);
    expect(replies.map(({ ok, code }) => (ok === true ? 'ok' : code))).toEqual([
      'ok',
      'bad_json',
      'unknown_cmd',
      'bad_request',
      'unknown_field',
      'missing_cmd',
      'ok',
    ]);
  });

  test('can be pipelined in any number, and none is refused', async () => {
    const order: number[] = [];
    const { connect } = await serve({
      async resize({ cols, rows }) {
        await Promise.resolve();
        order.push(rows);
        return { reply: { cols, rows, rev: order.length } };
      },
    });
    const connection = connect();
    const count = 900;
    const ids = Array.from({ length: count }, (_, i) => i + 1);
    connection.write(ids.map((rows) => requestLine({ cmd: 'resize', id: 't1', cols: 80, rows })).join(''));
    const replies = await headers(connection, count);
    expect(replies.map(({ rows }) => rows)).toEqual(ids);
    expect(order).toEqual(ids);
  });
});

describe('requests with req', () => {
  test('overtake slower ones, and echo their req', async () => {
    const slow = gate();
    const { connect } = await serve({ send: () => slow.promise.then(() => ({ reply: {} })) });
    const connection = connect();
    connection.write(requestLine({ cmd: 'send', id: 't1', input: 'x', req: 'slow' }));
    const { header } = await connection.request({ cmd: 'list', req: 2 });
    expect(header).toEqual({ ok: true, req: 2, terminals: [] });
    slow.open();
    expect((await connection.reply()).header).toEqual({ ok: true, req: 'slow' });
  });

  test('overtake one without req, which still keeps its place among its own', async () => {
    const slow = gate();
    const { connect } = await serve({ send: () => slow.promise.then(() => ({ reply: {} })) });
    const connection = connect();
    connection.write(requestLine({ cmd: 'send', id: 't1', input: 'x' }) + requestLine({ cmd: 'ping' }));
    expect((await connection.request({ cmd: 'list', req: 1 })).header['req']).toBe(1);
    slow.open();
    const [first, second] = await headers(connection, 2);
    expect(first).toEqual({ ok: true });
    expect(second).toHaveProperty('version');
  });

  test('are refused with too_many_requests and their req if too many are unanswered', async () => {
    const slow = gate();
    const { connect } = await serve({ send: () => slow.promise.then(() => ({ reply: {} })) });
    const connection = connect();
    for (let req = 0; req < MAX_REQUESTS_IN_FLIGHT; req++) {
      connection.write(requestLine({ cmd: 'send', id: 't1', input: 'x', req }));
    }
    const { header } = await connection.request({ cmd: 'list', req: 'one too many' });
    expect(header).toMatchObject({ ok: false, code: 'too_many_requests', req: 'one too many' });
    slow.open();
    const replies = await headers(connection, MAX_REQUESTS_IN_FLIGHT);
    expect(new Set(replies.map(({ ok, req }) => `${String(ok)} ${String(req)}`)).size).toBe(MAX_REQUESTS_IN_FLIGHT);
    expect((await connection.request({ cmd: 'list', req: 'again' })).header['ok']).toBe(true);
  });

  test('are echoed beside an error, and ok stands first in the line, then req', async () => {
    const { connect } = await serve();
    const connection = connect();
    connection.write('{"req":7,"cmd":"text","id":"nope"}\n');
    expect((await connection.line()).toString()).toBe(
      '{"ok":false,"req":7,"error":"No terminal \\"nope\\".","code":"terminal_not_found","hint":"t4a list"}\n',
    );
    connection.write('{"req":8,"cmd":"nope"}\n');
    expect((await connection.reply()).header).toMatchObject({ ok: false, req: 8, code: 'unknown_cmd' });
  });
});

test('a pending request of one connection does not block another connection', async () => {
  const slow = gate();
  const { connect } = await serve({ send: () => slow.promise.then(() => ({ reply: {} })) });
  const blocked = connect();
  blocked.write(requestLine({ cmd: 'send', id: 't1', input: 'x' }));
  expect((await connect().request({ cmd: 'list' })).header['ok']).toBe(true);
  slow.open();
  expect((await blocked.reply()).header['ok']).toBe(true);
});

describe('a handler that is loaded with its first request', () => {
  test('begins before what its connection has asked after it, with req too', async () => {
    const begun: string[] = [];
    const loaded = gate();
    let loads = 0;
    const load = (): Promise<void> | undefined => (loads++ === 0 ? loaded.promise : undefined);
    const { connect } = await serve({
      untrigger: Object.assign(
        () => {
          begun.push('untrigger');
          return {};
        },
        { load },
      ),
      list: () => {
        begun.push('list');
        return { terminals: [] };
      },
    });
    const connection = connect();
    const other = connect();
    connection.write(requestLine({ cmd: 'untrigger', trigger: 1, req: 1 }) + requestLine({ cmd: 'list', req: 2 }));
    other.write(requestLine({ cmd: 'list' }));
    await headers(other, 1);
    expect(begun).toEqual(['list']);
    loaded.open();
    await headers(connection, 2);
    expect(begun).toEqual(['list', 'untrigger', 'list']);
    connection.write(requestLine({ cmd: 'untrigger', trigger: 1, req: 3 }));
    expect(await headers(connection, 1)).toMatchObject([{ ok: true, req: 3 }]);
  });

  test('that does not load answers with its own error, and the next request begins', async () => {
    const { connect } = await serve({
      untrigger: Object.assign(
        () => {
          throw new T4aError('internal', 'It is not there.');
        },
        { load: () => Promise.reject(new Error('gone')) },
      ),
    });
    const connection = connect();
    connection.write(requestLine({ cmd: 'untrigger', trigger: 1 }) + requestLine({ cmd: 'list' }));
    expect(await headers(connection, 2)).toMatchObject([{ ok: false, code: 'internal' }, { ok: true }]);
  });
});
