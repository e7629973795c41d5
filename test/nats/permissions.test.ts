/** Printed permissions in a real server: all of t4a works with them, and each direction that is forbidden is refused. */
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { type Level, LEVELS } from '../../src/nats/fleet-url.js';
import { permissionsOf } from '../../src/nats/permissions.js';
import { inboxOf, Subjects } from '../../src/nats/subjects.js';
import { testFleet, type TestFleet } from '../support/fleet.js';
import { joined, natsServer, natsUser, type NatsServer, type NatsUser, withUsers } from '../support/nats.js';
import { ofFile } from '../support/of-file.js';
import { needs } from '../support/programs.js';

needs('nats-server');

const USERS = ['web1', 'web2', 'reader', 'user', 'creator', 'watcher', 'lister', 'blind'] as const;

interface Guarded extends TestFleet {
  readonly server: NatsServer;
  readonly users: Readonly<Record<(typeof USERS)[number], NatsUser>>;
  /** Of the links to web1. */
  readonly address: string;
}

const subjects = new Subjects('farm');

/** Clients may ask `web1`, which allows all levels, and not `web2`. */
const guarded = ofFile(async (atEnd): Promise<Guarded> => {
  const fleet = testFleet(atEnd);
  const users = Object.fromEntries(USERS.map((name) => [name, natsUser(fleet.dir.path, name)])) as Guarded['users'];
  const of = (host: string, user: NatsUser) =>
    permissionsOf({ fleet: 'farm' }, host, 'create', {
      agent: inboxOf(user.publicKey),
      client: inboxOf(user.publicKey),
    });
  const client = (user: NatsUser, level: Level) => [user, of('web1', user).clients[level]] as const;
  const blind = of('web1', users.blind).clients.create;
  const { allow } = blind.publish as { readonly allow: readonly string[] };
  const config = withUsers([
    [users.lister, of('*', users.lister).clients.create],
    [users.blind, { ...blind, publish: { allow: allow.filter((subject) => subject !== subjects.everyone) } }],
    [users.web1, of('web1', users.web1).agent],
    [users.web2, of('web2', users.web2).agent],
    client(users.reader, 'read'),
    client(users.user, 'use'),
    client(users.creator, 'create'),
    [users.watcher, of('web1', users.watcher).watcher],
  ]);
  const server = await natsServer(config, atEnd);
  for (const name of ['web1', 'web2'] as const) {
    const socket = await fleet.daemon(name);
    await fleet.output('--socket', socket, 'create', '--name', 'a', '--', 'sh', '-c', 'echo on the screen; exec cat');
    await fleet.output('--socket', socket, 'wait', 'a', '--text', 'on the screen');
    await joined(
      fleet,
      socket,
      [`${server.url}/farm?creds=${users[name].file}`, '--name', name, '--allow', 'create'],
      atEnd,
    );
  }
  const asked = await (await server.client(users.reader)).request(subjects.who('web1'));
  return { ...fleet, server, users, address: asked.json<{ address: string }>().address };
});

function route({ server, users }: Guarded, user: 'reader' | 'user' | 'creator', more = ''): string {
  return `${server.url}/farm/web1?creds=${users[user].file}${more}`;
}

test('with printed permissions all works: reading, typing and creating, each for its own users', async () => {
  const farm = await guarded();
  for (const [user, level] of [
    ['reader', 'read'],
    ['user', 'use'],
    ['creator', 'create'],
  ] as const) {
    expect(await farm.output('text', '--on', route(farm, user, `&allow=${level}`), 'a')).toContain('on the screen');
  }
  expect(await farm.output('type', '--on', route(farm, 'user', '&allow=use'), 'a', 'typed')).toBe('');
  expect(await farm.output('run', '--on', route(farm, 'creator'), '--', 'echo', 'ran')).toContain('ran');
});

test('a user whose level is lower than that of its request is refused by the server, and the error names the way out', async () => {
  const farm = await guarded();
  const { status, stderr } = await farm.t4a(['text', '--on', route(farm, 'reader', '&allow=use'), 'a']);
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/refuses level use to this user; try \?allow=read/);
});

test('a user that may not ask who is there is refused the whole fleet, and one that may has all of its hosts', async () => {
  const { t4a, output, server, users } = await guarded();
  const fleet = (user: NatsUser): string => `${server.url}/farm?creds=${user.file}`;
  for (const args of [
    ['join', fleet(users.blind), '--list'],
    ['create', '--on', fleet(users.blind), 'cat'],
  ]) {
    const { status, stderr } = await t4a(args);
    expect(status).not.toBe(0);
    expect(stderr).toContain('refuses to this user to ask who is in the fleet');
  }
  const { terminals } = JSON.parse(await output('list', '--on', fleet(users.lister), '--json')) as {
    terminals: { host: string }[];
  };
  expect(terminals.map(({ host }) => host)).toEqual(expect.arrayContaining(['web1', 'web2']));
});

/** @returns what the server says to it, or undefined if it takes it */
async function violationOf(nats: NatsConnection, act: () => void): Promise<string | undefined> {
  const said = (async () => {
    for await (const status of nats.status()) if (status.type === 'error') return status.error.message;
    return undefined;
  })();
  act();
  await nats.flush();
  // The server answers in order: after the reply to the flush nothing more is said about the act.
  return Promise.race([said, nats.flush().then(() => undefined)]);
}

test.each([
  ['reader', 'publish', 'a request of a higher level', ({ address }: Guarded) => subjects.link('web1', address, 'use')],
  [
    'user',
    'publish',
    'a request of a higher level',
    ({ address }: Guarded) => subjects.link('web1', address, 'create'),
  ],
  ['creator', 'publish', 'a request to another host', () => subjects.link('web2', 'x', 'read')],
  ['creator', 'publish', 'a single request to another host', () => subjects.host('web2')],
  ['creator', 'publish', 'a forged sign of life', () => subjects.heartbeat('web1')],
  [
    'creator',
    'publish',
    'a forged reply to another client',
    ({ users }: Guarded) => `${inboxOf(users.reader.publicKey)}.x`,
  ],
  ['web2', 'publish', 'a sign of life of another host', () => subjects.heartbeat('web1')],
  ['web2', 'publish', 'a request to another host', ({ address }: Guarded) => subjects.link('web1', address, 'read')],
  [
    'web2',
    'publish',
    'a forged reply to a client that has not asked it',
    ({ users }: Guarded) => `${inboxOf(users.reader.publicKey)}.x`,
  ],
  ['watcher', 'publish', 'anything', () => subjects.host('web1')],
  ['reader', 'subscribe', 'requests of others', ({ address }: Guarded) => subjects.link('web1', address, 'read')],
  ['reader', 'subscribe', 'replies to others', ({ users }: Guarded) => `${inboxOf(users.creator.publicKey)}.>`],
  ['reader', 'subscribe', 'everything', () => '>'],
  ['web2', 'subscribe', 'requests to another host', () => 't4a.farm.host.web1.>'],
  ['web2', 'subscribe', 'questions for another host', () => subjects.who('web1')],
  ['web2', 'subscribe', 'replies to clients', ({ users }: Guarded) => `${inboxOf(users.creator.publicKey)}.>`],
  ['watcher', 'subscribe', 'requests', () => 't4a.farm.host.>'],
] as const)('the server refuses to %s to %s %s', async (user, act, _what, subject) => {
  const farm = await guarded();
  const nats = await farm.server.client(farm.users[user]);
  const says = await violationOf(nats, () => {
    if (act === 'publish') nats.publish(subject(farm), 'x');
    else nats.subscribe(subject(farm), { callback: () => {} });
  });
  expect(says).toMatch(/permissions violation/i);
});

test('no host writes to another subject than an inbox for a client that may not', async () => {
  const farm = await guarded();
  const reader = await farm.server.client(farm.users.reader);
  const agent = await farm.server.client(farm.users.web2);
  const heard: string[] = [];
  agent.subscribe(subjects.host('web2'), { callback: (_error, message) => void heard.push(message.subject) });
  await agent.flush();
  const given = headers();
  given.set('T4a-Seq', '0');
  // Web1 would have to publish it: a client has no say in what agents may.
  for (const reply of [
    subjects.host('web2'),
    subjects.heartbeat('web1'),
    '_INBOX.x',
    '_INBOX.a.b.c.d',
    't4a.farm.who.web2',
  ]) {
    reader.publish(subjects.link('web1', farm.address, 'read'), '{"cmd":"ping"}\n', { reply, headers: given });
    reader.publish(subjects.host('web1'), '{"cmd":"ping"}', { reply });
    reader.publish(subjects.who('web1'), '', { reply });
  }
  // Web1 has taken them all when it answers the next one.
  expect((await reader.request(subjects.host('web1'), '{"cmd":"ping"}')).json()).toMatchObject({ ok: true });
  await agent.flush();
  expect(heard).toEqual([]);
});

test('one message is one request, which reads; a large reply comes in parts, and nothing but the last is without a mark', async () => {
  const farm = await guarded();
  const nats = await farm.server.client(farm.users.reader);
  const ask = async (request: object): Promise<unknown> =>
    (await nats.request(subjects.host('web1'), JSON.stringify(request))).json();
  expect(await ask({ cmd: 'list' })).toMatchObject({ ok: true, terminals: [{ id: 'a' }] });
  expect(await ask({ cmd: 'type', id: 'a', text: 'x' })).toMatchObject({ code: 'not_allowed' });
  expect(await ask({ cmd: 'events' })).toMatchObject({ code: 'not_allowed' });
  await farm.output(
    'create',
    '--on',
    route(farm, 'creator'),
    '--name',
    'big',
    '--',
    'sh',
    '-c',
    'seq 100001 170000; exec cat',
  );
  await farm.output('wait', '--on', route(farm, 'creator'), 'big', '--text', '170000');
  const parts: Uint8Array[] = [];
  const marks: boolean[] = [];
  for await (const { data, headers: given } of await nats.requestMany(
    subjects.host('web1'),
    JSON.stringify({ cmd: 'output', id: 'big', max_bytes: 1_000_000 }),
    { strategy: 'stall', maxWait: 5000 },
  )) {
    parts.push(data);
    marks.push(given?.get('T4a-More') === '1');
  }
  expect(marks.length).toBeGreaterThan(1);
  expect(marks).toEqual([...marks.slice(1).map(() => true), false]);
  expect(Buffer.concat(parts).toString()).toContain('170000');
});

test('the lists have each level and those below it, and none is empty', () => {
  const { agent, clients, watcher } = permissionsOf({ fleet: 'farm' }, 'web1', 'use', {
    agent: '_INBOX.A',
    client: '_INBOX.C',
  });
  expect(agent.subscribe.allow.filter((one) => one.includes('.*.'))).toEqual([
    't4a.farm.host.web1.*.read',
    't4a.farm.host.web1.*.use',
  ]);
  for (const level of LEVELS) expect(clients[level].subscribe.allow).toEqual(['_INBOX.C.>']);
  expect(watcher.publish).toEqual({ deny: ['>'] });
});
