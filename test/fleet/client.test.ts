/** Programs that ask another host. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type * as built from '../../src/client/index.js';
import type * as builtTools from '../../src/tools/index.js';
import { testFleet } from '../support/fleet.js';
import { DIST } from '../support/daemon.js';
import { CLI } from '../support/cli.js';
import { RawConnection } from '../support/raw.js';

test('the client connects to a route: calls, events, and a picture', async () => {
  const { daemon } = testFleet();
  const far = await daemon('far');
  const { connect } = (await import(`${DIST}client.js`)) as typeof built;
  await using client = await connect({ on: `unix:${far}` });
  const events = client.events({ types: ['created'] });
  await events.subscribed;
  const { id } = await client.call('create', { cmd_args: ['cat'] });
  for await (const event of events) {
    expect(event).toMatchObject({ event: 'created', terminal: id });
    break;
  }
  const { bytes } = await client.call('screenshot', { id });
  expect(Buffer.from(bytes ?? []).toString('latin1', 1, 4)).toBe('PNG');
  const raw = new RawConnection(far);
  const { header } = await raw.request({ cmd: 'ping' });
  raw.close();
  expect(client.daemon.instance).toBe(header['instance']);
});

test('a route that ends fails what is under way, and the next call opens it anew', async () => {
  const { daemon, dir, env } = testFleet();
  const far = await daemon('far');
  const { connect } = (await import(`${DIST}client.js`)) as typeof built;
  // The route writes down its process, so that the test can end it.
  const route = dir.join('bin', 'route');
  writeFileSync(
    route,
    `#!/bin/sh\necho $$ > '${dir.join('pid')}'\nexport T4A_SOCKET='${far}'\nexec '${process.execPath}' '${CLI}' stdio\n`,
  );
  chmodSync(route, 0o755);
  testHosts(dir.join('config', 't4a'), { web1: { command: [route] } });
  const before = process.env['XDG_CONFIG_HOME'];
  process.env['XDG_CONFIG_HOME'] = env['XDG_CONFIG_HOME'];
  try {
    await using client = await connect({ on: 'web1' });
    const { id } = await client.call('create', { cmd_args: ['cat'] });
    const waiting = client.call('wait', { id, until: { exit: true } });
    await client.call('list');
    process.kill(Number(readFileSync(dir.join('pid'), 'utf8')), 'SIGKILL');
    await expect(waiting).rejects.toMatchObject({ code: 'connection_lost' });
    expect((await client.call('list')).terminals).toMatchObject([{ id }]);
  } finally {
    if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
    else process.env['XDG_CONFIG_HOME'] = before;
  }
});

test('directory and environment of the process stay at home, with launch and with tools', async () => {
  const { daemon } = testFleet();
  const far = await daemon('far');
  const { connect, launch } = (await import(`${DIST}client.js`)) as typeof built;
  const { callTool } = (await import(`${DIST}tools.js`)) as typeof builtTools;
  process.env['T4A_TEST_KEY_OF_HOME'] = 'secret-of-home';
  try {
    await using client = await connect({ on: `unix:${far}` });
    const launched = await launch({ client, cmd_args: ['env'], name: 'launched', env: { SENT: '1' } });
    const input = { name: 'called', cmd_args: ['env'], env: { SENT: '1' } };
    await callTool(client, 'create', input, { profile: 'full' });
    for (const id of ['launched', 'called']) {
      await client.call('wait', { id, until: { exit: true } });
      expect((await client.call('grep', { id, pattern: 'SENT=1' })).total).toBe(1);
      expect((await client.call('grep', { id, pattern: 'secret-of-home' })).total).toBe(0);
    }
    await launched.close();
  } finally {
    delete process.env['T4A_TEST_KEY_OF_HOME'];
  }
});

function testHosts(folder: string, hosts: object): void {
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(`${folder}/hosts.json`, JSON.stringify({ hosts }), { mode: 0o600 });
}
