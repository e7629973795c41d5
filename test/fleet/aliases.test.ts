/** Several routes to one daemon: a socket is refused, and of commands, which can only claim it, lists name both. */
import { linkSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { aliasesIn } from '../../src/fleet/aliases.js';
import { hostRoute } from '../../src/fleet/host-route.js';
import { CLI, streamCli } from '../support/cli.js';
import { testFleet, type TestFleet } from '../support/fleet.js';
import { RawConnection, rawRequest } from '../support/raw.js';

const ALIAS = { code: 'host_alias' };

async function gatewayOf({ dir, env }: TestFleet): Promise<RawConnection> {
  const server = streamCli(['fleet', '--socket', dir.join('fleet')], { env, cwd: dir.path });
  onTestFinished(() => void server.process.kill('SIGTERM'));
  await server.line();
  const socket = new RawConnection(dir.join('fleet'));
  onTestFinished(() => socket.close());
  return socket;
}

test('a path that is given to --on is compared with the listed sockets', async () => {
  const { dir, daemon, output, t4a } = testFleet();
  const far = await daemon('far');
  await output('hosts', 'add', 'web1', `unix:${far}`);
  expect(await output('list', '--on', `unix:${far}`)).toBe('');
  linkSync(far, dir.join('second'));
  const { stderr } = await t4a(['list', '--json', '--on', `unix:${dir.join('second')}`]);
  expect(JSON.parse(stderr)).toMatchObject({ ...ALIAS, error: expect.stringContaining(far) as string });
  // By its place, before anything is sent there.
  const [listed, link] = [dir.join('listed'), dir.join('link')];
  const heard: string[] = [];
  const listening = createServer((socket) => {
    socket.on('error', () => {}).on('data', (bytes) => heard.push(bytes.toString()));
  });
  await new Promise<void>((resolve) => void listening.listen(listed, resolve));
  onTestFinished(() => void listening.close());
  await output('hosts', 'add', 'web2', `unix:${listed}`);
  linkSync(listed, link);
  expect(JSON.parse((await t4a(['list', '--json', '--on', `unix:${link}`])).stderr)).toMatchObject(ALIAS);
  expect(heard).toEqual([]);
});

test('the very socket that was looked at is connected to, if it is swapped for a link right after the look', async () => {
  const { dir, daemon } = testFleet();
  const [looked, other] = [await daemon('looked'), await daemon('other')];
  const instanceOf = async (path: string): Promise<unknown> =>
    (await rawRequest(path, { cmd: 'ping' })).header['instance'];
  const instance = await instanceOf(looked);
  // Asked between the look at the socket and the connection.
  const signal = Object.assign(new AbortController().signal, {
    throwIfAborted() {
      renameSync(looked, dir.join('away'));
      symlinkSync(other, looked);
    },
  });
  const route = hostRoute({ name: 'web1', url: `unix:${looked}`, carrier: { kind: 'socket', path: looked } });
  const opened = await route.open({ signal });
  onTestFinished(() => void opened.stream.destroy());
  expect(opened.daemon.instance).toBe(instance);
  expect(await instanceOf(looked)).not.toBe(instance);
});

test('a command that leads to the daemon of this user is refused, and gets no more than a ping', async () => {
  const { dir, standIn, output, t4a } = testFleet();
  await output('create', '--name', 'own', 'cat');
  standIn('ssh', dir.join('local'));
  await output('hosts', 'add', 'web1', 'ssh://me@web1');
  const { stderr } = await t4a(['text', 'web1/own', '--json']);
  expect(JSON.parse(stderr)).toMatchObject({ ...ALIAS, error: expect.stringContaining(dir.join('local')) as string });
  const all = await t4a(['list', '--all']);
  expect(all.stdout.match(/\/own/g)).toHaveLength(1);
});

test('two commands that lead to one daemon are named by list, by a gateway and in JSON', async () => {
  const fleet = testFleet();
  const { daemon, standIn, output, t4a } = fleet;
  standIn('ssh', await daemon('far'));
  for (const name of ['web1', 'box']) await output('hosts', 'add', name, `ssh://me@${name}`);
  await output('create', '--on', 'web1', '--name', 'a', 'cat');
  const { status, stdout, stderr } = await t4a(['list', '--all']);
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: 't4a: box: Its daemon says that it is the one of web1: the terminals are listed under both names.\n',
  });
  for (const id of ['web1/a', 'box/a']) expect(stdout).toContain(id);
  const aliases = [{ host: 'box', of: 'web1' }];
  expect(JSON.parse(await output('list', '--all', '--json'))).toMatchObject({ unreachable: [], aliases });
  const { header } = await (await gatewayOf(fleet)).request({ cmd: 'list' });
  expect(header).toMatchObject({ ok: true, unreachable: [], aliases });
});

test('a list of hosts that are all different names none', async () => {
  const fleet = testFleet();
  const { daemon, output } = fleet;
  for (const name of ['x', 'y']) await output('hosts', 'add', name, `unix:${await daemon(name)}`);
  expect(JSON.parse(await output('list', '--all', '--json'))).not.toHaveProperty('aliases');
  expect((await (await gatewayOf(fleet)).request({ cmd: 'list' })).header).not.toHaveProperty('aliases');
});

test('hosts without an instance are no aliases', () => {
  const [a, b] = ['a', 'b'].map((host) => ({ host, instance: undefined }));
  expect(aliasesIn([a, b, { host: 'c', instance: 'i' }] as never)).toEqual([]);
});

test.each([
  ['a second name of its socket', linkSync, 'host_alias'],
  ['a link to its socket', symlinkSync, 'host_unreachable'],
])(
  'a gateway asks itself for nothing: %s in the place of a listed one',
  async (_what, swap: (own: string, path: string) => void, code) => {
    const fleet = testFleet();
    const { dir, daemon, output } = fleet;
    mkdirSync(dir.join('x'));
    const path = await daemon('x/t4a.sock');
    await output('hosts', 'add', 'x', `unix:${path}`);
    const socket = await gatewayOf(fleet);
    renameSync(path, dir.join('x', 'away'));
    swap(dir.join('fleet'), path);
    const { header } = await socket.request({ cmd: 'list' });
    expect(header).toMatchObject({ ok: true, terminals: [], unreachable: [{ host: 'x', code }] });
  },
);

test('nor by a command that leads to it', async () => {
  const fleet = testFleet();
  const { dir, standIn, output } = fleet;
  const heard = dir.join('heard');
  const tee = `export T4A_SOCKET='${dir.join('fleet')}'\ntee -a '${heard}' | '${process.execPath}' '${CLI}' stdio\nexit`;
  const { calls } = standIn('ssh', dir.join('fleet'), tee);
  await output('hosts', 'add', 'loop', 'ssh://me@loop');
  const socket = await gatewayOf(fleet);
  const { header } = await socket.request({ cmd: 'list' });
  expect(header).toMatchObject({ ok: true, unreachable: [{ host: 'loop', code: 'host_alias' }] });
  expect(calls().filter((word) => word === 'stdio')).toHaveLength(1);
  const asked = readFileSync(heard, 'utf8').trimEnd().split('\n');
  expect(asked.map((line) => (JSON.parse(line) as { cmd: string }).cmd)).toEqual(['ping']);
});

/** Two gateways whose lists name each other, each with a terminal of its own. */
async function eachOther(): Promise<{ sockets: [RawConnection, RawConnection]; calls: () => string[] }> {
  const [one, other] = [testFleet(), testFleet()];
  const ends = [one.standIn('ssh', other.dir.join('fleet')), other.standIn('ssh', one.dir.join('fleet'))];
  await one.output('create', '--name', 'mine', 'cat');
  await other.output('create', '--name', 'theirs', 'cat');
  await one.output('hosts', 'add', 'b', 'ssh://me@b');
  await other.output('hosts', 'add', 'a', 'ssh://me@a');
  const sockets: [RawConnection, RawConnection] = [await gatewayOf(one), await gatewayOf(other)];
  return { sockets, calls: () => ends.flatMap(({ calls }) => calls()).filter((word) => word === 'stdio') };
}

test('of two gateways that list each other each has the terminals of both, once, and asks the other once', async () => {
  const { sockets, calls } = await eachOther();
  const lists = [];
  for (const socket of sockets) lists.push((await socket.request({ cmd: 'list' })).header);
  expect(lists).toMatchObject([
    { ok: true, terminals: [{ id: 'mine' }, { id: 'b/theirs' }], unreachable: [] },
    { ok: true, terminals: [{ id: 'theirs' }, { id: 'a/mine' }], unreachable: [] },
  ]);
  const named = await sockets[0].request({ cmd: 'list', host: 'b' });
  expect(named.header).toMatchObject({ ok: true, terminals: [{ id: 'b/theirs' }] });
  expect(calls()).toHaveLength(2);
});

test('a request that has gone through a gateway is refused by it, and so is one that has gone through eight', async () => {
  const socket = await gatewayOf(testFleet());
  const { instance } = (await socket.request({ cmd: 'ping' })).header;
  const others = Array.from({ length: 8 }, (_, index) => `gateway-${index}`);
  for (const cmd of ['list', 'events']) {
    const replies: [unknown, object][] = [
      [['other', instance], { ok: false, code: 'host_alias', error: expect.stringContaining('asks itself') as string }],
      [others, { ok: false, code: 'host_alias', error: expect.stringContaining('8 gateways') as string }],
      [[...others, 'ninth'], { ok: false, code: 'invalid_field', field: 'via' }],
      ['other', { ok: false, code: 'invalid_field', field: 'via' }],
      [['a b'], { ok: false, code: 'invalid_field', field: 'via' }],
    ];
    for (const [via, refusal] of replies) expect((await socket.request({ cmd, via })).header).toMatchObject(refusal);
  }
  expect((await socket.request({ cmd: 'list', via: ['other'] })).header).toMatchObject({ ok: true });
});

test('events of two gateways that list each other come from the terminals of both, and the other is not followed back', async () => {
  const { sockets } = await eachOther();
  const [socket] = sockets;
  socket.write(`${JSON.stringify({ cmd: 'events', types: ['published'] })}\n`);
  const looped = { event: 'host', host: 'b', state: 'down', code: 'host_alias' };
  let seen = (await socket.reply()).header;
  while (seen['state'] !== 'down') seen = (await socket.reply()).header;
  expect(seen).toMatchObject(looped);
  expect((await sockets[1].request({ cmd: 'publish', name: 'theirs' })).header).toMatchObject({ ok: true });
  for (;;) {
    const { header } = await socket.reply();
    if (header['event'] === 'host') expect(header).toMatchObject(looped);
    if (header['event'] !== 'published') continue;
    expect(header).toMatchObject({ host: 'b', name: 'theirs' });
    break;
  }
});
