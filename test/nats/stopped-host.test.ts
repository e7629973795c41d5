/** A host that is stopped, and goes on: of what it was asked meanwhile it does what its askers still wait for, and nothing else. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testFleet, type TestFleet } from '../support/fleet.js';
import { joined, natsServer, type NatsServer } from '../support/nats.js';
import { type CliStream, streamCli } from '../support/cli.js';
import { needs } from '../support/programs.js';
import { rawRequest } from '../support/raw.js';
import { type RawHost, RawLink } from '../support/raw-link.js';
import { tempDir } from '../support/temp-dir.js';

needs('nats-server');

const OWN = '_INBOX.own';

/** Longer than others wait for the answer of a host of that name. */
const STOPPED_MS = 3500;

interface Stoppable extends RawHost {
  readonly server: NatsServer;
  readonly fleet: TestFleet;
  readonly agent: CliStream;
  /** In which the files are made that are asked for. */
  readonly dir: string;
  /** Asks that a file is made. */
  readonly ask: (link: RawLink, file: string) => void;
  /** Calls `meanwhile` while the agent is stopped, and lets it go on only after it was taken for gone. */
  readonly stopped: (meanwhile: () => unknown) => Promise<void>;
}

async function stoppable(): Promise<Stoppable> {
  const [server, fleet, { path: dir }] = [await natsServer(), testFleet(), tempDir()];
  const args = [`${server.url}/raw`, '--name', 'web1', '--allow', 'create'];
  const agent = await joined(fleet, await fleet.daemon('web1'), args);
  const nats = await server.client();
  // Somebody else who hears all subjects, and answers none.
  nats.subscribe('t4a.>', { callback: () => {} });
  const { data } = await nats.request('t4a.raw.who.web1', undefined, { timeout: 5000 });
  const { address } = JSON.parse(Buffer.from(data).toString()) as { address: string };
  const { pid = 0 } = agent.process;
  return {
    server,
    fleet,
    agent,
    dir,
    nats,
    address,
    ask: (link, file) => link.send(`{"cmd":"create","cmd_args":["touch","${dir}/${file}"],"req":"${file}"}\n`),
    async stopped(meanwhile) {
      process.kill(pid, 'SIGSTOP');
      try {
        await meanwhile();
        await expect(nats.request('t4a.raw.who.web1', undefined, { timeout: STOPPED_MS })).rejects.toThrow();
      } finally {
        process.kill(pid, 'SIGCONT');
      }
    },
  };
}

/** A link that the host has answered. */
async function openLink(host: RawHost, inbox: string): Promise<RawLink> {
  const link = new RawLink(host, 'create', inbox);
  link.send('{"cmd":"list","req":0}\n');
  await expect.poll(() => link.text).toContain('"req":0');
  return link;
}

/** What was asked before this has been done, or never is. */
async function settled(host: Stoppable, live: RawLink): Promise<void> {
  await expect.poll(() => live.text, { timeout: 15_000 }).toContain('"req":"live"');
  const after = await openLink(host, '_INBOX.after');
  host.ask(after, 'after');
  await expect.poll(() => readdirSync(host.dir)).toContain('after');
}

test('a host that goes on does nothing for a client that has ended its link, or has gone, while it was stopped', async () => {
  const host = await stoppable();
  const goneClient = await host.server.client();
  const gone: RawHost = { nats: goneClient, address: host.address };
  const [live, ended, vanished] = [
    await openLink(host, OWN),
    await openLink(host, OWN),
    await openLink(gone, '_INBOX.gone'),
  ];
  await host.stopped(async () => {
    host.ask(ended, 'ended');
    ended.leave();
    const begun = new RawLink(host, 'create', OWN);
    host.ask(begun, 'begun-and-ended');
    begun.leave();
    host.ask(vanished, 'vanished');
    host.ask(new RawLink(gone, 'create', '_INBOX.gone'), 'begun-and-vanished');
    await goneClient.flush();
    await goneClient.close();
    host.ask(live, 'live');
    await host.nats.flush();
  });
  await settled(host, live);
  expect(readdirSync(host.dir).toSorted()).toEqual(['after', 'live']);
});

test('a host that goes on does nothing of what a gateway had sent before "hosts rm" took it out of the list', async () => {
  const host = await stoppable();
  const { fleet, server } = host;
  const live = await openLink(host, OWN);
  await fleet.output('hosts', 'add', 'web1', `${server.url}/raw/web1`);
  const socket = fleet.dir.join('gate');
  const gateway = streamCli(['fleet', '--socket', socket], { env: fleet.env, cwd: fleet.dir.path });
  await gateway.line();
  const create = (file: string) => ({ cmd: 'create', host: 'web1', cmd_args: ['touch', `${host.dir}/${file}`] });
  expect((await rawRequest(socket, create('before'))).header).toMatchObject({ ok: true });
  await expect.poll(() => readdirSync(host.dir)).toEqual(['before']);
  await host.stopped(async () => {
    const sent = host.nats.subscribe(`t4a.raw.host.web1.${host.address}.create`);
    const answer = rawRequest(socket, create('removed'));
    for await (const { data } of sent) if (Buffer.from(data).includes('removed')) break;
    await fleet.output('hosts', 'rm', 'web1');
    host.ask(live, 'live');
    expect((await answer).header).toMatchObject({ ok: false });
  });
  await settled(host, live);
  expect(readdirSync(host.dir).toSorted()).toEqual(['after', 'before', 'live']);
});

test('a host whose server cuts it off while it is stopped does nothing of what that had sent it', async () => {
  const host = await stoppable();
  const [open, begun] = [await openLink(host, OWN), new RawLink(host, 'create', OWN)];
  await host.stopped(async () => {
    host.ask(open, 'open');
    host.ask(begun, 'begun');
    await host.nats.flush();
    await host.server.kill();
  });
  await host.server.again();
  const again = await host.server.client();
  await expect
    .poll(
      () =>
        again.request('t4a.raw.who.web1', undefined, { timeout: 1000 }).then(
          () => true,
          () => false,
        ),
      {
        timeout: 20_000,
      },
    )
    .toBe(true);
  const { data } = await again.request('t4a.raw.who.web1', undefined, { timeout: 5000 });
  const { address } = JSON.parse(Buffer.from(data).toString()) as { address: string };
  const live = await openLink({ nats: again, address }, OWN);
  host.ask(live, 'live');
  await expect.poll(() => readdirSync(host.dir)).toContain('live');
  expect(readdirSync(host.dir)).toEqual(['live']);
});

test('of a host that is stopped while another of its name joins nothing is left when it goes on', async () => {
  const [server, fleet] = [await natsServer(), testFleet()];
  const [{ path: dir }, second] = [tempDir(), await fleet.daemon('second')];
  const args = (allow: string): string[] => [`${server.url}/raw`, '--name', 'web1', '--allow', allow];
  const before = await joined(fleet, await fleet.daemon('first'), args('create'));
  const nats = await server.client();
  const present = async (): Promise<{ address: string; allow: string }> => {
    const { data } = await nats.request('t4a.raw.who.web1', undefined, { timeout: 5000 });
    return JSON.parse(Buffer.from(data).toString()) as { address: string; allow: string };
  };
  const old: RawHost = { nats, address: (await present()).address };
  const ask = (link: RawLink, file: string): void =>
    link.send(`{"cmd":"create","cmd_args":["touch","${dir}/${file}"]}\n`);
  const link = new RawLink(old, 'create', '_INBOX.thief');
  ask(link, 'allowed');
  await expect.poll(() => readdirSync(dir)).toEqual(['allowed']);
  const { pid = 0 } = before.process;
  process.kill(pid, 'SIGSTOP');
  try {
    // They wait in its socket: of an open link, of a new one, and a single request.
    ask(link, 'open');
    ask(new RawLink(old, 'create', '_INBOX.thief2'), 'new');
    await joined(fleet, second, args('read'));
    ask(link, 'later');
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  expect(await before.ended()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('has another host "web1"') as string,
  });
  expect(readdirSync(dir)).toEqual(['allowed']);
  const now = await present();
  expect(now).toMatchObject({ allow: 'read' });
  const read = new RawLink({ nats, address: now.address }, 'read', OWN);
  read.send('{"cmd":"list","req":1}\n');
  await expect.poll(() => read.text).toContain('"req":1');
});

test('a host that was stopped, and whose name no other has taken, does what it was asked meanwhile', async () => {
  const host = await stoppable();
  const link = await openLink(host, OWN);
  await host.stopped(() => host.ask(link, 'asked'));
  await expect.poll(() => link.text, { timeout: 15_000 }).toContain('"req":"asked"');
  await expect.poll(() => readdirSync(host.dir)).toEqual(['asked']);
});
