/** Several hosts at once, some of which are slow, of another version, or gone in the middle of something. */
import { existsSync, mkdirSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.js';
import { streamCli } from '../support/cli.js';
import { fakeDaemon, replyLine } from '../support/fake-daemon.js';
import { testFleet, type TestFleet } from '../support/fleet.js';
import { type AtEnd, ofFile } from '../support/of-file.js';
import { RawConnection, rawRequest } from '../support/raw.js';
import { casesOf } from '../support/trial.js';

type Fields = Record<string, unknown>;

interface ManyHosts extends TestFleet {
  readonly hosts: readonly string[];
  /** A connection to a gateway of these hosts. */
  readonly gateway: () => Promise<RawConnection>;
}

/** Hosts `h1`, `h2` and so on, each a daemon of its own. */
async function makeHosts(count: number, atEnd: AtEnd = onTestFinished): Promise<ManyHosts> {
  const fleet = testFleet(atEnd);
  const hosts = Array.from({ length: count }, (_, i) => `h${i + 1}`);
  await Promise.all(
    hosts.map((name) => {
      mkdirSync(fleet.dir.join(name));
      return fleet.daemon(`${name}/t4a.sock`);
    }),
  );
  await fleet.output('hosts', 'add', '*', `unix:${fleet.dir.path}/*/t4a.sock`);
  return {
    ...fleet,
    hosts,
    async gateway() {
      const socketPath = fleet.dir.join('fleet.sock');
      const server = streamCli(['fleet', '--socket', socketPath], { env: fleet.env, cwd: fleet.dir.path });
      onTestFinished(() => void server.process.kill('SIGTERM'));
      await server.line();
      const connection = new RawConnection(socketPath);
      onTestFinished(() => connection.close());
      return connection;
    },
  };
}

const ofThisFile = ofFile((atEnd) => makeHosts(6, atEnd));

/** Six hosts that the tests share. Their terminals, and further hosts, end with each. */
async function sixHosts(): Promise<ManyHosts> {
  const fleet = await ofThisFile();
  onTestFinished(async () => {
    for (const name of ['local', ...fleet.hosts.map((host) => `${host}/t4a.sock`)]) {
      const socketPath = fleet.dir.join(name);
      if (!existsSync(socketPath)) continue;
      const { header } = await rawRequest(socketPath, { cmd: 'list' });
      for (const { id } of header['terminals'] as { id: string }[]) await rawRequest(socketPath, { cmd: 'kill', id });
    }
  });
  return {
    ...fleet,
    async output(...args) {
      const [command, action, name = ''] = args;
      if (command === 'hosts' && action === 'add')
        onTestFinished(async () => void (await fleet.output('hosts', 'rm', name)));
      return fleet.output(...args);
    },
  };
}

/** A host that takes connections, and never says anything. */
async function silentHost({ dir, output }: TestFleet): Promise<void> {
  const open = new Set<Socket>();
  const server = createServer((socket) => void open.add(socket.on('error', () => {})));
  server.listen(dir.join('silent.sock'));
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  await output('hosts', 'add', 'silent', `unix:${dir.join('silent.sock')}`);
}

async function lineWith(next: () => Promise<string | Buffer>, wanted: Fields): Promise<Fields> {
  for (;;) {
    const line = JSON.parse((await next()).toString()) as Fields;
    if (Object.entries(wanted).every(([field, value]) => line[field] === value)) return line;
  }
}

test.each(casesOf([6, 20], (count) => count === 6))('%i daemons are listed at once', async (count) => {
  const { hosts, output, gateway } = count === 6 ? await sixHosts() : await makeHosts(count);
  const raw = await gateway();
  const made = hosts.map((host, req) => ({ cmd: 'create', host, req, name: 'a', cmd_args: ['cat'] }));
  for (const request of made) raw.write(`${JSON.stringify(request)}\n`);
  for (const _ of made) expect((await raw.reply()).header).toMatchObject({ ok: true });
  const { terminals } = JSON.parse(await output('list', '--all', '--json')) as { terminals: Fields[] };
  expect(terminals.map(({ host, id }) => `${String(host)}/${String(id)}`).toSorted()).toEqual(
    hosts.map((host) => `${host}/a`).toSorted(),
  );
  const { header } = await raw.request({ cmd: 'list' });
  expect((header['terminals'] as Fields[]).map(({ id }) => String(id)).toSorted()).toEqual(
    hosts.map((host) => `${host}/a`).toSorted(),
  );
});

test('events --all prints those of every host, with the host', async () => {
  const { output, dir, env } = await sixHosts();
  await output('list');
  const stream = streamCli(['events', '--all'], { env, cwd: dir.path });
  onTestFinished(() => void stream.process.kill('SIGTERM'));
  const seen = new Map<unknown, Fields>();
  // What is made before a host is subscribed to is not seen: another is made until one is.
  for (const host of ['h1', 'h2', 'local']) {
    const created = lineWith(() => stream.line(), { event: 'created', host });
    let isSeen = false;
    void created.finally(() => (isSeen = true));
    while (!isSeen) await output('create', '--on', host, 'cat');
    seen.set(host, await created);
  }
  expect([...seen.values()].map(({ host }) => host)).toEqual(['h1', 'h2', 'local']);
  for (const { terminal } of seen.values()) expect(terminal).toMatch(/^t\d+$/);
});

test('a host that never answers holds up no other', async () => {
  const fleet = await sixHosts();
  const { hosts, output, t4a, gateway } = fleet;
  for (const on of hosts) await output('create', '--on', on, '--name', 'a', 'cat');
  await silentHost(fleet);
  const { status, stdout, stderr } = await t4a(['list', '--all', '--json']);
  const { terminals } = JSON.parse(stdout) as { terminals: Fields[] };
  expect({ status, hosts: terminals.map(({ host }) => host) }).toEqual({ status: 1, hosts });
  expect(`${stdout}${stderr}`).toContain('silent');

  const raw = await gateway();
  raw.write('{"cmd":"events","req":"events","shared":true,"ack":true}\n');
  raw.write('{"cmd":"list","host":"silent","req":"silent"}\n');
  for (const host of hosts) {
    raw.write(`{"cmd":"type","id":"${host}/a","text":"hello","req":"${host}"}\n`);
    expect(await lineWith(() => raw.line(), { req: host })).toMatchObject({ ok: true });
  }
  raw.write('{"cmd":"kill","id":"h6/a","req":"kill"}\n');
  expect(await lineWith(() => raw.line(), { event: 'removed' })).toMatchObject({ terminal: 'h6/a' });
});

test('a host of another version of the protocol is named, and the others are asked', async () => {
  const { output, t4a, gateway } = await sixHosts();
  const newer = { version: '99.0.0', protocol: PROTOCOL_VERSION + 1, pid: 1, uptime_ms: 1, terminals: 0 };
  const { socketPath } = await fakeDaemon((socket, req) => void socket.write(replyLine(req, newer)));
  await output('hosts', 'add', 'newer', `unix:${socketPath}`);
  await output('create', '--on', 'h1', '--name', 'a', 'cat');
  const { status, stderr } = await t4a(['list', '--on', 'newer', '--json']);
  expect(status).not.toBe(0);
  expect(JSON.parse(stderr)).toMatchObject({
    code: 'version_mismatch',
    error: expect.stringContaining('t4a 99.0.0') as string,
    hint: 'Install the same t4a here and on newer.',
  });
  const raw = await gateway();
  expect((await raw.request({ cmd: 'list' })).header).toMatchObject({
    terminals: [{ id: 'h1/a' }],
    unreachable: [{ host: 'newer', code: 'version_mismatch' }],
  });
  expect((await raw.request({ cmd: 'text', id: 'newer/a' })).header).toMatchObject({ code: 'version_mismatch' });
});

test('a host that goes in the middle of a picture leaves no part of one', async () => {
  const { dir, output, t4a, gateway } = await sixHosts();
  const { socketPath, answers } = await fakeDaemon();
  await output('hosts', 'add', 'going', `unix:${socketPath}`);
  const halfPicture = (socket: Socket, req: unknown): void => {
    socket.end(`${replyLine(req, { len: 100_000, format: 'png' })}only its beginning`);
  };
  answers.push(halfPicture);
  const { status, stderr } = await t4a(['screenshot', 'going/a', '-o', 'a.png', '--json']);
  expect(status).not.toBe(0);
  expect(JSON.parse(stderr)).toMatchObject({ code: 'connection_lost' });
  expect(existsSync(dir.join('a.png'))).toBe(false);

  const raw = await gateway();
  answers.push(halfPicture);
  const { header, bytes } = await raw.request({ cmd: 'screenshot', id: 'going/a' });
  expect(header).toMatchObject({ ok: false, code: 'connection_lost' });
  expect(bytes).toHaveLength(0);
  expect((await raw.request({ cmd: 'list', host: 'h1' })).header).toMatchObject({ ok: true, terminals: [] });
});

test('of more hosts than are asked at once each has its own answer, behind those that are gone', async () => {
  const { dir, daemon, output, t4a } = testFleet();
  const live = await daemon('live');
  for (let i = 0; i < 70; i++) await output('hosts', 'add', `gone${i}`, `unix:${dir.join(`gone${i}`)}`);
  await output('hosts', 'add', 'live', `unix:${live}`);
  const { unreachable } = JSON.parse((await t4a(['list', '--all', '--json'])).stdout) as {
    unreachable: { host: string }[];
  };
  expect(unreachable.map(({ host }) => host)).toEqual(Array.from({ length: 70 }, (_, i) => `gone${i}`));
});
