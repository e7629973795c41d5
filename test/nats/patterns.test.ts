/** Hosts of a fleet that is not listed host by host: by its URL, by a pattern of names, by their labels. */
import { expect, onTestFinished, test } from 'vitest';
import { natsFleet } from '../../src/fleet/nats-fleet.js';
import { streamCli } from '../support/cli.js';
import { testFleet, type TestFleet } from '../support/fleet.js';
import { joined, natsServer, type NatsServer } from '../support/nats.js';
import { ofFile } from '../support/of-file.js';
import { needs } from '../support/programs.js';
import { RawConnection } from '../support/raw.js';

needs('nats-server');

interface Farm extends TestFleet {
  readonly server: NatsServer;
  readonly url: string;
}

/** `gpu-1` and `gpu-2` run programs, one of them with a label; `low` is only read. */
const farm = ofFile(async (atEnd): Promise<Farm> => {
  const fleet = testFleet(atEnd);
  const server = await natsServer({}, atEnd);
  const url = `${server.url}/farm`;
  for (const [name, ...more] of [
    ['gpu-1', '--allow', 'create', '--label', 'gpu=a100', '--label', 'zone=a'],
    ['gpu-2', '--allow', 'create', '--label', 'gpu=h100'],
    ['low'],
  ] as const) {
    await joined(fleet, await fleet.daemon(name), [url, '--name', name, ...more], atEnd);
  }
  await fleet.output('hosts', 'add', 'farm-*', url);
  await fleet.output('hosts', 'add', 'a-*', `${url}/gpu-*?label=gpu=a100&label=zone=a`);
  return { ...fleet, server, url };
});

const all = ['gpu-1', 'gpu-2', 'low'];

async function made({ t4a }: Farm, on: string): Promise<string> {
  const { stderr, status } = await t4a(['create', '--on', on, 'cat']);
  expect({ stderr, status }).toMatchObject({ status: 0 });
  const name = /^t4a: (.*)$/m.exec(stderr)?.[1] ?? '';
  expect(name).not.toBe('');
  return name;
}

async function hostsOf({ t4a }: Farm, ...args: string[]): Promise<unknown[]> {
  const { stdout } = await t4a(['list', '--json', ...args]);
  const { terminals } = JSON.parse(stdout) as { terminals: { host: string }[] };
  return [...new Set(terminals.map(({ host }) => host))].toSorted();
}

test('a new terminal goes to the less busy of the hosts that fit, by pattern, label or level', async () => {
  const fleet = await farm();
  for (let i = 0; i < 2; i++) await fleet.output('create', '--on', 'farm-gpu-1', 'cat');
  expect(await made(fleet, `${fleet.url}/gpu-*`)).toBe('gpu-2');
  expect(await made(fleet, `${fleet.url}?allow=create`)).toBe('gpu-2');
  expect(await made(fleet, `${fleet.url}?label=gpu=a100`)).toBe('gpu-1');
  expect(await made(fleet, 'a-*')).toBe('a-1');
  const listed = [['--on', fleet.url], ['--on', `${fleet.url}/*-2`], ['--on', 'farm-*'], ['--all']];
  expect(await Promise.all(listed.map((args) => hostsOf(fleet, ...args)))).toEqual([
    ['gpu-1', 'gpu-2'],
    ['gpu-2'],
    ['farm-gpu-1', 'farm-gpu-2'],
    ['a-1', 'farm-gpu-1', 'farm-gpu-2'],
  ]);
});

test('a URL that fits no host is host_unknown, one of a server that is not there says so, and one host is one', async () => {
  const { t4a, url } = await farm();
  const gone = 'nats://127.0.0.1:1/farm';
  const failures: readonly (readonly [args: readonly string[], said: string])[] = [
    [['create', '--on', `${url}?label=gpu=none`, 'cat'], 'No host fits'],
    [['create', '--on', gone, 'cat'], '"farm" cannot be reached'],
    [['events', '--on', gone], 'No host is reached'],
    [['list', '--on', gone], 'connection refused'],
    [['text', '--on', url, 'a'], 'a pattern of several'],
    [['list', '--on', `${url}/gpu-2?label=gpu=a100`], 'it does not have the label'],
    [['list', '--on', `${url}?label=gpu`], 'is no label'],
    [['hosts', 'add', 'farm', url], 'do not fit'],
    [['hosts', 'add', 'b-*', `${url}/*-*`], 'do not fit'],
  ];
  await Promise.all(failures.map(async ([args, said]) => expect((await t4a(args)).stderr).toContain(said)));
});

test('the list of hosts has a fleet as one line, and a host of it is found by its name alone', async () => {
  const { output, url } = await farm();
  expect(await output('hosts')).toContain(`farm-*  ${url}`);
  expect(await output('hosts', 'resolve', 'farm-gpu-1')).toContain(`${url}/gpu-1`);
});

test('events of a URL are those of all of its hosts, each with its name', async () => {
  const fleet = await farm();
  const stream = streamCli(['events', '--on', fleet.url], { env: fleet.env, cwd: fleet.dir.path });
  onTestFinished(() => void stream.process.kill('SIGTERM'));
  const until = async (wanted: object): Promise<void> => {
    for (;;) {
      const line = JSON.parse(await stream.line()) as Record<string, unknown>;
      if (Object.entries(wanted).every(([field, value]) => line[field] === value)) return;
    }
  };
  const up = new Set<unknown>();
  while (up.size < all.length) {
    const line = JSON.parse(await stream.line()) as Record<string, unknown>;
    if (line['state'] === 'up') up.add(line['host']);
  }
  expect(up).toEqual(new Set(all));
  await fleet.output('create', '--on', 'farm-gpu-2', '--name', 'seen', 'cat');
  await until({ event: 'created', host: 'gpu-2', terminal: 'seen' });
});

test('through a gateway a pattern means the hosts of the fleet, also one that has joined since', async () => {
  const fleet = await farm();
  const socketPath = fleet.dir.join('fleet.sock');
  const server = streamCli(['fleet', '--socket', socketPath], { env: fleet.env, cwd: fleet.dir.path });
  onTestFinished(() => void server.process.kill('SIGTERM'));
  await server.line();
  const raw = new RawConnection(socketPath);
  onTestFinished(() => raw.close());
  const { header } = await raw.request({ cmd: 'create', host: 'a-*', name: 'placed', cmd_args: ['cat'] });
  expect(header).toMatchObject({ ok: true, id: 'a-1/placed' });
  await joined(fleet, await fleet.daemon('late'), [fleet.url, '--name', 'late', '--allow', 'create']);
  expect((await raw.request({ cmd: 'create', host: 'farm-late', name: 'x', cmd_args: ['cat'] })).header).toMatchObject({
    id: 'farm-late/x',
  });
  await expect
    .poll(async () => JSON.stringify((await raw.request({ cmd: 'list', host: 'farm-*' })).header), { timeout: 15_000 })
    .toContain('farm-late/x');
});

test.each([
  ['nats://n1/farm', 'nats://n1/farm', '*', 'nats://n1/farm/web1'],
  [
    'tls://n1:4222/farm/gpu-*?creds=/a*b',
    'tls://n1:4222/farm?creds=/a*b',
    'gpu-*',
    'tls://n1:4222/farm/web1?creds=/a*b',
  ],
])('%s is the fleet %s', (url, fleet, pattern, route) => {
  const found = natsFleet(url);
  expect([found?.url, found?.pattern, found?.routeOf('web1')]).toEqual([fleet, pattern, route]);
});

test.each([
  'nats://n1/farm/web1',
  'nats://n1/farm/web1?creds=/a*',
  'nats://n1/',
  'nats://me@n1/farm',
  'ssh://*',
  'nats://n1/f/a.*',
])('%s is no fleet', (url) => {
  expect(natsFleet(url)).toBe(undefined);
});
