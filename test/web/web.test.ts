/** `t4a web` under attack: by raw requests and sockets, as a page of another origin or a program would send them. */
import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../src/base/clock.js';
import { MAX_DAEMONS } from '../../src/web/daemons.js';
import { Assets } from '../../src/web/assets.js';
import { Keys } from '../../src/web/keys.js';
import { GREETING_MS, PING_MS } from '../../src/web/page-socket.js';
import { listenAddress, placesOf } from '../../src/web/places.js';
import { LOOK } from '../../src/web/link-scope.js';
import type { KeyGrant } from '../../src/page/greeting.js';
import { MAX_PLAIN, MAX_SOCKETS, MAX_STRANGERS } from '../../src/web/server.js';
import { CLOSED } from '../../src/page/greeting.js';
import { connect, launch } from '../../src/client/index.js';
import { runCli, streamCli } from '../support/cli.js';
import { runCliHere } from '../support/cli-in-process.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { clientOfOwnDaemon } from '../support/launch.js';
import { testFleet } from '../support/fleet.js';
import { tempDir } from '../support/temp-dir.js';
import {
  admitted,
  challenged,
  enter,
  get,
  served,
  servedFor,
  servedForFile,
  serverInProcess,
  TestSocket,
  trade,
} from './served.js';
import { eventually } from '../support/eventually.js';

const sharedServer = servedForFile();

test('a link leads to a page that lists, watches, types and creates', async () => {
  const { client, origin, code } = await served();
  await launch({ client, cmd_args: ['cat'], name: 'build' });
  const [socket, welcome] = await enter(origin, await trade(origin, code));
  expect(welcome).toMatchObject({ ready: true, read_only: false, person: 'ada' });
  expect(welcome.daemons).toEqual([welcome.daemon]);
  expect(await socket.ask('list')).toMatchObject({ ok: true, terminals: [{ id: 'build' }] });
  expect(await socket.ask('watch', { id: 'build' })).toMatchObject({ ok: true, complete: true, cols: 80 });
  const typed = { id: 'build', text: 'hello', submit: true, wait: { until: { text: 'hello' } } };
  expect(await socket.ask('type', typed)).toMatchObject({ ok: true, wait: { outcome: 'matched' } });
  expect(await socket.ask('create', { cmd_args: ['cat'] })).toMatchObject({ ok: true, id: 't1' });
  expect(await socket.ask('kill', { id: 't1' })).toMatchObject({ ok: true });
});

test('only requests with a Host that it was given are answered, at every path', async () => {
  const { origin, keys } = await serverInProcess();
  const code = keys.newCode();
  const { port } = new URL(origin);
  for (const host of [
    'evil.test',
    `evil.test:${port}`,
    `127.0.0.1:${Number(port) - 1}`,
    `127.0.0.1.evil.test:${port}`,
  ]) {
    const { status, body } = await get(origin, '/', { Host: host });
    expect([400, 421], host).toContain(status);
    expect(body, host).not.toContain('<html');
  }
  const socket = new TestSocket(origin, { host: `evil.test:${port}`, origin: `http://evil.test:${port}` });
  await expect(socket.closed()).resolves.toMatchObject({ code: 1006 });
  // Of the page's own origin, too.
  await expect(new TestSocket(origin, { host: `evil.test:${port}` }).closed()).resolves.toMatchObject({ code: 1006 });
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
    expect(await get(origin, '/', { Host: host }), host).toMatchObject({ status: 200 });
  }
  // The code was not spent by any of them.
  await expect(trade(origin, code)).resolves.toHaveProperty('key');
});

test.each([
  ['another site', 'https://evil.test'],
  ['another port of this machine', 'http://127.0.0.1:1'],
  ['an opaque origin', 'null'],
  ['a name that begins alike', 'http://127.0.0.1.evil.test'],
  ['no origin', ''],
])('a socket of %s is refused before it can speak', async (_what, foreign) => {
  const { origin, grant } = await sharedServer();
  const socket = new TestSocket(origin, { origin: foreign });
  await expect(socket.closed()).resolves.toMatchObject({ code: 1006 });
  await expect(enter(origin, grant)).resolves.toBeDefined();
});

test('a link opens one browser: its code is worth nothing the second time', async () => {
  const { origin, keys } = await serverInProcess();
  const code = keys.newCode();
  await trade(origin, code);
  const socket = new TestSocket(origin);
  await socket.say({ code });
  await expect(socket.closed()).resolves.toMatchObject({ code: CLOSED.unauthorized });
});

test.each([
  ['a wrong code', { code: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ['an unknown key', { key_id: 'AAAAAAAAAAAAAAAAAAAAAA', nonce: 'n' }],
  ['a request', { cmd: 'list', req: 1 }],
  ['no JSON', 'hello'],
  ['a number', '7'],
  ['a wrong proof', { proof: 'AAAAAAAAAAAAAAAAAAAAAA' }],
])('without a key nothing is answered: %s', async (_what, message) => {
  const { origin, grant } = await sharedServer();
  const socket = new TestSocket(origin);
  await socket.say(message);
  await expect(socket.closed()).resolves.toMatchObject({ code: CLOSED.unauthorized });
  // Nor in the place of the proof that the key is there.
  const claimed = new TestSocket(origin);
  await challenged(claimed, grant);
  await claimed.say(message);
  await claimed.say({ cmd: 'list', req: 1 });
  await expect(claimed.closed()).resolves.toMatchObject({ code: CLOSED.unauthorized });
});

test('the id of a key is not enough: the page proves that it has the key, and so does the server', async () => {
  const { origin, grant } = await sharedServer();
  const socket = new TestSocket(origin);
  const { proof } = await challenged(socket, grant);
  await socket.say({ proof: proof.replaceAll(/./g, 'a') });
  await expect(socket.closed()).resolves.toMatchObject({ code: CLOSED.unauthorized });
  // A proof is of one socket: heard by another program, it is worth nothing.
  const second = new TestSocket(origin);
  await challenged(second, grant);
  await second.say({ proof });
  await expect(second.closed()).resolves.toMatchObject({ code: CLOSED.unauthorized });
});

test('sockets without a key are few, the oldest leaves for the newest, and each is closed after five seconds', async () => {
  const { origin, keys } = await serverInProcess();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const strangers: TestSocket[] = [];
  for (let i = 0; i < MAX_STRANGERS; i++) strangers.push(await openedSocket(origin));
  const [oldest, ...others] = strangers;
  const newest = await openedSocket(origin);
  await expect(oldest?.closed()).resolves.toMatchObject({ code: CLOSED.tooMany });
  vi.advanceTimersByTime(GREETING_MS - 1);
  expect(others.map(({ socket }) => socket.readyState)).toEqual(others.map(() => WebSocket.OPEN));
  vi.advanceTimersByTime(1);
  for (const stranger of [...others, newest]) {
    await expect(stranger.closed()).resolves.toMatchObject({ code: CLOSED.late });
  }
  await expect(trade(origin, keys.newCode())).resolves.toHaveProperty('key');
});

test('strangers that come again as often as they are closed keep no owner of a key out', async () => {
  const { client } = await sharedServer();
  const { origin, keys } = await serverInProcess(client.socketPath);
  const grant = await trade(origin, keys.newCode());
  // One that has named its key stays, however many others come.
  const slow = new TestSocket(origin);
  const admission = await challenged(slow, grant);
  const ended = new AbortController();
  const isOver = new Promise<void>((resolve) => ended.signal.addEventListener('abort', () => resolve()));
  const comers = Array.from({ length: MAX_STRANGERS + 16 }, async () => {
    while (!ended.signal.aborted) {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket`, { headers: { Origin: origin } });
      socket.on('error', () => socket.terminate());
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      await Promise.race([closed, isOver]);
      socket.terminate();
    }
  });
  let entered = 0;
  for (let attempt = 0; attempt < 20 && entered < 3; attempt++) {
    await enter(origin, grant).then(
      () => entered++,
      () => 'it was closed, and comes again',
    );
  }
  expect(entered).toBe(3);
  await slow.say(admission);
  expect(await slow.next()).toMatchObject({ ready: true });
  ended.abort();
  await Promise.all(comers);
});

test('a refused handshake, half a request and an idle connection hold no place for long, and few at once', async () => {
  const { server, origin } = await serverInProcess();
  const { hostname, port } = new URL(origin);
  const open = async (text: string): Promise<Socket> => {
    const socket = createConnection({ host: hostname, port: Number(port), allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {
      // 'close' follows.
    });
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  // Its own half stays open.
  const refused = await open(
    `GET /socket HTTP/1.1\r\nHost: evil.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  await eventually(() => expect(server.connections.plain).toBe(0));
  refused.destroy();
  const first = await open(`GET / HTTP/1.1\r\nHost: `);
  const gone = once(first.resume(), 'end');
  for (let i = 0; i < MAX_PLAIN; i++) await open(i % 2 === 0 ? '' : `GET / HTTP/1.1\r\n`);
  await gone;
  await eventually(() => expect(server.connections.plain).toBe(MAX_PLAIN));
  expect(await get(origin, '/', { Host: new URL(origin).host })).toMatchObject({ status: 200 });
});

test('a socket that is closed and does not agree is cut, and so are its further words', async () => {
  const { client } = await sharedServer();
  const { server, origin, keys } = await serverInProcess(client.socketPath);
  const socket = new TestSocket(origin);
  await socket.say('hello');
  // The other side never answers that it closes, too.
  socket.socket.pause();
  await vi.waitFor(() => expect(server.connections.pages).toBe(0), { timeout: 4000 });
  await expect(trade(origin, keys.newCode())).resolves.toHaveProperty('key');
});

async function openedSocket(origin: string): Promise<TestSocket> {
  const socket = new TestSocket(origin);
  await new Promise((resolve) => socket.socket.once('open', resolve));
  return socket;
}

describe('the end of a key', () => {
  /** With a clock that the test moves. */
  async function keyedServer() {
    const { client } = await sharedServer();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let hours = 0;
    const clock = { ...systemClock, now: () => 0, wallNow: () => hours * 3_600_000 };
    const served = await serverInProcess(client.socketPath, undefined, undefined, new Keys(clock));
    return {
      ...served,
      grant: await trade(served.origin, served.keys.newCode()),
      sleep: (hoursMore: number) => void (hours += hoursMore),
    };
  }

  test('closes the sockets that were admitted with it, without a request', async () => {
    const { origin, grant, sleep } = await keyedServer();
    const [page] = await enter(origin, grant);
    sleep(13);
    vi.advanceTimersByTime(1000);
    await expect(page.closed()).resolves.toMatchObject({ code: CLOSED.unauthorized, reason: 'Its key is over.' });
  });

  test('comes before the next request, and before the proof of a socket that has named it', async () => {
    const { origin, grant, sleep } = await keyedServer();
    const [page] = await enter(origin, grant);
    const coming = new TestSocket(origin);
    const admission = await challenged(coming, grant);
    sleep(13);
    await page.say({ cmd: 'list', req: 1 });
    await expect(page.next()).rejects.toThrow(`closed with ${CLOSED.unauthorized}`);
    await coming.say(admission);
    await expect(coming.next()).rejects.toThrow(`closed with ${CLOSED.unauthorized}`);
  });

  test('is that of the oldest key, too, once there are more than are kept', async () => {
    const { origin, keys, grant } = await keyedServer();
    const [page] = await enter(origin, grant);
    for (let i = 0; i < 64; i++) keys.trade(keys.newCode());
    await page.say({ cmd: 'list', req: 1 });
    await expect(page.next()).rejects.toThrow(`closed with ${CLOSED.unauthorized}`);
  });
});

test('sockets beyond the most are closed, and say why; the most is eight pages of as many daemons as a page shows', async () => {
  expect(MAX_SOCKETS).toBeGreaterThanOrEqual(8 * MAX_DAEMONS);
  const { client } = await sharedServer();
  const { origin, keys } = await serverInProcess(client.socketPath, 3);
  const grant = await trade(origin, keys.newCode());
  const pages = [];
  for (let i = 0; i < 3; i++) pages.push((await enter(origin, grant))[0]);
  const next = new TestSocket(origin);
  const reason = 'This t4a web has 3 sockets, its most: close a page.';
  await expect(next.closed()).resolves.toEqual({ code: CLOSED.tooMany, reason });
  pages[0]?.socket.close();
  await pages[0]?.closed();
  await expect(enter(origin, grant)).resolves.toBeDefined();
});

test('one link takes a quarter of the sockets, all links three quarters, and the owner the rest', async () => {
  const { client } = await sharedServer();
  const { origin, keys } = await serverInProcess(client.socketPath, 8);
  const links: KeyGrant[] = [];
  for (let i = 0; i < 4; i++) links.push(await trade(origin, keys.newCode(LOOK)));
  const refused = async (link: KeyGrant, reason: string): Promise<void> => {
    const page = new TestSocket(origin);
    await page.say(await challenged(page, link));
    await expect(page.closed()).resolves.toEqual({ code: CLOSED.tooMany, reason });
  };
  for (const link of links.slice(0, 3)) {
    await enter(origin, link);
    await enter(origin, link);
    await refused(link, 'This link has 2 sockets, its most: close a page.');
  }
  for (const link of links.slice(3)) {
    await refused(link, 'Links have 6 sockets of this t4a web, their most: close a page.');
  }
  const own = await trade(origin, keys.newCode());
  await expect(Promise.all([enter(origin, own), enter(origin, own)])).resolves.toHaveLength(2);
});

test('a page that leaves takes its connection to the daemon with it', async () => {
  const { client } = await served();
  const { origin, keys } = await serverInProcess(client.socketPath);
  const open = async (): Promise<number> => (await client.call('stats')).connections.open;
  const before = await open();
  const [page] = await enter(origin, await trade(origin, keys.newCode()));
  expect(await open()).toBe(before + 1);
  page.socket.close();
  await eventually(async () => expect(await open()).toBe(before));
});

describe('every ten seconds', () => {
  test('a page is asked whether it is there, and one that leaves two questions unanswered is closed', async () => {
    const { origin, grant } = await pingedServer();
    const [present] = await enter(origin, grant);
    const [gone] = await enter(origin, grant, undefined, new TestSocket(origin, {}, { answersPings: false }));
    for (let ping = 1; ping <= 2; ping++) {
      const asked = [present, gone].map(({ socket }) => once(socket, 'ping'));
      vi.advanceTimersByTime(PING_MS);
      await Promise.all(asked);
      // What comes after its pong was read: the pong was, too.
      expect(await present.ask('ping')).toMatchObject({ ok: true });
    }
    vi.advanceTimersByTime(PING_MS);
    await expect(gone.closed()).resolves.toMatchObject({ code: 1006 });
    expect(await present.ask('ping')).toMatchObject({ ok: true });
  });

  test('a page that is slowed, whose answers are not read, is not taken for gone', async () => {
    const flooded = vi.fn();
    const { origin, grant, client } = await pingedServer(flooded);
    const terminal = await launch({ client, cmd_args: ['cat'], name: 'slow' });
    const [page] = await enter(origin, grant);
    const waits = Array.from({ length: 64 }, (_, req) => ({ cmd: 'wait', req, id: 'slow', until: { text: 'go' } }));
    for (const wait of waits) await page.say(wait);
    await eventually(() => expect(flooded).toHaveBeenCalled());
    for (let ping = 1; ping <= 4; ping++) {
      const asked = once(page.socket, 'ping');
      vi.advanceTimersByTime(PING_MS);
      await asked;
    }
    await terminal.type('go\n');
    for (const _ of waits) expect(await page.next()).toMatchObject({ ok: true });
    expect(await page.ask('ping')).toMatchObject({ ok: true });
  });

  /** Whose intervals are under the clock of the test. */
  async function pingedServer(onFlood = (): void => {}) {
    const { client } = await sharedServer();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { origin, keys } = await serverInProcess(client.socketPath, MAX_SOCKETS, onFlood);
    return { client, origin, grant: await trade(origin, keys.newCode()) };
  }
});

test('files of the page come with headers that forbid frames, foreign code and caches, and set no cookie', async () => {
  const { origin } = await sharedServer();
  for (const path of ['/', '/page.js', '/page.css', '/icon.svg', '/regular.ttf', '/nothing']) {
    const { status, headers } = await get(origin, path);
    expect(status, path).toBe(path === '/nothing' ? 404 : 200);
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy, path).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]),
    );
    expect(policy.join(), path).not.toContain('unsafe');
    expect(headers, path).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    expect(headers['set-cookie'], path).toBeUndefined();
  }
});

test('without --listen the port can be bookmarked; where another program has it, the next free one is taken, and said', async () => {
  const { socketPath } = await clientOfOwnDaemon();
  const env = { USER: 'ada', XDG_RUNTIME_DIR: tempDir().path };
  const pages = [
    streamCli(['--socket', socketPath, 'web'], { env }),
    streamCli(['--socket', socketPath, 'web'], { env }),
  ];
  const ports = await Promise.all(pages.map(async (page) => Number(new URL(await page.line()).port)));
  expect(new Set(ports).size).toBe(2);
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(8080);
  const said = await Promise.all(
    pages.map(async (page) => {
      page.process.kill('SIGTERM');
      return (await page.ended()).stderr;
    }),
  );
  for (const [i, port] of ports.entries()) {
    const words = "Port 8080 is another program's: this page has the next free one.";
    if (port === 8080) expect(said[i]).not.toContain(words);
    else expect(said[i]).toContain(words);
  }
});

test('what the first view loads has at most 130 KB', async () => {
  const { origin } = await sharedServer();
  let bytes = 0;
  const first = new Assets(new URL('../../', import.meta.url)).firstView();
  expect(first).toEqual(expect.arrayContaining(['/', '/page.js', '/page.css', '/regular.ttf']));
  for (const path of first) {
    const { headers } = await get(origin, path, { 'Accept-Encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    bytes += Number(headers['content-length']);
  }
  expect(bytes).toBeLessThan(130_000);
});

test.each([
  '/../package.json',
  '/%2e%2e/package.json',
  '/page.js/../../cli.cjs',
  '//etc/passwd',
  '/constructor',
  '/socket',
])('no path reaches another file: %s', async (path) => {
  const { origin } = await sharedServer();
  expect(await get(origin, path)).toMatchObject({ status: 404 });
});

test('methods other than GET are refused', async () => {
  const { origin } = await sharedServer();
  expect(await get(origin, '/', {}, 'POST')).toMatchObject({ status: 405 });
});

test.each([
  ['config', { max_terminals: 1 }],
  ['shutdown', {}],
  ['type', { id: 'build', text: 'x', secret: true, even_if_shown: true }],
  ['open', { path: '/etc/passwd' }],
  ['record', { id: 'build', action: 'start', path: '/tmp/x' }],
  ['create', { cwd: '/etc' }],
  ['create', { env: { LD_PRELOAD: '/tmp/x' } }],
  ['run', { cmd_args: ['cat'], stdin: '/etc/passwd' }],
  ['publish', { name: 'x', warn: true }],
  ['events', {}],
])('a page cannot ask for %s %j', async (cmd, fields) => {
  const page = await sharedServer();
  await launch({ client: page.client, cmd_args: ['cat'], name: 'build' });
  const socket = await admitted(page);
  expect(await socket.ask(cmd, fields)).toMatchObject({ ok: false, code: 'not_allowed' });
  expect(await page.client.call('ping')).toMatchObject({ terminals: 1 });
});

test('a page may answer questions and take the keyboard, as a person', async () => {
  const page = await sharedServer();
  await launch({ client: page.client, cmd_args: ['cat'], name: 'build' });
  const asker = await connect({ socketPath: page.client.socketPath, as: 'claude-1', autoStart: false });
  onTestFinished(() => asker.close());
  const socket = await admitted(page);
  const asked = asker.call('ask', { id: 'build', question: 'Which branch?' });
  const ask = await firstAsk(socket);
  expect(await socket.ask('answer', { ask, text: 'main', as: 'ada' })).toMatchObject({ ok: true });
  expect(await asked).toMatchObject({ outcome: 'answered', answer: 'main', by: 'ada' });
  const insisting = await socket.ask('answer', { ask, text: 'main', even_if_shown: true, as: 'ada' });
  expect(insisting).toMatchObject({ ok: false, code: 'not_allowed' });
  const taken = await socket.ask('control', { id: 'build', action: 'take', person: true, as: 'ada' });
  expect(taken).toMatchObject({ ok: true, holder: { as: 'ada', person: true } });
});

test('raw bytes are taken from a page with --allow-raw alone', async () => {
  const { client, origin, code } = await served();
  const byDefault = (await enter(origin, await trade(origin, code)))[0];
  const raw = await servedFor(['--socket', client.socketPath, '--allow-raw']);
  const allowed = (await enter(raw.origin, await trade(raw.origin, raw.code)))[0];
  const reader = `stty raw -echo; printf ready; od -An -tx1 -v -N3 -w3`;
  const bytes = Buffer.from([0x1b, 0x5b, 0x5a]);
  for (const [cmd, fields] of [
    ['send', { input_base64: bytes.toString('base64') }],
    ['send', { input: bytes.toString() }],
    ['send', { input: '\u0003' }],
    ['type', { text: 'a\u001b' }],
    ['type', { text: '\u009b' }],
    ['paste', { text_base64: Buffer.from('text').toString('base64') }],
    ['run', { command: 'echo \u0003' }],
    ['answer', { ask: 1, text: 'yes\u007f' }],
  ] as const) {
    const field = Object.keys(fields).at(-1);
    const refused = { ok: false, code: 'not_allowed', field, hint: expect.stringContaining('--allow-raw') };
    expect(await byDefault.ask(cmd, { id: 'none', ...fields }), JSON.stringify([cmd, fields])).toMatchObject(refused);
    expect((await allowed.ask(cmd, { id: 'none', ...fields }))['code']).not.toBe('not_allowed');
  }
  const { id } = await launch({ client, cmd_args: ['sh', '-c', reader] });
  await allowed.ask('wait', { id, until: { text: 'ready' } });
  // What is refused does not reach the program, which has read none of it before the others.
  expect(await byDefault.ask('send', { id, input_base64: 'QUFB' })).toMatchObject({ code: 'not_allowed' });
  const sent = { id, input_base64: bytes.toString('base64'), wait: { until: { text: '1b 5b 5a' } } };
  expect(await allowed.ask('send', sent)).toMatchObject({ ok: true, wait: { outcome: 'matched' } });
});

test('rules are shown and changed by a page with --allow-rules alone, which may do nothing else of an owner', async () => {
  const { client, origin, code } = await served();
  const byDefault = await enter(origin, await trade(origin, code));
  expect(byDefault[1]).not.toHaveProperty('rules');
  const refused = { ok: false, code: 'not_allowed', hint: expect.stringContaining('--allow-rules') };
  expect(await byDefault[0].ask('rules')).toMatchObject(refused);
  const page = await servedFor(['--socket', client.socketPath, '--allow-rules']);
  const [socket, welcome] = await enter(page.origin, await trade(page.origin, page.code));
  expect(welcome).toMatchObject({ rules: true });
  const mine = JSON.stringify({ version: 1, profiles: [{ id: 'mine', rules: [] }] });
  expect(await socket.ask('rules', { with_text: true })).toMatchObject({ ok: true, text: null });
  expect(await socket.ask('rules', { action: 'set', rules: mine })).toMatchObject({ ok: true });
  expect(await socket.ask('rules', { with_text: true })).toMatchObject({ ok: true, text: mine });
  const forbidden = { ok: false, code: 'not_allowed' };
  expect(await socket.ask('config', { max_terminals: 1 })).toMatchObject(forbidden);
  expect(await socket.ask('shutdown')).toMatchObject(forbidden);
  expect(await socket.ask('rules', { path: '/etc/passwd' })).toMatchObject(forbidden);
  // Nor with the number of a request about rules that is on its way.
  await socket.say({ cmd: 'rules', req: 1 });
  await socket.say({ cmd: 'config', req: 1, max_terminals: 1 });
  const answers = [await socket.next(), await socket.next()];
  expect(answers.filter(({ ok }) => ok === true)).toHaveLength(1);
  expect(answers.find(({ ok }) => ok === true)).toHaveProperty('profiles');
});

test('text, keys, pastes and lines of a page are no raw bytes', async () => {
  const { client, origin, grant } = await sharedServer();
  const { id } = await launch({ client, cmd_args: ['cat'] });
  const [socket] = await enter(origin, grant);
  for (const [cmd, fields] of [
    ['send', { input: 'a\tb\r\n' }],
    ['type', { text: 'é\t語\n🙂' }],
    ['paste', { text: 'x\u001by' }],
    ['press', { keys: ['Escape', 'Ctrl+C'] }],
  ] as const)
    expect(await socket.ask(cmd, { id, ...fields })).toMatchObject({ ok: true });
});

test('with --read-only a page sees all and changes nothing', async () => {
  const { client } = await sharedServer();
  const { origin, code } = await servedFor(['--socket', client.socketPath, '--read-only']);
  await launch({ client, cmd_args: ['cat'], name: 'build' });
  const socket = await admitted({ origin, grant: await trade(origin, code) });
  expect(await socket.ask('list')).toMatchObject({ ok: true });
  expect(await socket.ask('watch', { id: 'build' })).toMatchObject({ ok: true });
  for (const [cmd, fields] of [
    ['type', { id: 'build', text: 'x' }],
    ['press', { id: 'build', keys: ['x'] }],
    ['create', {}],
    ['kill', { id: 'build' }],
    ['resize', { id: 'build', cols: 20, rows: 5 }],
    ['control', { id: 'build', action: 'take', person: true, as: 'ada' }],
    ['answer', { ask: 1, text: 'x' }],
    ['restrict', { reach: 'admin' }],
  ] as const) {
    const expected = cmd === 'restrict' ? { reach: 'read' } : { ok: false, code: 'not_allowed' };
    expect(await socket.ask(cmd, fields), cmd).toMatchObject(expected);
  }
  expect(await socket.ask('type', { id: 'build', text: 'x' })).toMatchObject({ code: 'not_allowed' });
});

test.each([
  ['a message of more than 64 KB', 'x'.repeat(64 * 1024 + 1), 1009],
  ['bytes', new Uint8Array([1, 2, 3]), CLOSED.refused],
  ['no JSON', '{"cmd":', CLOSED.refused],
  ['no request', '[]', CLOSED.refused],
])('a page that sends %s loses its socket, and that one alone', async (_what, message, code) => {
  const { origin, grant } = await sharedServer();
  const [socket] = await enter(origin, grant);
  const [other] = await enter(origin, grant);
  await socket.say(message);
  await expect(socket.closed()).resolves.toMatchObject({ code });
  expect(await other.ask('list')).toMatchObject({ ok: true });
});

test('a line break in a message makes no second request', async () => {
  const { client, origin, grant } = await sharedServer();
  const [socket] = await enter(origin, grant);
  await socket.say('{"cmd":"list","req":1}\n{"cmd":"create","req":2}');
  await expect(socket.closed()).resolves.toMatchObject({ code: CLOSED.refused });
  const [second] = await enter(origin, grant);
  await second.say('{"cmd":"list",\r\n"req":1\n}');
  expect(await second.next()).toMatchObject({ req: 1, ok: true });
  expect(await client.call('list')).toMatchObject({ terminals: [] });
});

test('a third question after the next frame is refused', async () => {
  const page = await sharedServer();
  await launch({ client: page.client, cmd_args: ['cat'], name: 'build' });
  const socket = await admitted(page);
  const { rev, state } = await socket.ask('watch', { id: 'build' });
  for (const req of [1, 2, 3]) await socket.say({ cmd: 'watch', req, id: 'build', since: rev, state });
  await expect(socket.closed()).resolves.toMatchObject({ code: CLOSED.refused });
});

test('a question about the next frame that is cancelled makes room for another, and one that asks for now needs none', async () => {
  const page = await sharedServer();
  await launch({ client: page.client, cmd_args: ['cat'], name: 'build' });
  const socket = await admitted(page);
  const { rev, state } = await socket.ask('watch', { id: 'build' });
  const since = { cmd: 'watch', id: 'build', since: rev, state };
  for (let req = 1; req <= 20; req++) {
    await socket.say({ ...since, req });
    await socket.say({ cmd: 'cancel', of: req });
  }
  await socket.say({ ...since, req: 'w1' });
  await socket.say({ ...since, req: 'w2' });
  for (let i = 0; i < 5; i++)
    expect(await socket.ask('watch', { ...since, timeout_ms: 0 })).toMatchObject({ ok: true });
  // Neither the end of what does not last nor that of nothing makes room.
  await socket.say({ cmd: 'cancel', of: 'none' });
  await socket.say({ cmd: 'cancel', of: ['w1'] });
  await socket.say({ ...since, req: 'w3' });
  await expect(socket.closed()).resolves.toMatchObject({ code: CLOSED.refused, reason: 'Too many watches.' });
});

test('streams, refused or not, raise no bound on what is unanswered', async () => {
  const flooded = vi.fn();
  const { client } = await sharedServer();
  const { origin, keys } = await serverInProcess(client.socketPath, MAX_SOCKETS, flooded);
  const terminal = await launch({ client, cmd_args: ['cat'], name: 'still' });
  const [page] = await enter(origin, await trade(origin, keys.newCode()));
  for (let req = 0; req < 100; req++) {
    await page.say({ cmd: 'events', req, shared: true, types: req % 2 === 0 ? ['bell'] : ['no such type'] });
    expect(await page.next()).toMatchObject({ req });
    if (req % 2 === 0) expect(await page.ask('cancel', { of: req })).toMatchObject({ cancelled: true });
  }
  expect(flooded).not.toHaveBeenCalled();
  for (let req = 0; req < 64; req++) await page.say({ cmd: 'wait', req, id: 'still', until: { text: 'go' } });
  await eventually(() => expect(flooded).toHaveBeenCalledOnce());
  await terminal.type('go\n');
  for (let req = 0; req < 64; req++) expect(await page.next()).toMatchObject({ outcome: 'matched' });
});

test('a second watch under the number of one that is unanswered is refused', async () => {
  const page = await sharedServer();
  await launch({ client: page.client, cmd_args: ['cat'], name: 'build' });
  const socket = await admitted(page);
  const { rev, state } = await socket.ask('watch', { id: 'build' });
  for (let i = 0; i < 2; i++) await socket.say({ cmd: 'watch', req: 1, id: 'build', since: rev, state });
  await expect(socket.closed()).resolves.toMatchObject({ code: CLOSED.refused });
});

test('a flood of requests is slowed, and every one is answered in its order', async () => {
  const page = await sharedServer();
  const socket = await admitted(page);
  for (let req = 0; req < 2000; req++) await socket.say({ cmd: 'ping', req });
  for (let req = 0; req < 2000; req++) expect(await socket.next()).toMatchObject({ req, ok: true });
});

test('a page that floods input is slowed, all of it arrives, and the daemon announces one warning', async () => {
  // Of its own: a server warns once a minute.
  const { client } = await sharedServer();
  const { origin, code } = await servedFor(['--socket', client.socketPath]);
  const page = { client, origin, grant: await trade(origin, code) };
  await launch({ client: page.client, cmd_args: ['sh', '-c', 'stty raw -echo; echo ready; exec cat'], name: 'build' });
  await page.client.call('wait', { id: 'build', until: { text: 'ready' } });
  const stream = page.client.events({ types: ['warning', 'bell'] });
  await stream.subscribed;
  const events = stream[Symbol.asyncIterator]();
  onTestFinished(() => void events.return(undefined));
  const socket = await admitted(page);
  for (let req = 0; req < 1000; req++) await socket.say({ cmd: 'type', req, id: 'build', text: 'x' });
  for (let req = 0; req < 1000; req++) expect(await socket.next()).toMatchObject({ ok: true });
  expect(await page.client.call('status', { id: 'build' })).toMatchObject({ inputs: 1000 });
  const warning = await events.next();
  expect(warning.value).toMatchObject({
    event: 'warning',
    code: 'client',
    message: 'page.flood: A page of ada sends faster than it is answered: its input waits in the browser.',
  });
  // The next event is not a second warning.
  await page.client.call('type', { id: 'build', text: '\u0007' });
  expect((await events.next()).value).toMatchObject({ event: 'bell' });
});

test('the end of the daemon closes its sockets, and a new one is found', async () => {
  const { socketPath } = tempDir();
  onTestFinished(() => endDaemonAt(socketPath));
  const { origin, code } = await servedFor(['--socket', socketPath]);
  const grant = await trade(origin, code);
  const [socket] = await enter(origin, grant);
  await runCli(['shutdown'], { socketPath });
  await expect(socket.closed()).resolves.toMatchObject({ code: CLOSED.daemonGone });
  const absent = new TestSocket(origin);
  await absent.say(await challenged(absent, grant));
  await expect(absent.closed()).resolves.toMatchObject({ code: CLOSED.daemonGone });
  await runCli(['create', '--name', 'again', '--', 'cat'], { socketPath });
  const [next] = await enter(origin, grant);
  expect(await next.ask('list')).toMatchObject({ terminals: [{ id: 'again' }] });
});

test('several daemons, by a pattern, each have sockets of their own', async () => {
  const { path: dir } = tempDir();
  for (const name of ['one', 'two']) {
    const socketPath = `${dir}/${name}.sock`;
    onTestFinished(() => endDaemonAt(socketPath));
    await runCli(['create', '--name', name, '--', 'cat'], { socketPath });
  }
  const { origin, code } = await servedFor(['--socket', `${dir}/*.sock`]);
  const grant = await trade(origin, code);
  const [, welcome] = await enter(origin, grant);
  expect(welcome.daemons).toEqual(['one', 'two']);
  for (const name of ['one', 'two']) {
    const [socket] = await enter(origin, grant, name);
    expect(await socket.ask('list')).toMatchObject({ terminals: [{ id: name }] });
  }
  const unknown = new TestSocket(origin);
  await unknown.say({ ...(await challenged(unknown, grant)), daemon: '../x' });
  await expect(unknown.closed()).resolves.toMatchObject({ code: CLOSED.daemonGone });
});

test('with --on the page has that host alone', async () => {
  const { env, output, daemon } = testFleet();
  await output('hosts', 'add', 'near', `unix:${await daemon('near.sock')}`);
  await output('hosts', 'add', 'far', 'unix:/nonexistent/t4a.sock');
  await output('create', '--on', 'near', '--name', 'build', '--', 'cat');
  const { origin, code } = await servedFor(['--on', 'near'], env);
  const [socket, welcome] = await enter(origin, await trade(origin, code));
  expect(welcome).toMatchObject({ daemon: 'near', daemons: ['near'] });
  expect(await socket.ask('list')).toMatchObject({ terminals: [{ id: 'build' }] });
});

test.each([
  [['--listen', '0.0.0.0:0'], '--allow-plain-http'],
  [['--listen', '192.168.1.5:0'], '--allow-plain-http'],
  [['--origin', 'http://laptop.example'], '--allow-plain-http'],
  [['--origin', 'laptop'], 'https://'],
  [['--origin', 'https://laptop.example/path?a=b'], 'https://'],
  [['--listen', 'x:y'], 'an address and a port'],
  [['--on', 'web1'], '"--on" and "--socket" name two daemons'],
  [['--listen', '0.0.0.0:0', '--allow-plain-http'], '--origin'],
])('%j is refused, and the words say what is', async (flags, words) => {
  const { socketPath } = tempDir();
  const { status, stderr } = await runCliHere(['web', '--read-only', '--socket', `${socketPath}*`, ...flags]);
  expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining(words) });
});

test('the link has the origin that was given, and pages of that origin are admitted', async () => {
  const { socketPath } = tempDir();
  const { origin, link, cli } = await servedFor([
    '--socket',
    `${socketPath}*`,
    '--origin',
    'https://laptop.example',
    '--listen',
    '127.0.0.1:0',
  ]);
  expect(link).toMatch(/^https:\/\/laptop\.example\/#[\w-]{22}$/);
  expect(origin).toBe('https://laptop.example');
  cli.process.kill('SIGTERM');
  expect(await cli.ended()).toMatchObject({ status: 0 });
});

test.each([
  ['127.0.0.2:0', '127.0.0.2'],
  ['127.1:0', '127.0.0.1'],
  ['[::1]:0', '[::1]'],
  ['[0:0:0:0:0:0:0:1]:0', '[::1]'],
  ['localhost:0', 'localhost'],
  ['agents.localhost:0', 'agents.localhost'],
])('--listen %s is of this machine, and the page is found under its name alone', async (listen, name) => {
  const { socketPath } = tempDir();
  const { origin } = await servedFor(['--socket', `${socketPath}*`, '--listen', listen]);
  const { hostname, port } = new URL(origin);
  expect(hostname).toBe(name);
  const address = name.endsWith('localhost') ? 'localhost' : name.replaceAll(/[[\]]/g, '');
  const ask = (host: string) =>
    get(`http://${address.includes(':') ? `[${address}]` : address}:${port}`, '/', { Host: host });
  expect(await ask(`${name}:${port}`)).toMatchObject({ status: 200 });
  for (const other of ['evil.test', '127.0.0.3', 'x.agents.localhost', `${name}.evil.test`]) {
    expect([400, 421], other).toContain((await ask(`${other}:${port}`)).status);
  }
  const isAlias = ['127.0.0.1', '[::1]', 'localhost'].includes(name);
  expect((await ask(`127.0.0.1:${port}`)).status).toBe(isAlias ? 200 : 421);
});

test('on port 80 pages are admitted without a port, as browsers write it', () => {
  const places = placesOf(listenAddress('127.0.0.1:80'), []);
  expect(places.origin).toBe('http://127.0.0.1');
  expect([...places.hosts]).toEqual(expect.arrayContaining(['127.0.0.1', '127.0.0.1:80', 'localhost', '[::1]']));
  expect(places.origins).toContain('http://localhost');
});

test('messages are compressed for pages elsewhere, and not on this machine, where it costs time', async () => {
  const near = `http://127.0.0.1:${await freePort()}`;
  const { client } = await sharedServer();
  const listening = ['--listen', new URL(near).host, '--origin', 'https://laptop.example'];
  await servedFor(['--socket', client.socketPath, ...listening]);
  expect(await extensionsOf(new TestSocket(near))).toBe('');
  const far = new TestSocket(near, { origin: 'https://laptop.example', host: 'laptop.example' });
  expect(await extensionsOf(far)).toBe('permessage-deflate');
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function extensionsOf({ socket }: TestSocket): Promise<string> {
  await once(socket, 'open');
  return socket.extensions;
}

async function firstAsk(socket: TestSocket): Promise<number> {
  for (let seen = {}; ;) {
    const { rev, state, asks } = await socket.ask('watch', { id: 'build', ...seen });
    const [ask] = (asks ?? []) as number[];
    if (ask !== undefined) return ask;
    seen = { since: rev, state };
  }
}
