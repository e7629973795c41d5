/** The client that programs hold, around the death of its daemon. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, type Client, type Reconnection } from '../../src/client/client.js';

import { clientOfOwnDaemon } from '../support/launch.js';
import { gate, serve } from '../support/serve.js';

async function killDaemon(client: Client): Promise<void> {
  process.kill(client.daemon.pid, 'SIGKILL');
  // It answers nothing any more: the call that meets its end is the fence.
  await client.call('ping').catch(() => {});
}

describe('a client whose daemon is killed', () => {
  test('fails its call under way, and starts another daemon for the next', async () => {
    const client = await clientOfOwnDaemon();
    const running = client.call('run', { cmd_args: ['sleep', '60'] });
    const failure = expect(running).rejects.toMatchObject({ code: 'connection_lost' });
    const before = client.daemon.pid;
    process.kill(before, 'SIGKILL');
    await failure;
    expect((await client.call('ping')).pid).not.toBe(before);
    expect(client.daemon.pid).not.toBe(before);
  });

  test('learns of the new one before its first reply', async () => {
    const client = await clientOfOwnDaemon();
    const told: Reconnection[] = [];
    client.onReconnect((reconnection) => told.push(reconnection));
    const before = client.daemon.pid;
    await killDaemon(client);
    await client.call('list');
    expect(told.map(({ before: old, now }) => [old.pid, now.pid])).toEqual([[before, client.daemon.pid]]);
  });

  test('connects once for all calls that wait for the connection', async () => {
    const client = await clientOfOwnDaemon();
    let reconnections = 0;
    client.onReconnect(() => reconnections++);
    await killDaemon(client);
    const pids = await Promise.all(Array.from({ length: 10 }, async () => (await client.call('ping')).pid));
    expect({ daemons: new Set(pids).size, reconnections }).toEqual({ daemons: 1, reconnections: 1 });
  });

  test('can give up waiting for the next daemon while other calls continue to wait', async () => {
    const client = await clientOfOwnDaemon();
    await killDaemon(client);
    const controller = new AbortController();
    const given = client.call('ping', {}, { signal: controller.signal });
    const kept = client.call('ping');
    controller.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    expect((await kept).pid).toBe(client.daemon.pid);
  });
});

test('a client that may not start a daemon reports that none runs', async () => {
  const served = await serve();
  const client = await connect({ socketPath: served.socketPath, autoStart: false });
  onTestFinished(() => client.close());
  await served.server.close();
  await client.call('ping').catch(() => {});
  await expect(client.call('ping')).rejects.toMatchObject({ code: 'daemon_unreachable' });
});

test('a closed client stays closed, and fails its calls under way', async () => {
  const asked = gate();
  const { socketPath } = await serve({
    list: () => {
      asked.open();
      return new Promise(() => {});
    },
  });
  const client = await connect({ socketPath, autoStart: false });
  const underWay = expect(client.call('list')).rejects.toMatchObject({ code: 'connection_lost' });
  await asked.promise;
  await client.close();
  await underWay;
  await expect(client.call('ping')).rejects.toMatchObject({ code: 'connection_lost' });
});

test('a client is closed at the end of its block', async () => {
  const { socketPath } = await serve();
  let escaped: Client;
  {
    await using client = await connect({ socketPath, autoStart: false });
    escaped = client;
  }
  expect(escaped.isClosed).toBe(true);
});
