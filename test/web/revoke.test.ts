/** `t4a web --revoke`: keys of pages that are served end at once. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CLOSED } from '../../src/page/greeting.js';
import { LOOK } from '../../src/web/link-scope.js';
import { runCliHere } from '../support/cli-in-process.js';
import { clientOfOwnDaemon } from '../support/launch.js';
import { tempDir } from '../support/temp-dir.js';
import { enter, servedFor, serverInProcess, TestSocket, trade } from './served.js';

test('--revoke ends every key and link of running pages, closes their sockets, and leaves the server', async () => {
  const client = await clientOfOwnDaemon();
  const dir = tempDir();
  const env = { XDG_RUNTIME_DIR: dir.path };
  const none = await runCliHere(['web', '--revoke'], { env });
  expect(none).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('No running "t4a web"') });
  const first = await servedFor(['--socket', client.socketPath], env);
  const second = await servedFor(['--socket', client.socketPath], env);
  const grant = await trade(first.origin, first.code);
  const [page] = await enter(first.origin, grant);
  const stranger = new TestSocket(first.origin);
  await stranger.say({ key_id: grant.key_id, nonce: 'n1' });
  await stranger.next();

  const { status, stdout } = await runCliHere(['web', '--revoke'], { env });
  expect({ status, lines: stdout.trim().split('\n').sort() }).toEqual({
    status: 0,
    lines: [
      `${first.origin}: keys ended: 1, open sockets closed: 1`,
      `${second.origin}: keys ended: 0, open sockets closed: 0`,
    ].sort(),
  });
  await expect(page.closed()).resolves.toMatchObject({ code: CLOSED.revoked });
  await expect(stranger.closed()).resolves.toMatchObject({ code: CLOSED.revoked });
  const again = new TestSocket(first.origin);
  await again.say({ key_id: grant.key_id, nonce: 'n1' });
  await expect(again.closed()).resolves.toMatchObject({ code: CLOSED.revoked });
  // The link of the second had opened nothing yet.
  await expect(trade(second.origin, second.code)).rejects.toThrow(String(CLOSED.unauthorized));

  // One that does not answer keeps the answers of the others from nobody.
  const silent = createServer((socket) => socket.destroy()).listen(dir.join('t4a', 'web', 'silent.sock'));
  await once(silent, 'listening');
  const some = await runCliHere(['web', '--revoke'], { env });
  expect(some).toMatchObject({ status: 1, stderr: expect.stringMatching(/silent\.sock" has not answered/) });
  expect(some.stdout.trim().split('\n')).toHaveLength(2);
  await new Promise((resolve) => silent.close(resolve));

  for (const { cli } of [first, second]) {
    cli.process.kill('SIGTERM');
    expect(await cli.ended()).toMatchObject({ status: 0 });
  }
  expect(readdirSync(dir.join('t4a', 'web'))).toEqual([]);
});

test('--revoke itself closes what its keys opened, and no key and no link is left', async () => {
  // No look at the keys of open pages comes to help.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const client = await clientOfOwnDaemon();
  const { origin, keys, server } = await serverInProcess(client.socketPath);
  const grant = await trade(origin, keys.newCode());
  const codes = [keys.newCode(), keys.newCode(LOOK)];
  const [page] = await enter(origin, grant);
  expect(server.revoke()).toEqual({ keys: 1, sockets: 1 });
  await expect(page.closed()).resolves.toMatchObject({ code: CLOSED.revoked });
  // Beside the list of those that were revoked, which says why a page is shut out, there is none.
  expect(keys.key(grant.key_id)).toBeUndefined();
  expect(server.revoke()).toMatchObject({ keys: 0 });
  for (const code of codes) {
    const again = new TestSocket(origin);
    await again.say({ code });
    await expect(again.closed()).resolves.toMatchObject({ code: CLOSED.unauthorized });
  }
});

test('--revoke serves nothing, so it takes no flag of a server', async () => {
  const { status, stderr } = await runCliHere(['web', '--revoke', '--read-only'], {
    env: { XDG_RUNTIME_DIR: tempDir().path },
  });
  expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('takes no "--read-only"') });
});
