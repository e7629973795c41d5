/** Users of a real server as operators have them: printed permissions and nothing else, credentials of an operator, TLS off this machine. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { nkeys } from '@nats-io/transport-node';
import { expect, onTestFinished, test } from 'vitest';
import type { FleetPermissions, Permissions } from '../../src/nats/permissions.js';
import { streamCli } from '../support/cli.js';
import { testFleet, type TestFleet } from '../support/fleet.js';
import { joined, natsServer, natsUser, type NatsUser, withUsers } from '../support/nats.js';
import { itCannot, itNeeds, needs } from '../support/programs.js';
import { RawConnection } from '../support/raw.js';

needs('nats-server');

/** As the command prints them, with the public key of the client in the place of its word. */
async function printed({ output }: TestFleet, agent: NatsUser, client: NatsUser): Promise<FleetPermissions> {
  const url = `nats://127.0.0.1/farm?creds=${agent.file}`;
  const text = await output('join', url, '--name', 'web1', '--allow', 'create', '--print-permissions');
  return JSON.parse(text.replaceAll('PUBLIC-KEY-OF-THE-CLIENT', client.publicKey)) as FleetPermissions;
}

test('with printed permissions and no others each request of agents and clients is done, and the server refuses none', async () => {
  const fleet = testFleet();
  const { dir, output, env } = fleet;
  const [agent, client, watcher] = ['agent', 'client', 'watcher'].map((name) => natsUser(dir.path, name)) as [
    NatsUser,
    NatsUser,
    NatsUser,
  ];
  const { agent: agents, clients, watcher: watchers } = await printed(fleet, agent, client);
  const log = dir.join('server.log');
  const server = await natsServer({
    log_file: log,
    jetstream: { store_dir: dir.join('streams') },
    ...withUsers([
      [agent, agents],
      [client, clients.create],
      [watcher, watchers],
    ]),
  });
  const url = `${server.url}/farm`;
  await joined(fleet, await fleet.daemon('far'), [`${url}?creds=${agent.file}`, '--name', 'web1', '--allow', 'create']);
  const [all, one] = [`${url}?creds=${client.file}`, `${url}/web1?creds=${client.file}`];
  expect(await output('join', all, '--list')).toContain('web1  create');
  expect(await output('create', '--on', one, '--name', 'a', 'cat')).toContain('a');
  expect(await output('create', '--on', all, '--name', 'b', 'cat')).toContain('b');
  const events = streamCli(['events', '--on', one, '--since', '0'], { env, cwd: dir.path });
  expect(JSON.parse(await events.line())).toMatchObject({ event: 'created', terminal: 'a' });
  await output('type', '--on', one, 'a', 'typed');
  await output('wait', '--on', one, 'a', '--text', 'typed');
  expect(await output('run', '--on', one, '--', 'echo', 'ran')).toContain('ran');
  expect(await output('list', '--on', all)).toContain('cat');
  await output('kill', '--on', one, 'b');
  for (const level of ['read', 'use', 'create'])
    expect(await output('text', '--on', `${one}&allow=${level}`, 'a')).toContain('typed');
  const raw = await server.client(client);
  expect((await raw.request('t4a.farm.host.web1', '{"cmd":"ping"}')).json()).toMatchObject({ ok: true });
  const heard = await server.client(watcher);
  const beat = new Promise((resolve) => {
    heard.subscribe('t4a.farm.hb.*', { callback: (_error, message) => resolve(message.json()) });
  });
  expect(await beat).toMatchObject({ host: 'web1' });
  expect(readFileSync(log, 'utf8')).not.toMatch(/violation/i);
});

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** Signed by the key, as nsc makes them. */
function token(by: KeyPair, subject: KeyPair, name: string, claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(Date.now() / 1000);
  const body = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part({
    jti: name,
    iat,
    iss: by.getPublicKey(),
    name,
    sub: subject.getPublicKey(),
    nats: { version: 2, ...claims },
  })}`;
  return `${body}.${Buffer.from(by.sign(new TextEncoder().encode(body))).toString('base64url')}`;
}

const UNLIMITED = { subs: -1, data: -1, payload: -1 };

/** The permissions as a JWT has them. */
function claimsOf({ publish, subscribe, allow_responses: responses }: Permissions): object {
  const resp = responses === undefined ? {} : { resp: { max: responses.max, ttl: 60_000_000_000 } };
  return { type: 'user', pub: publish, sub: subscribe, ...resp, ...UNLIMITED };
}

test('a server of operator mode takes files of credentials, and no others', async () => {
  const fleet = testFleet();
  const [operator, account, stranger] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createAccount()];
  const credentials = (name: string, by: KeyPair, permissions: (key: string) => Permissions): string => {
    const pair = nkeys.createUser();
    const jwt = token(by, pair, name, claimsOf(permissions(pair.getPublicKey())));
    const seed = new TextDecoder().decode(pair.getSeed());
    const file = fleet.dir.join(`${name}.creds`);
    const part = (what: string, text: string): string =>
      `-----BEGIN ${what}-----\n${text}\n------END ${what}------\n\n`;
    writeFileSync(file, part('NATS USER JWT', jwt) + part('USER NKEY SEED', seed), { mode: 0o600 });
    return file;
  };
  const limits = { ...UNLIMITED, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
  const server = await natsServer({
    operator: token(operator, operator, 'operator', { type: 'operator' }),
    resolver: 'MEMORY',
    resolver_preload: {
      [account.getPublicKey()]: token(operator, account, 'farm', { type: 'account', limits }),
    },
  });
  const all = await printed(fleet, natsUser(fleet.dir.path, 'a'), natsUser(fleet.dir.path, 'c'));
  const own = (permissions: Permissions) => (key: string) =>
    JSON.parse(JSON.stringify(permissions).replaceAll(/_INBOX\.U[A-Z2-7]+/g, `_INBOX.${key}`)) as Permissions;
  const agent = credentials('agent', account, own(all.agent));
  const reader = credentials('reader', account, own(all.clients.read));
  const forged = credentials('forged', stranger, own(all.clients.create));
  const socket = await fleet.daemon('far');
  await joined(fleet, socket, [`${server.url}/farm?creds=${agent}`, '--name', 'web1', '--allow', 'use']);
  await fleet.output('--socket', socket, 'create', '--name', 'a', 'cat');
  const at = (file: string, level: string): string => `${server.url}/farm/web1?creds=${file}&allow=${level}`;
  expect(await fleet.output('list', '--on', at(reader, 'read'))).toContain('cat');
  const { status, stderr } = await fleet.t4a(['type', '--on', at(reader, 'use'), 'a', 'x']);
  expect([status, stderr]).toEqual([1, expect.stringContaining('refuses level use to this user')]);
  expect((await fleet.t4a(['list', '--on', at(forged, 'read')])).stderr).toMatch(/cannot be used: .*authorization/i);
});

const address = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
const itIsOff = address === undefined ? itCannot('a network beside the loopback') : itNeeds('nats-server', 'openssl');

itIsOff('off this machine the certificate of the server is verified by its authority and its address', async () => {
  const fleet = testFleet();
  const file = (name: string): string => fleet.dir.join(name);
  const openssl = (...args: string[]): unknown => execFileSync('openssl', args, { stdio: 'ignore' });
  const rsa = (name: string): string[] => ['-newkey', 'rsa:2048', '-nodes', '-keyout', file(`${name}.key`)];
  for (const ca of ['ca', 'other'])
    openssl('req', '-x509', '-days', '2', ...rsa(ca), '-out', file(`${ca}.pem`), '-subj', `/CN=${ca}`);
  openssl('req', ...rsa('server'), '-out', file('server.csr'), '-subj', '/CN=nats');
  for (const [name, of] of [
    ['server', `IP:${address}`],
    ['local', 'DNS:localhost'],
  ] as const) {
    writeFileSync(file('san'), `subjectAltName=${of}`);
    const signed = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-extfile', file('san')];
    openssl('x509', '-req', '-days', '2', '-in', file('server.csr'), ...signed, '-out', file(`${name}.pem`));
  }
  const [agent, client] = [natsUser(fleet.dir.path, 'agent'), natsUser(fleet.dir.path, 'client')];
  const { agent: agents, clients } = await printed(fleet, agent, client);
  const config = (cert: string): object => ({
    tls: { cert_file: file(`${cert}.pem`), key_file: file('server.key') },
    ...withUsers([
      [agent, agents],
      [client, clients.read],
    ]),
  });
  const { url } = await natsServer(config('server'), onTestFinished, address);
  const query = (user: NatsUser, ca: string): string => `creds=${user.file}&ca=${file(`${ca}.pem`)}`;
  const socket = await fleet.daemon('far');
  await fleet.output('--socket', socket, 'create', '--name', 'a', 'cat');
  await joined(fleet, socket, [`${url}/farm?${query(agent, 'ca')}`, '--name', 'web1']);
  expect(await fleet.output('list', '--on', `${url}/farm/web1?${query(client, 'ca')}`)).toContain('cat');
  const { status, stderr } = await fleet.t4a(['list', '--on', `${url}/farm/web1?${query(client, 'other')}`]);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/certificate|self.signed/i)]);
  const local = await natsServer(config('local'), onTestFinished, address);
  const { stderr: says } = await fleet.t4a(['join', `${local.url}/farm?${query(client, 'ca')}`, '--list']);
  expect(says).toContain("does not match certificate's altnames");
  expect((await fleet.t4a(['join', `${url}/farm?ca=${file('ca.pem')}`, '--list'])).stderr).toContain(
    'with credentials only',
  );
});

test('a gateway serves hosts of a server whose users have printed permissions', async () => {
  const fleet = testFleet();
  const [agent, client] = [natsUser(fleet.dir.path, 'agent'), natsUser(fleet.dir.path, 'client')];
  const { agent: agents, clients } = await printed(fleet, agent, client);
  const { url } = await natsServer(
    withUsers([
      [agent, agents],
      [client, clients.read],
    ]),
  );
  await joined(fleet, await fleet.daemon('far'), [`${url}/farm?creds=${agent.file}`, '--name', 'web1']);
  await fleet.output('hosts', 'add', '*', `${url}/farm?creds=${client.file}`);
  const socketPath = fleet.dir.join('fleet.sock');
  const gateway = streamCli(['fleet', '--socket', socketPath], { env: fleet.env, cwd: fleet.dir.path });
  await gateway.line();
  const raw = new RawConnection(socketPath);
  onTestFinished(() => raw.close());
  expect((await raw.request({ cmd: 'list', host: 'web1' })).header).toMatchObject({ ok: true });
});
