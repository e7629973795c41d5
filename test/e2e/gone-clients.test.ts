/** What a client that came by a door leaves behind when it goes: nothing of it is typed any more. What is one's own is typed to its end. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { rawRequest, RawConnection } from '../support/raw.js';
import { startDaemon } from '../support/daemon.js';
import { tempDir } from '../support/temp-dir.js';

const KEYS = 200;
const keys = { cmd: 'press', id: 'a', keys: Array.from({ length: KEYS }, () => 'x'), gap_ms: 20 };

async function typing() {
  const daemon = await startDaemon();
  onTestFinished(() => daemon.stop());
  const file = `${tempDir().path}/typed`;
  const script = `stty raw -echo; echo on; exec cat > ${file}`;
  const wait = { until: { text: 'on' } };
  await rawRequest(daemon.socketPath, { cmd: 'create', name: 'a', cmd_args: ['sh', '-c', script], wait });
  const typed = (): string => readFileSync(file, 'utf8');
  /** All that is typed before it is there, too. */
  const whole = async (): Promise<string> => {
    await rawRequest(daemon.socketPath, { cmd: 'send', id: 'a', input: 'END' });
    await expect.poll(typed).toContain('END');
    return typed();
  };
  return { socketPath: daemon.socketPath, typed, whole };
}

async function byDoor(socketPath: string): Promise<RawConnection> {
  const client = new RawConnection(socketPath);
  await client.request({ cmd: 'restrict', reach: 'create', person: false });
  return client;
}

const line = (request: object): string => `${JSON.stringify(request)}\n`;

test('keys with pauses between them end with the client of a door that has asked for them', async () => {
  const { socketPath, typed, whole } = await typing();
  const client = await byDoor(socketPath);
  client.write(line(keys));
  await expect.poll(typed).toContain('xx');
  client.close();
  expect(await whole()).toMatch(new RegExp(`^x{2,${KEYS - 1}}END$`));
});

test('input of a client of a door that waits for earlier input is not typed once it has gone', async () => {
  const { socketPath, typed, whole } = await typing();
  const own = new RawConnection(socketPath);
  own.write(line({ ...keys, req: 1 }));
  await expect.poll(typed).toContain('xx');
  const client = await byDoor(socketPath);
  for (let req = 0; req < 50; req++) client.write(line({ cmd: 'type', id: 'a', text: 'LATE', req }));
  await client.request({ cmd: 'ping' });
  client.close();
  expect((await own.reply()).header).toMatchObject({ ok: true, req: 1 });
  expect(await whole()).toBe(`${'x'.repeat(KEYS)}END`);
});

test('what the owner has asked for is typed to its end, also when its client has gone', async () => {
  const { socketPath, typed, whole } = await typing();
  const own = new RawConnection(socketPath);
  own.write(line(keys));
  await expect.poll(typed).toContain('xx');
  own.close();
  expect(await whole()).toBe(`${'x'.repeat(KEYS)}END`);
});

test('keys with pauses end once a file of the right of their client says otherwise, and the client hears how many were typed', async () => {
  const { socketPath, typed, whole } = await typing();
  const path = `${tempDir().path}/right`;
  writeFileSync(path, 'mine and yours');
  const client = new RawConnection(socketPath);
  const lasts = async (contains: string) =>
    (await client.request({ cmd: 'restrict', reach: 'admin', as_long_as: [{ path, contains }] })).header;
  expect(await lasts('theirs')).toMatchObject({ code: 'not_allowed' });
  expect(await lasts('yours')).toMatchObject({ ok: true, reach: 'admin' });
  client.write(line({ ...keys, req: 1 }));
  for (let req = 2; req < 20; req++) client.write(line({ cmd: 'type', id: 'a', text: 'LATE', req }));
  await expect.poll(typed).toContain('xx');
  writeFileSync(path, 'mine');
  expect(await whole()).toMatch(new RegExp(`^x{2,${KEYS - 1}}END$`));
  const count = typed().length - 'END'.length;
  const errors = new Map<unknown, unknown>();
  for (let req = 1; req < 20; req++) {
    const { header } = await client.reply();
    expect(header).toMatchObject({ code: 'not_allowed' });
    errors.set(header['req'], header['error']);
  }
  expect(errors.get(1)).toContain(`Typed before: ${count} of ${KEYS} keys.`);
  expect(errors.get(2)).not.toContain('Typed before');
  expect((await client.request({ cmd: 'list' })).header).toMatchObject({ code: 'not_allowed' });
});

test('a connection that only may read asks for no look at a file', async () => {
  const { socketPath } = await typing();
  const client = new RawConnection(socketPath);
  await client.request({ cmd: 'restrict', reach: 'use' });
  const asked = { cmd: 'restrict', reach: 'use', as_long_as: [{ path: '/etc/passwd', contains: 'root' }] };
  expect((await client.request(asked)).header).toMatchObject({ code: 'not_allowed', field: 'as_long_as' });
});

test('what a door that may do everything has asked for ends with it, too', async () => {
  const { socketPath, typed, whole } = await typing();
  const client = new RawConnection(socketPath);
  await client.request({ cmd: 'restrict', reach: 'admin', as_long_as: [] });
  client.write(line(keys));
  await expect.poll(typed).toContain('xx');
  client.close();
  expect(await whole()).toMatch(new RegExp(`^x{2,${KEYS - 1}}END$`));
});
