import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DaemonConnection } from '../../src/client/connection.js';
import { connect, type Client } from '../../src/client/client.js';
import { openSocket } from '../../src/client/open-socket.js';
import { T4aError } from '../../src/protocol/errors.js';
import { gate, serve, type Served } from '../support/serve.js';
import { tempDir } from '../support/temp-dir.js';
import { testHandlers, textReply } from '../support/test-handlers.js';

const answers = testHandlers();

async function clientOf({ socketPath }: Served): Promise<Client> {
  const client = await connect({ socketPath, autoStart: false });
  onTestFinished(() => client.close());
  return client;
}

/** A client of a program that answers what the test says, or nothing. */
async function clientOfProgram(onConnection: (socket: Socket) => void): Promise<DaemonConnection> {
  const { socketPath } = tempDir();
  const program = createServer(onConnection);
  program.listen(socketPath);
  await once(program, 'listening');
  onTestFinished(() => void program.close());
  const socket = await openSocket(socketPath);
  if (socket === 'absent') throw new Error('the program does not listen');
  const client = new DaemonConnection(socket, socketPath);
  onTestFinished(() => client.close());
  return client;
}

describe('a call', () => {
  test('resolves with the fields of its reply, without the envelope', async () => {
    const client = await clientOf(await serve({ text: ({ id }) => textReply([id]) }));
    expect(await client.call('text', { id: 't9' })).toEqual(textReply(['t9']).reply);
    expect(await client.call('list')).toEqual({ terminals: [] });
  });

  test('resolves with the raw bytes if there are some, and without them otherwise', async () => {
    const picture = new Uint8Array(100_000).fill(7);
    const client = await clientOf(
      await serve({
        screenshot: ({ if_rev }) =>
          if_rev === 1 ? { reply: { unchanged: true, rev: 1 } } : { reply: { rev: 1 }, bytes: [picture] },
      }),
    );
    const drawn = await client.call('screenshot', { id: 't1' });
    expect(drawn).toMatchObject({ len: 100_000, rev: 1 });
    expect(Buffer.compare(drawn.bytes ?? new Uint8Array(), picture)).toBe(0);
    expect(await client.call('screenshot', { id: 't1', if_rev: 1 })).toEqual({ unchanged: true, rev: 1, len: 0 });
  });

  test("rejects with the daemon's error: its code, sentence and hint", async () => {
    const client = await clientOf(await serve());
    const error: unknown = await client.call('text', { id: 'nope' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(T4aError);
    expect(error).toMatchObject({
      code: 'terminal_not_found',
      message: 'No terminal "nope".',
      details: { hint: 't4a list' },
    });
    expect(await client.call('list')).toEqual({ terminals: [] });
  });

  test('can be made while hundreds of others are under way, and each gets its own reply', async () => {
    const open = gate();
    const client = await clientOf(
      await serve({
        async text({ id }) {
          if (Number(id) % 2 === 0) await open.promise;
          return textReply([id]);
        },
      }),
    );
    const calls = Array.from({ length: 200 }, (_, i) => client.call('text', { id: String(i) }));
    expect((await calls[199])?.lines).toEqual(['199']);
    open.open();
    expect((await Promise.all(calls)).map(({ lines }) => lines[0])).toEqual(calls.map((_, i) => String(i)));
  });

  test('whose signal is aborted is aborted in the daemon, too, and not in one that cannot', async () => {
    for (const features of [['cancel'], []]) {
      const asked = gate();
      const aborted = gate();
      const client = await clientOf(
        await serve({
          ping: async (params, call) => ({ ...(await answers.ping(params, call)), features }),
          async wait(_params, { signal }) {
            signal.addEventListener('abort', () => aborted.open());
            asked.open();
            await aborted.promise;
            throw signal.reason;
          },
          cancel: ({ of }, call) => ({ cancelled: call.cancel(of) }),
        }),
      );
      const controller = new AbortController();
      const call = client.call('wait', { id: 't1', until: { exit: true } }, { signal: controller.signal });
      await asked.promise;
      controller.abort(new Error('enough'));
      await expect(call).rejects.toThrow('enough');
      if (features.length > 0) await aborted.promise;
      else expect(await client.call('cancel', { of: 999 })).toEqual({ cancelled: false });
      aborted.open();
    }
  });

  test('is given up when its signal is aborted, and the connection stays usable', async () => {
    const asked = gate();
    const answer = gate();
    const client = await clientOf(
      await serve({
        async screenshot() {
          asked.open();
          await answer.promise;
          return { reply: { rev: 1 }, bytes: [new Uint8Array(50_000)] };
        },
      }),
    );
    const controller = new AbortController();
    const call = client.call('screenshot', { id: 't1' }, { signal: controller.signal });
    await asked.promise;
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    answer.open();
    expect((await client.call('resize', { id: 't1', cols: 3, rows: 4 })).cols).toBe(3);
    await expect(client.call('list', {}, { signal: controller.signal })).rejects.toThrow('enough');
  });

  test('beyond the line limit is refused before it is sent', async () => {
    const client = await clientOf(await serve());
    const call = client.call('send', { id: 't1', input: 'x'.repeat(11 * 1024 * 1024) });
    await expect(call).rejects.toMatchObject({ code: 'line_too_long' });
    expect(await client.call('list')).toEqual({ terminals: [] });
  });

  test('keeps unknown fields of a newer daemon', async () => {
    const client = await clientOf(await serve({ list: () => ({ terminals: [], colour: 'blue' }) as never }));
    expect(await client.call('list')).toEqual({ terminals: [], colour: 'blue' });
  });
});

describe('a value that JSON cannot carry, or nested too deep', () => {
  const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  const cycle: unknown[] = [];
  cycle.push(cycle);

  test.each([
    ['nesting', nested(100_000), 'it is nested too deep'],
    ['a cycle', cycle, 'Converting circular structure to JSON'],
    ['a bigint', 1n, 'Do not know how to serialize a BigInt'],
  ])('is refused with the command: %s', async (_, field, reason) => {
    const client = await clientOf(await serve());
    await expect(client.call('text', { id: field as string })).rejects.toMatchObject({
      code: 'invalid_field',
      message: `A field of "text" cannot be sent: ${reason}.`,
    });
    expect(await client.call('list')).toEqual({ terminals: [] });
  });

  test('fails only the call that the daemon refuses', async () => {
    const client = await clientOf(await serve());
    await expect(client.call('text', { id: nested(1000) as string })).rejects.toMatchObject({ code: 'bad_request' });
    expect(await client.call('list')).toEqual({ terminals: [] });
  });

  test('fails the calls under way if it is in a reply', async () => {
    const list = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const client = await clientOfProgram((socket) => void socket.write(`{"ok":false,"req":1,"error":${list}}\n`));
    await expect(client.call('list')).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringMatching(/^The daemon refused: \{"ok":false,"req":1,"error":\[+…$/) as string,
    });
  });
});

describe('a daemon that ends', () => {
  test('during calls fails each of them with connection_lost, and every later one', async () => {
    const client = await clientOfProgram((socket) => {
      socket.once('data', () => socket.end('{"ok":true,"req":1,"len":100}\nonly this much'));
    });
    const calls = [client.call('screenshot', { id: 't1' }), client.call('list')];
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'connection_lost' } });
    }
    await expect(client.call('ping')).rejects.toMatchObject({ code: 'connection_lost' });
  });

  test('or that is no t4a daemon fails the calls with its output', async () => {
    const client = await clientOfProgram((socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n'));
    await expect(client.call('list')).rejects.toMatchObject({
      code: 'daemon_unreachable',
      message: expect.stringContaining('SSH-2.0') as string,
    });
  });
});

test('closing a client fails its calls under way, and resolves when its connection is closed', async () => {
  const asked = gate();
  const served = await serve({
    send() {
      asked.open();
      return new Promise(() => {});
    },
  });
  const client = await connect({ socketPath: served.socketPath, autoStart: false });
  const call = client.call('send', { id: 't1', input: 'x' });
  await asked.promise;
  const closing = client[Symbol.asyncDispose]();
  await expect(call).rejects.toMatchObject({ code: 'connection_lost' });
  await closing;
  await client.close();
});
