/** `t4a join` and routes of nats://, over a real server: what clients of a fleet see, and what is refused. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { encodePresence, presenceIn } from '../../src/nats/presence.js';
import { requestRefusal } from '../../src/nats/refused-requests.js';
import { Subjects } from '../../src/nats/subjects.js';
import { testFleet, type TestFleet } from '../support/fleet.js';
import { joined, natsServer, natsUser, type NatsServer } from '../support/nats.js';
import { ofFile } from '../support/of-file.js';
import { itNeeds, needs } from '../support/programs.js';
import { CLI, type CliStream, streamCli } from '../support/cli.js';

needs('nats-server');

interface Farm extends TestFleet {
  readonly server: NatsServer;
  readonly far: string;
}

/** Host `web1` allows creation and `web2` what is allowed by default; each has a terminal `a`. */
const farm = ofFile(async (atEnd): Promise<Farm> => {
  const fleet = testFleet(atEnd);
  const server = await natsServer({}, atEnd);
  const far = await fleet.daemon('far');
  const other = await fleet.daemon('other');
  for (const [socket, says] of [
    [far, 'one'],
    [other, 'two'],
  ] as const) {
    await fleet.output('--socket', socket, 'create', '--name', 'a', '--', 'sh', '-c', `echo screen ${says}; exec cat`);
    await fleet.output('--socket', socket, 'wait', 'a', '--text', `screen ${says}`);
  }
  await joined(fleet, far, [`${server.url}/farm`, '--name', 'web1', '--allow', 'create', '--label', 'gpu=a100'], atEnd);
  await joined(fleet, other, [`${server.url}/farm`, '--name', 'web2'], atEnd);
  await fleet.output('hosts', 'add', `${server.url}/farm/web1`);
  await fleet.output('hosts', 'add', 'web2', `${server.url}/farm/web2`);
  await fleet.output('hosts', 'add', 'low', `${server.url}/farm/web1?allow=read`);
  return { ...fleet, server, far };
});

async function codeOf({ t4a }: TestFleet, args: readonly string[], input?: string): Promise<unknown> {
  const { stderr } = await t4a([args[0] ?? '', '--json', ...args.slice(1)], input === undefined ? {} : { input });
  return (JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}') as { code?: unknown }).code;
}

test('two daemons that have joined are listed, read, drawn and run through one server', async () => {
  const { output, t4a } = await farm();
  const { terminals } = JSON.parse(await output('list', '--all', '--json')) as {
    terminals: { host: string; id: string }[];
  };
  expect(terminals.map(({ host, id }) => `${host}/${id}`)).toEqual(expect.arrayContaining(['web1/a', 'web2/a']));
  expect(await output('text', 'web1/a')).toContain('screen one');
  expect(await output('text', 'web2/a')).toContain('screen two');
  const { bytes } = await t4a(['screenshot', 'web2/a', '-o', '-']);
  expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
  expect(await output('run', '--on', 'web1', '--', 'echo', 'ran there')).toContain('ran there');
});

test('a host says who it is, what it allows and what its labels are', async () => {
  const { output, server } = await farm();
  const { hosts } = JSON.parse(await output('join', `${server.url}/farm`, '--list', '--json')) as { hosts: object[] };
  expect(hosts).toMatchObject([
    {
      host: 'web1',
      allow: 'create',
      labels: { gpu: 'a100' },
      terminals: expect.any(Number) as number,
      room: expect.any(Number) as number,
    },
    { host: 'web2', allow: 'read', labels: {} },
  ]);
});

test('without --allow a host is only read: input, new programs and ends of programs are refused', async () => {
  const fleet = await farm();
  expect(await codeOf(fleet, ['type', 'web2/a', 'x'])).toBe('not_allowed');
  expect(await codeOf(fleet, ['create', '--on', 'web2', 'cat'])).toBe('not_allowed');
  expect(await codeOf(fleet, ['kill', 'web2/a'])).toBe('not_allowed');
  expect(await fleet.output('text', 'web2/a')).toContain('screen two');
});

test('a request above the level of its subject is refused, on a host that allows more', async () => {
  const fleet = await farm();
  expect(await fleet.output('text', 'low/a')).toContain('screen one');
  expect(await codeOf(fleet, ['type', 'low/a', 'x'])).toBe('not_allowed');
  expect(await codeOf(fleet, ['kill', 'low/a'])).toBe('not_allowed');
});

test('a level above what the host allows is refused before anything is asked', async () => {
  const { t4a, server } = await farm();
  const { stderr, status } = await t4a(['list', '--on', `${server.url}/farm/web2?allow=create`]);
  expect(status).not.toBe(0);
  expect(stderr).toContain('allows');
});

test('the daemon is not ended and not changed over NATS', async () => {
  const fleet = await farm();
  expect(await codeOf(fleet, ['shutdown', '--on', 'web1'])).toBe('not_allowed');
  expect(await codeOf(fleet, ['config', '--on', 'web1', '--max-terminals', '3'])).toBe('not_allowed');
});

test('a secret is refused, also between the parts of a large reply, and the connection lives', async () => {
  const fleet = await farm();
  expect(await codeOf(fleet, ['type', 'web1/a', '--secret'], 'hunter2')).toBe('not_allowed');
  const { stdout } = await fleet.t4a(['stdio', '--on', 'web1'], {
    input: [
      '{"cmd":"screenshot","id":"a","req":1}',
      '{"cmd":"type","id":"a","text":"x","\\u0073ecret":true,"req":2}',
      '{"cmd":"ask","id":"a","question":"Password?","kind":"secret","as":"fleet","timeout_ms":1,"req":4}',
      '\uFEFF{"cmd":"type","id":"a","text":"hunter2","secret":true,"even_if_shown":true,"req":5}',
      '{"cmd":"ping","req":3}',
      '',
    ].join('\n'),
  });
  expect(stdout).toContain('"req":1');
  const replies = stdout.split('\n').filter((line) => line.startsWith('{') && line.includes('"ok"'));
  const codes = new Map(
    replies.map((line) => JSON.parse(line) as Record<string, unknown>).map(({ req, code }) => [req, code]),
  );
  expect([2, 4, 5].map((req) => codes.get(req))).toEqual(['not_allowed', 'not_allowed', 'not_allowed']);
  expect(stdout).toContain('"req":3');
  expect(await fleet.output('text', 'web1/a')).not.toContain('hunter2');
  // What is no request has the answer that the daemon would give, and does not get to it.
  for (const line of ['{"cmd":"type","secret":true', '[{"cmd":"type"}]', '\xff{"cmd":"ping"}', '\0']) {
    expect(requestRefusal(Buffer.from(line, 'latin1')), line).toMatch(/"code":"bad_(json|request)"/);
  }
  expect(requestRefusal(Buffer.from('{"cmd":"ping"}'))).toBeUndefined();
});

test('a reply of megabytes arrives whole', async () => {
  const { output } = await farm();
  const said = await output('run', '--on', 'web1', '--', 'sh', '-c', 'seq 1 60000');
  expect(said.trim().split('\n').slice(-3)).toEqual(['59998', '59999', '60000']);
  await output(
    'create',
    '--on',
    'web1',
    '--name',
    'big',
    '--scrollback',
    '60000',
    '--',
    'sh',
    '-c',
    'seq 1 50000; echo end-of-it; exec cat',
  );
  await output('wait', 'web1/big', '--text', 'end-of-it');
  const text = await output('text', 'web1/big', '--region', 'all');
  expect(text.split('\n').filter((line) => /^\d+$/.test(line))).toHaveLength(50_000);
});

test('events and waits go through it', async () => {
  const { t4a, env, dir, output } = await farm();
  await output('create', '--on', 'web1', '--name', 'e', '--', 'cat');
  const events = streamCli(['events', 'web1/e', '--json', '--since', '0'], { env, cwd: dir.path });
  const seen = [await events.line()];
  const waited = t4a(['wait', 'web1/e', '--text', 'over nats']);
  await output('type', 'web1/e', 'over nats', '--submit');
  expect(await waited).toMatchObject({ status: 0 });
  await output('kill', 'web1/e');
  while (!seen.some((line) => line.includes('"event":"removed"'))) seen.push(await events.line());
  expect(seen.join('\n')).toMatch(/"created","terminal":"e"[^]*"removed","terminal":"e"/);
  events.process.kill('SIGTERM');
});

test('a gateway serves it like any other route', async () => {
  const { env, dir, t4a } = await farm();
  const socket = dir.join('gate');
  const gateway = streamCli(['fleet', '--socket', socket], { env, cwd: dir.path });
  await gateway.line();
  const { stdout } = await t4a(['text', 'web1/a'], { env: { T4A_SOCKET: socket } });
  expect(stdout).toContain('screen one');
  expect((await t4a(['list'], { env: { T4A_SOCKET: socket } })).stdout).toMatch(/web2\/a/);
});

test('the daemon that joins is that of --socket, also where T4A_SOCKET names another', async () => {
  const fleet = await farm();
  const meant = await fleet.daemon('meant');
  await fleet.output('--socket', meant, 'create', '--name', 'only-here', '--', 'cat');
  const url = `${fleet.server.url}/meant`;
  await joined(fleet, fleet.far, ['--socket', meant, url, '--name', 'web1']);
  expect(await fleet.output('list', '--on', `${url}/web1`)).toContain('only-here');
});

test('a name that another host has is refused', async () => {
  const fleet = await farm();
  const { status, stderr } = await fleet.t4a(['join', `${fleet.server.url}/farm`, '--name', 'web1'], {
    env: { T4A_SOCKET: fleet.far },
  });
  expect(status).toBe(1);
  expect(stderr).toContain('has another host "web1"');
});

test('a host that has not joined, and a server that is not there, are unreachable', async () => {
  const fleet = await farm();
  expect(await codeOf(fleet, ['list', '--on', `${fleet.server.url}/farm/web9`])).toBe('host_unreachable');
  expect(await codeOf(fleet, ['list', '--on', 'nats://127.0.0.1:1/farm/web1'])).toBe('host_unreachable');
});

test('of two hosts of one name that meet, the younger one leaves, and the older one stays', async () => {
  const fleet = testFleet();
  const { server } = await farm();
  const agent = await joined(fleet, await fleet.daemon('twin'), [`${server.url}/twins`, '--name', 'web1']);
  const nats = await server.client();
  const subjects = new Subjects('twins');
  const { data } = await nats.request(subjects.who('web1'));
  const own = presenceIn(data);
  if (own === undefined) throw new Error('no presence');
  const other = (joinedMs: number) => encodePresence('web1', { ...own, address: 'other', joined_ms: joinedMs });
  nats.publish(subjects.heartbeat('web1'), other(0));
  nats.publish(subjects.heartbeat('web1'), 'no presence');
  expect((await nats.request(subjects.who('web1'))).json()).toMatchObject({ address: own.address });
  nats.publish(subjects.heartbeat('web1'), other(own.joined_ms + 60_000));
  expect(await agent.ended()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('has another host') as string,
  });
});

test('the end of a daemon is the end of its join, which says so', async () => {
  const fleet = testFleet();
  const { server } = await farm();
  const far = await fleet.daemon('ending');
  const agent = await joined(fleet, far, [`${server.url}/ending`, '--name', 'gone']);
  await fleet.output('--socket', far, 'shutdown');
  expect(await agent.ended()).toMatchObject({ status: 1, stderr: expect.stringContaining('has ended') as string });
  expect(await codeOf(fleet, ['list', '--on', `${server.url}/ending/gone`])).toBe('host_unreachable');
});

test('a killed server ends links and no terminal; when it is back, the host is, at another address', async () => {
  const fleet = testFleet();
  const server = await natsServer();
  const far = await fleet.daemon('far');
  await fleet.output('--socket', far, 'create', '--name', 'a', 'cat');
  await joined(fleet, far, [`${server.url}/farm`, '--name', 'web1', '--allow', 'use']);
  await fleet.output('hosts', 'add', `${server.url}/farm/web1`);
  const addressOf = async (): Promise<string> => {
    const { hosts } = JSON.parse(await fleet.output('join', `${server.url}/farm`, '--list', '--json')) as {
      hosts: { address: string }[];
    };
    return hosts[0]?.address ?? '';
  };
  const before = await addressOf();
  const waiting = streamCli(['stdio', '--on', 'web1'], { env: fleet.env, cwd: fleet.dir.path });
  const call = fleet.t4a(['wait', 'web1/a', '--exit', '--json']);
  await expect.poll(async () => (await fleet.t4a(['list', '--on', 'web1'])).status).toBe(0);
  await server.kill();
  expect((await call).status).not.toBe(0);
  waiting.process.kill('SIGKILL');
  await server.again();
  await expect.poll(addressOf, { timeout: 10_000 }).not.toBe('');
  expect(await addressOf()).not.toBe(before);
  expect(await fleet.output('list', '--on', 'web1')).toContain('cat');
});

test('a request to the address of an earlier start has no answer, also while a host of that name is there', async () => {
  const fleet = testFleet();
  const server = await natsServer();
  const far = await fleet.daemon('far');
  const asker = await server.client();
  const subjects = new Subjects('farm');
  const started = async (): Promise<{ readonly agent: CliStream; readonly address: string }> => {
    const agent = await joined(fleet, far, [`${server.url}/farm`, '--name', 'web1', '--allow', 'create']);
    const { address } = (await asker.request(subjects.who('web1'))).json<{ address: string }>();
    return { agent, address };
  };
  const before = await started();
  before.agent.process.kill('SIGTERM');
  await before.agent.ended();
  const after = await started();
  const ask = (address: string) => asker.request(subjects.link('web1', address, 'read'), 'x');
  // The second one is heard: it says that it has no such link.
  expect((await ask(after.address)).headers).toBeDefined();
  await expect(ask(before.address)).rejects.toThrow(/no responders/i);
});

test.each([
  ['nats://example.com/farm', 'with credentials only'],
  ['tls://example.com/farm', 'with credentials only'],
  ['nats://127.0.0.1.example.com/farm', 'with credentials only'],
  ['nats://me:secret@127.0.0.1/farm', 'a name or a password in it'],
  ['nats://127.0.0.1/farm/web1', 'names the host'],
  ['nats://127.0.0.1/a.b', 'its path is no FLEET'],
  ['nats://127.0.0.1/>', 'its path is no FLEET'],
  ['nats://127.0.0.1/farm?cred=x', 'Did you mean "creds"'],
  ['nats://127.0.0.1/farm?creds=/nonexistent/file', 'cannot be read (ENOENT)'],
  ['http://127.0.0.1/farm', 'is no URL of a fleet'],
])('%s is refused, and says why: %s', async (url, says) => {
  const { t4a } = testFleet();
  const { status, stderr, stdout } = await t4a(
    ['join', url, '--name', 'web1', '--print-permissions'].slice(0, url.includes('nonexistent') ? 5 : 4),
  );
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(says);
});

test('a file of credentials that others can read is refused', async () => {
  const { t4a, dir } = testFleet();
  const { file } = natsUser(dir.path, 'open');
  chmodSync(file, 0o644);
  const url = `nats://127.0.0.1/farm?creds=${file}`;
  expect((await t4a(['join', url, '--name', 'web1', '--print-permissions'])).stderr).toContain('chmod 600');
  chmodSync(file, 0o600);
  writeFileSync(file, 'SUnot a seed');
  expect((await t4a(['join', url, '--name', 'web1', '--print-permissions'])).stderr).toContain('holds no seed');
});

test('a new key is a file for its owner alone, whose public key a server takes, and no file is overwritten', async () => {
  const { t4a, output, dir, daemon, ...fleet } = testFleet();
  const file = dir.join('new.nk');
  const key = (await output('join', `nats://127.0.0.1/farm?creds=${file}`, '--new-key')).trim();
  expect([key, statSync(file).mode & 0o777]).toEqual([expect.stringMatching(/^U[A-Z2-7]{55}$/), 0o600]);
  const server = await natsServer({ authorization: { users: [{ nkey: key }] } });
  const socket = await daemon('far');
  await joined({ ...fleet, t4a, output, dir, daemon }, socket, [`${server.url}/farm?creds=${file}`, '--name', 'web1']);
  const before = readFileSync(file, 'utf8');
  for (const url of [
    `nats://127.0.0.1/farm?creds=${file}`,
    'nats://127.0.0.1/farm',
    `nats://127.0.0.1/farm?creds=${dir.join('none/x')}`,
  ])
    expect(await t4a(['join', url, '--new-key'])).toMatchObject({ status: 2, stdout: '' });
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('a full disk leaves no half key, and the next try makes it', async () => {
  const { env, dir, output } = testFleet();
  const file = dir.join('new.nk');
  const args = ['join', `nats://127.0.0.1/farm?creds=${file}`, '--new-key'];
  // No byte can be written into a file.
  const script = 'trap "" XFSZ; ulimit -f 0; exec "$@"';
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', process.execPath, CLI, ...args], {
    env: { ...env, NODE_DISABLE_COMPILE_CACHE: '1' },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining('cannot be made (EFBIG)')]);
  expect(existsSync(file)).toBe(false);
  expect(await output(...args)).toMatch(/^U[A-Z2-7]{55}\n$/);
});

test('tls:// is used with TLS or not at all', async () => {
  const { t4a } = testFleet();
  const { server } = await farm();
  const { status, stderr } = await t4a(['join', `${server.url.replace('nats:', 'tls:')}/farm`, '--name', 'web3']);
  expect(status).toBe(1);
  expect(stderr).toContain('TLS is needed here');
});

itNeeds('nats-server', 'openssl')(
  'with TLS the certificate of the server is verified, by a private authority if one is given',
  async () => {
    const fleet = testFleet();
    const file = (name: string): string => fleet.dir.join(name);
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', file('key.pem'), '-out', file('cert.pem')];
    execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, ...names], { stdio: 'ignore' });
    const server = await natsServer({ tls: { cert_file: file('cert.pem'), key_file: file('key.pem') } });
    const url = server.url.replace('nats://127.0.0.1', 'tls://localhost');
    await joined(fleet, await fleet.daemon('far'), [`${url}/farm?ca=${file('cert.pem')}`, '--name', 'web1']);
    expect(await fleet.output('list', '--on', `${url}/farm/web1?ca=${file('cert.pem')}`, '--json')).toContain(
      '"ok":true',
    );
    const { status, stderr } = await fleet.t4a(['join', `${url}/farm`, '--list']);
    expect([status, stderr]).toEqual([1, expect.stringContaining('certificate')]);
  },
);
