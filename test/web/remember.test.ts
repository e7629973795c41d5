/** `t4a web --remember`: a browser gets in again after the server has ended, until its owner forgets it. */
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { CLOSED, type KeyGrant } from '../../src/page/greeting.js';
import {
  forgetBrowser,
  MAX_BROWSERS,
  readBrowsers,
  REMEMBERED_MS,
  RememberedBrowsers,
} from '../../src/web/browsers.js';
import { Keys } from '../../src/web/keys.js';
import { runCliHere } from '../support/cli-in-process.js';
import { clientOfOwnDaemon } from '../support/launch.js';
import { tempDir } from '../support/temp-dir.js';
import { enter, freeAddress, servedFor, TestSocket, trade, type Message } from './served.js';

async function remembering(...flags: readonly string[]) {
  const client = await clientOfOwnDaemon();
  const env = { XDG_RUNTIME_DIR: tempDir().path, XDG_STATE_HOME: tempDir().path };
  const listen = await freeAddress();
  const words = ['--socket', client.socketPath, '--remember', '--listen', listen];
  const serve = async (...others: readonly string[]) => servedFor([...words, ...others], env);
  const first = await serve(...flags);
  const end = async ({ cli }: Awaited<ReturnType<typeof serve>>): Promise<void> => {
    cli.process.kill('SIGTERM');
    await cli.ended();
  };
  const file = `${env.XDG_STATE_HOME}/t4a/browsers.json`;
  const t4a = async (...args: string[]) => runCliHere(['web', ...args], { env });
  return { client, first, serve, end, file, t4a, listen };
}

async function remembered(origin: string, code: string, name: string): Promise<KeyGrant & Message> {
  const [page, welcome] = await enter(origin, await trade(origin, code));
  expect(welcome.remembers).toBe(true);
  await page.say({ remember: name, req: 1 });
  return page.next<KeyGrant & Message>();
}

test('a remembered browser gets in after the next start at the same address, and is listed and forgotten by name', async () => {
  const { first, serve, end, file, t4a, listen } = await remembering();
  const grant = await remembered(first.origin, first.code, 'Firefox on Linux');
  expect(grant).toMatchObject({ ok: true, req: 1, name: 'Firefox on Linux', until: expect.any(Number) });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await end(first);
  const second = await serve();
  const [page] = await enter(second.origin, grant);
  expect(await page.ask('list')).toMatchObject({ ok: true });
  const { stdout } = await t4a('--browsers');
  expect(stdout).toMatch(new RegExp(`^Firefox on Linux\t${listen}\tuntil \\d{4}-\\d\\d-\\d\\d\n$`));
  expect(await t4a('--forget', 'Firefox on Linux')).toMatchObject({ status: 0 });
  await expect(page.closed()).resolves.toMatchObject({ code: CLOSED.unauthorized });
  const again = new TestSocket(second.origin);
  await again.say({ key_id: grant.key_id, nonce: 'n1' });
  await expect(again.closed()).resolves.toMatchObject({ code: CLOSED.unauthorized });
  expect(await t4a('--browsers')).toMatchObject({ status: 0, stdout: '' });
});

test('a browser that is forgotten does not go on by the key of the link that it was remembered with', async () => {
  const { first, file } = await remembering();
  const ofLink = await trade(first.origin, first.code);
  const [page] = await enter(first.origin, ofLink);
  await page.say({ remember: 'Firefox on Linux', req: 1 });
  expect(await page.next()).toMatchObject({ ok: true, req: 1 });
  expect(await page.ask('list')).toMatchObject({ ok: true });
  // Order: at once, before the server looks by itself and closes the socket.
  forgetBrowser(file, 'Firefox on Linux');
  await page.say({ cmd: 'create', cmd_args: ['cat'], req: 2 });
  // No answer comes before the end, also none of a daemon that refuses.
  await expect(page.next()).rejects.toThrow(String(CLOSED.unauthorized));
  const again = new TestSocket(first.origin);
  await again.say({ key_id: ofLink.key_id, nonce: 'n1' });
  await expect(again.closed()).resolves.toMatchObject({ code: CLOSED.unauthorized });
});

test('a browser that asks again keeps its one place, by the key of its link and by its own, and has the new name', async () => {
  const { first, serve, end, file } = await remembering();
  const [page] = await enter(first.origin, await trade(first.origin, first.code));
  const ask = async (socket: TestSocket, name: string, req: number): Promise<KeyGrant & Message> => {
    await socket.say({ remember: name, req });
    return socket.next<KeyGrant & Message>();
  };
  const grant = await ask(page, 'one', 0);
  for (let req = 1; req < 2 * MAX_BROWSERS; req++) {
    expect(await ask(page, `one ${req}`, req)).toMatchObject({ ok: true, key_id: grant.key_id, key: grant.key, req });
  }
  expect(await page.ask('list')).toMatchObject({ ok: true });
  await end(first);
  const second = await serve();
  const [again] = await enter(second.origin, grant);
  expect(await ask(again, 'two', 0)).toMatchObject({ ok: true, key_id: grant.key_id, until: grant['until'] });
  expect(await ask(again, 'two', 1)).toMatchObject({ ok: true, name: 'two' });
  const kept = readBrowsers(file);
  expect(kept.map(({ name, key }) => ({ name, key }))).toEqual([{ name: 'two', key: grant.key }]);
});

test('a browser that was forgotten gets no new name', () => {
  const path = tempDir().join('browsers.json');
  const browsers = new RememberedBrowsers(path, 'a:1', systemClock);
  const { key_id: own } = browsers.add('one', false);
  forgetBrowser(path, 'one');
  expect(() => browsers.add('one', false, own)).toThrow('This browser is remembered no more.');
  expect(readBrowsers(path)).toEqual([]);
});

test('--forget ends the browser of that very name, and reports those like it', async () => {
  const env = { XDG_RUNTIME_DIR: tempDir().path, XDG_STATE_HOME: tempDir().path };
  const path = `${env.XDG_STATE_HOME}/t4a/browsers.json`;
  mkdirSync(dirname(path));
  const browsers = new RememberedBrowsers(path, 'a:1', systemClock);
  for (const name of ['B', 'B', 'B two', 'B', 'Bx 2']) browsers.add(name, false);
  const forget = async (name: string) => runCliHere(['web', '--forget', name], { env });
  expect(await forget('B')).toMatchObject({ status: 0, stderr: 't4a: Browsers remembered still: "B 2", "B 3".\n' });
  expect(readBrowsers(path).map(({ name }) => name)).toEqual(['B 2', 'B two', 'B 3', 'Bx 2']);
  expect(await forget('B 3')).toMatchObject({ status: 0, stderr: '' });
});

test('without --remember nothing is, and a key of another address opens nothing', async () => {
  const { client, first, end, file } = await remembering();
  const grant = await remembered(first.origin, first.code, 'one');
  await end(first);
  const env = { XDG_RUNTIME_DIR: tempDir().path, XDG_STATE_HOME: file.replace('/t4a/browsers.json', '') };
  const plain = await servedFor(['--socket', client.socketPath], env);
  const [page, welcome] = await enter(plain.origin, await trade(plain.origin, plain.code));
  expect(welcome).not.toHaveProperty('remembers');
  await page.say({ remember: 'two', req: 1 });
  expect(await page.next()).toMatchObject({ req: 1, code: 'not_allowed' });
  const elsewhere = await freeAddress();
  const other = await servedFor(['--socket', client.socketPath, '--remember', '--listen', elsewhere], env);
  for (const { origin } of [plain, other])
    await expect(enter(origin, grant)).rejects.toThrow(String(CLOSED.unauthorized));
  expect(readBrowsers(file)).toHaveLength(1);
});

test('--revoke forgets remembered browsers too, also when no page is served', async () => {
  const { first, end, t4a, file } = await remembering();
  const grant = await remembered(first.origin, first.code, 'one');
  const [page] = await enter(first.origin, grant);
  const { status, stdout } = await t4a('--revoke');
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('browsers forgotten: 1\n') });
  await expect(page.closed()).resolves.toMatchObject({ code: CLOSED.revoked });
  await expect(enter(first.origin, grant)).rejects.toThrow(/closed with 400/);
  await end(first);
  writeFileSync(file, JSON.stringify({ browsers: [{ ...entry('late'), address: 'x:1' }] }), { mode: 0o600 });
  expect(await t4a('--revoke')).toMatchObject({ status: 0, stdout: 'Remembered browsers forgotten: 1\n' });
  expect(await t4a('--revoke')).toMatchObject({ status: 1 });
});

function entry(name: string): object {
  return { name, key_id: 'a', key: 'b', address: '127.0.0.1:1', read_only: false, made: 0, until: 9e12 };
}

test('what a read-only page remembers is read-only for ever, and a page of a link to look may not ask', async () => {
  const { first, serve, end, t4a } = await remembering('--read-only');
  const grant = await remembered(first.origin, first.code, 'one');
  await end(first);
  const second = await serve();
  const [, welcome] = await enter(second.origin, grant);
  expect(welcome.read_only).toBe(true);
  const { stdout } = await t4a('--link', '--read-only');
  const looking = await trade(second.origin, new URL(stdout.trim()).hash.slice(1));
  const [page, looks] = await enter(second.origin, looking);
  expect(looks).not.toHaveProperty('remembers');
  await page.say({ remember: 'two', req: 1 });
  expect(await page.next()).toMatchObject({ code: 'not_allowed' });
});

test('names of browsers are plain and different, and so many are kept', () => {
  const path = tempDir().join('browsers.json');
  const browsers = new RememberedBrowsers(path, 'a:1', systemClock);
  expect(browsers.add('Chrome on Linux', false).name).toBe('Chrome on Linux');
  expect(browsers.add('Chrome on Linux', false).name).toBe('Chrome on Linux 2');
  expect(browsers.add('\u001b]0;x\u0007\n', false).name).toBe('0 x');
  expect(browsers.add('', false).name).toBe('browser');
  expect(browsers.add('x'.repeat(1000), false).name).toHaveLength(64);
  while (readBrowsers(path).length < MAX_BROWSERS) browsers.add('more', false);
  expect(() => browsers.add('one too many', false)).toThrow(/browsers are remembered, the most/);
});

test('a server whose keys were ended remembers nothing more, and what it did opens nothing', () => {
  const browsers = new RememberedBrowsers(tempDir().join('browsers.json'), 'a:1', systemClock);
  const { key_id: keyId } = browsers.add('one', false);
  expect(browsers.known(keyId)).toMatchObject({ name: 'one' });
  browsers.revoke();
  expect(browsers.known(keyId)).toBeUndefined();
  expect(() => browsers.add('two', false)).toThrow(/remembers no browser any more/);
});

test.each([0o600, 0o644])('a file that is a link to one of mode %o is refused as a link', (mode) => {
  const dir = tempDir();
  const [path, target] = [dir.join('browsers.json'), dir.join('target.json')];
  writeFileSync(target, JSON.stringify({ browsers: [entry('one')] }), { mode });
  symlinkSync(target, path);
  expect(() => readBrowsers(path)).toThrow('browsers.json" is a link, no regular file.');
});

test('a key is over after thirty days', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const browsers = new RememberedBrowsers(tempDir().join('browsers.json'), 'a:1', systemClock);
  const keys = new Keys(systemClock, browsers);
  const { key, key_id: keyId } = browsers.add('one', false);
  expect(keys.key(keyId)).toBe(key);
  vi.setSystemTime(systemClock.wallNow() + REMEMBERED_MS);
  expect(keys.key(keyId)).toBeUndefined();
});

test.each([
  ['{', 'is not JSON'],
  ['{}', 'is not as t4a writes it'],
  [JSON.stringify({ browsers: [{ name: 1 }] }), 'is not as t4a writes it'],
])('a file of %j opens nothing, and is named', async (text, why) => {
  const { first, file, t4a } = await remembering();
  const grant = await remembered(first.origin, first.code, 'one');
  writeFileSync(file, text);
  const listed = await t4a('--browsers');
  expect(listed).toMatchObject({ status: 2, stderr: expect.stringContaining(why) });
  await expect.poll(() => enter(first.origin, grant).then(() => 'in', String)).toContain(String(CLOSED.unauthorized));
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a file that others can read opens nothing, and keeps the next page from starting', async () => {
  const { first, end, serve, file } = await remembering();
  await remembered(first.origin, first.code, 'one');
  await end(first);
  chmodSync(file, 0o644);
  await expect(serve()).rejects.toThrow();
});

test.each([
  [['--remember'], /comes back at the same port/],
  [['--remember', '--listen', '127.0.0.1:0'], /comes back at the same port/],
  [['--browsers', '--read-only'], /takes no "--read-only"/],
  [['--forget', 'nope'], /No browser "nope" is remembered/],
  [['--forget', 'nope', 'build'], /takes no terminal/],
])('web %j is refused', async (words, message) => {
  const env = { XDG_RUNTIME_DIR: tempDir().path, XDG_STATE_HOME: tempDir().path };
  expect(await runCliHere(['web', ...words], { env })).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(message),
  });
});
