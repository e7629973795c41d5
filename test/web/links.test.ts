/** `t4a web --link`: links of a page that is served already, and those that open one terminal alone. */
import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/client.js';
import { CLOSED } from '../../src/page/greeting.js';
import { LineSplitter } from '../../src/protocol/framing.js';
import { MAX_LINE_BYTES } from '../../src/protocol/limits.js';
import { runCliHere } from '../support/cli-in-process.js';
import { startDaemon } from '../support/daemon.js';
import { clientOfOwnDaemon } from '../support/launch.js';
import { ofFile } from '../support/of-file.js';
import { tempDir } from '../support/temp-dir.js';
import { enter, servedFor, TestSocket, trade, type Message } from './served.js';

const QUIET = { cmd_args: ['sh', '-c', 'printf ready; exec sleep 600'], wait: { until: { text: 'ready' } } };

/** The page that the tests share. */
const pageOfFile = ofFile(async (atEnd) => {
  const daemon = await startDaemon();
  atEnd(() => daemon.stop());
  const client = await connect({ socketPath: daemon.socketPath, autoStart: false });
  atEnd(() => client.close());
  const env = { XDG_RUNTIME_DIR: tempDir(atEnd).path };
  const { origin } = await servedFor(['--socket', client.socketPath], env, atEnd);
  const link = async (...words: string[]) => runCliHere(['web', '--link', ...words], { env });
  return { client, origin, link };
});

/** The page without terminals: they end with each test. */
async function linked() {
  const shared = await pageOfFile();
  onTestFinished(async () => {
    const { terminals } = await shared.client.call('list');
    for (const { id } of terminals) await shared.client.call('kill', { id, force: true });
  });
  return shared;
}

function codeOf(link: string): string {
  return new URL(link.trim()).hash.slice(1);
}

test('--link prints a link of the page that is served, which opens one browser', async () => {
  const { origin, link } = await linked();
  const { status, stdout, stderr } = await link();
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.startsWith(`${origin}/#`)).toBe(true);
  const grant = await trade(origin, codeOf(stdout));
  const [page, welcome] = await enter(origin, grant);
  expect(welcome.read_only).toBe(false);
  expect(await page.ask('create', { ...QUIET })).toMatchObject({ ok: true });
  await expect(trade(origin, codeOf(stdout))).rejects.toThrow(String(CLOSED.unauthorized));
});

test('--link --read-only opens all terminals to look at', async () => {
  const { client, origin, link } = await linked();
  await client.call('create', { ...QUIET, name: 'build' });
  const { stdout } = await link('--read-only');
  const [page, welcome] = await enter(origin, await trade(origin, codeOf(stdout)));
  expect(welcome.read_only).toBe(true);
  expect(await page.ask('list')).toMatchObject({ terminals: [{ id: 'build' }] });
  expect(await page.ask('type', { id: 'build', text: 'x' })).toMatchObject({ code: 'not_allowed' });
});

test('a link to one terminal opens that one alone, to look at', async () => {
  const { client, origin, link } = await linked();
  await client.call('create', { ...QUIET, name: 'build' });
  await client.call('create', { ...QUIET, name: 'other' });
  const { status, stdout } = await link('--read-only', 'build');
  expect(status).toBe(0);
  const [page, welcome] = await enter(origin, await trade(origin, codeOf(stdout)));
  expect(welcome).toMatchObject({ read_only: true, daemons: [expect.any(String)] });
  await page.say({ cmd: 'events', req: 'events', shared: true });
  expect(await page.ask('list')).toMatchObject({ ok: true, terminals: [{ id: 'build' }] });
  expect(await page.ask('list', { where: { id: ['other'] } })).toMatchObject({ terminals: [{ id: 'build' }] });
  expect(await page.ask('asks')).toMatchObject({ ok: true, asks: [] });
  expect(await page.ask('watch', { id: 'build' })).toMatchObject({ ok: true });
  expect(await page.ask('text', { id: 'build' })).toMatchObject({
    lines: expect.arrayContaining([expect.stringMatching(/^ready/)]),
  });
  const refused: Message[] = [
    { cmd: 'watch', id: 'other' },
    { cmd: 'text', id: 'other' },
    { cmd: 'text', id: '@' },
    { cmd: 'text' },
    { cmd: 'grep', pattern: 'r', id: ['build', 'other'] },
    { cmd: 'type', id: 'build', text: 'x' },
    { cmd: 'screenshot', id: 'build' },
    { cmd: 'timeline', id: 'build' },
    { cmd: 'create' },
    { cmd: 'stats' },
    { cmd: 'ping' },
  ];
  for (const { cmd, ...fields } of refused) {
    expect(await page.ask(cmd as string, fields), JSON.stringify([cmd, fields])).toMatchObject({ code: 'not_allowed' });
  }
});

test('a page of one terminal hears of no other', async () => {
  const { client, origin, link } = await linked();
  await client.call('create', { ...QUIET, name: 'build' });
  const { stdout } = await link('--read-only', 'build');
  const [page] = await enter(origin, await trade(origin, codeOf(stdout)));
  await page.say({ cmd: 'events', req: 'events', shared: true, terminal: 'other', where: {} });
  expect(await page.next()).toMatchObject({ ok: true, req: 'events' });
  await client.call('create', { ...QUIET, name: 'other' });
  await client.call('paste', { id: 'build', text: 'x' });
  await client.call('resize', { id: 'build', cols: 90, rows: 20 });
  for (;;) {
    const heard = await page.next();
    expect(heard).toMatchObject({ terminal: 'build' });
    if (heard['event'] === 'resized') break;
  }
});

test('a page of one terminal is shut out when that is removed, and sees none that takes its name', async () => {
  const { client, origin, link } = await linked();
  await client.call('create', { ...QUIET, name: 'build' });
  const { stdout } = await link('--read-only', 'build');
  const grant = await trade(origin, codeOf(stdout));
  const [page] = await enter(origin, grant);
  const [away] = await enter(origin, grant);
  away.socket.close();
  await page.say({ cmd: 'events', req: 'events', shared: true });
  await page.next();
  await client.call('kill', { id: 'build', force: true });
  await client.call('create', { ...QUIET, name: 'build' });
  await expect(page.closed()).resolves.toMatchObject({
    code: CLOSED.unauthorized,
    reason: 'The terminal of its link was removed.',
  });
  const again = new TestSocket(origin);
  await again.say({ key_id: grant.key_id, nonce: 'n1' });
  await expect(again.closed()).resolves.toMatchObject({ code: CLOSED.unauthorized });
});

test('a link that is opened after its terminal was removed shows nothing of the next one', async () => {
  const { client, origin, link } = await linked();
  await client.call('create', { ...QUIET, name: 'build' });
  const { stdout } = await link('--read-only', 'build');
  await client.call('kill', { id: 'build', force: true });
  await client.call('create', { ...QUIET, name: 'build' });
  const grant = await trade(origin, codeOf(stdout));
  await expect(enter(origin, grant)).rejects.toThrow('The terminal of its link was removed.');
});

test('a page of one terminal that asks before it hears of the end of it is closed', async () => {
  const { client, origin, link } = await linked();
  await client.call('create', { ...QUIET, name: 'build' });
  const { stdout } = await link('--read-only', 'build');
  const [page] = await enter(origin, await trade(origin, codeOf(stdout)));
  await page.say({ cmd: 'text', req: 1, id: 'build' });
  await expect(page.closed()).resolves.toMatchObject({ code: CLOSED.refused });
});

test('a terminal that is started again is still the one of the link', async () => {
  const { client, origin, link } = await linked();
  await client.call('create', { ...QUIET, name: 'build' });
  const { stdout } = await link('--read-only', 'build');
  const grant = await trade(origin, codeOf(stdout));
  await client.call('restart', { id: 'build', force: true });
  const [page] = await enter(origin, grant);
  await page.say({ cmd: 'events', req: 'events', shared: true });
  expect(await page.ask('watch', { id: 'build' })).toMatchObject({ ok: true });
});

test.each([
  [['build'], /one terminal is to look at it/],
  [['--read-only', 'nope'], /has a terminal "nope"/],
  [['--read-only', '@'], /has a terminal "@"/],
  [['--read-only', '--on', 'web1'], /names the host of a terminal/],
  [['--read-only', '--on', 'web1', 'build'], /has a terminal "build"/],
  [['--listen', '127.0.0.1:0'], /takes no "--listen"/],
  [['--revoke'], /takes no/],
])('--link %j says what is wrong, and prints no link', async (words, message) => {
  const { client, link } = await linked();
  await client.call('create', { ...QUIET, name: 'build' });
  const { status, stdout, stderr } = await link(...words);
  expect({ failed: status !== 0, stdout, stderr }).toEqual({
    failed: true,
    stdout: '',
    stderr: expect.stringMatching(message),
  });
});

test('without a page that is served there is no link, and a terminal alone is too much for web', async () => {
  const env = { XDG_RUNTIME_DIR: tempDir().path };
  const none = await runCliHere(['web', '--link'], { env });
  expect(none).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('No running "t4a web"') });
  const one = await runCliHere(['web', 'build'], { env });
  expect(one).toMatchObject({ status: 2, stderr: expect.stringContaining('t4a web --link --read-only build') });
});

test('of two daemons with a terminal of that name the link needs the name of one', async () => {
  const [first, second] = [await clientOfOwnDaemon(), await clientOfOwnDaemon()];
  for (const { socketPath } of [first, second]) {
    const client = await connect({ socketPath, autoStart: false });
    await client.call('create', { ...QUIET, name: 'build' });
    await client.close();
  }
  const env = { XDG_RUNTIME_DIR: tempDir().path };
  await servedFor(['--socket', first.socketPath, '--socket', second.socketPath], env);
  const { status, stderr } = await runCliHere(['web', '--link', '--read-only', 'build'], { env });
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('Several daemons') });
  const [, name = ''] = /--on (.+?), or --on/.exec(stderr) ?? [];
  const named = await runCliHere(['web', '--link', '--read-only', '--on', name, 'build'], { env });
  expect(named).toMatchObject({ status: 0, stdout: expect.stringContaining('/#') });
});

test('the pages of one link take turns as one, and those of the owner and of other links by themselves', async () => {
  const { client } = await linked();
  const turns: unknown[] = [];
  const socketPath = path.join(tempDir().path, 'between');
  const between = createServer((socket) => {
    const onward = createConnection(client.socketPath);
    const told: string[] = [];
    const splitter = new LineSplitter(MAX_LINE_BYTES, {
      line: (line) => {
        const { cmd, turns: named } = JSON.parse(Buffer.from(line).toString()) as Message;
        if (cmd === 'restrict' && typeof named === 'string') told.push(named);
        if (cmd === 'list') turns.push(told.at(-1));
      },
      tooLong: () => socket.destroy(),
    });
    socket.on('data', (chunk: Buffer) => splitter.push(new Uint8Array(chunk)));
    for (const each of [socket, onward]) each.on('error', () => each.destroy());
    socket.pipe(onward).pipe(socket);
  });
  between.listen(socketPath);
  await once(between, 'listening');
  onTestFinished(() => void between.close());
  const env = { XDG_RUNTIME_DIR: tempDir().path };
  const { origin, code } = await servedFor(['--socket', socketPath], env);
  const link = async (...words: string[]) => (await runCliHere(['web', '--link', ...words], { env })).stdout;
  const guest = await trade(origin, codeOf(await link('--read-only')));
  const other = await trade(origin, codeOf(await link('--read-only')));
  for (const grant of [guest, guest, other, await trade(origin, code)]) {
    const [page] = await enter(origin, grant);
    expect(await page.ask('list')).toMatchObject({ ok: true });
  }
  expect(turns).toEqual([
    expect.stringMatching(/^.{16,128}$/),
    turns[0],
    expect.stringMatching(/^.{16,128}$/),
    undefined,
  ]);
  expect(turns[2]).not.toBe(turns[0]);
});
