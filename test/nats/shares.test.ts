/** What a raw client of NATS gets of a host, which no client of ours has checked before: its level, its share, and no more. */
import { readdirSync, readFileSync } from 'node:fs';
import { headers } from '@nats-io/transport-node';
import { expect, onTestFinished, test } from 'vitest';
import { Requests } from '../../src/nats/refused-requests.js';
import { Replies } from '../../src/nats/replies.js';
import { newToken } from '../../src/nats/subjects.js';
import { testFleet } from '../support/fleet.js';
import { joined, natsServer } from '../support/nats.js';
import { needs } from '../support/programs.js';
import { rawRequest } from '../support/raw.js';
import { type RawHost, RawLink } from '../support/raw-link.js';
import { tempDir } from '../support/temp-dir.js';

needs('nats-server');

/** A host of the level that is given, with a terminal that waits for what is typed. */
async function host(allow: string): Promise<RawHost> {
  const [server, fleet] = [await natsServer(), testFleet()];
  await joined(fleet, await fleet.daemon('web1'), [`${server.url}/raw`, '--name', 'web1', '--allow', allow]);
  const nats = await server.client();
  onTestFinished(() => nats.close());
  const { data } = await nats.request('t4a.raw.who.web1', undefined, { timeout: 5000 });
  return { nats, address: (JSON.parse(Buffer.from(data).toString()) as { address: string }).address };
}

const OWN = '_INBOX.own';

test('a host that is only read hears no level above, and does not what is above at the level that it hears', async () => {
  const fleet = await host('read');
  for (const level of ['use', 'create', 'admin']) {
    const link = new RawLink(fleet, level, OWN);
    link.send('{"cmd":"ping"}\n');
    await expect.poll(() => link.end).toBe('status 503');
    expect(link.text).toBe('');
  }
  const read = new RawLink(fleet, 'read', OWN);
  read.send(
    '{"cmd":"create","req":1}\n{"cmd":"type","id":"a","text":"x","req":2}\n{"cmd":"restrict","reach":"admin","req":3}\n',
  );
  read.send('{"cmd":"list","req":4}\n');
  await expect.poll(() => read.text).toContain('"req":4');
  const replies = read.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const of = (req: number): unknown => replies.find((each) => each['req'] === req);
  for (const req of [1, 2]) expect(of(req)).toMatchObject({ code: 'not_allowed' });
  expect(of(3)).not.toMatchObject({ reach: 'admin' });
  expect(of(4)).toMatchObject({ ok: true, terminals: [] });
});

test('a host that joins again to be only read gives no client the level of before, however many ask meanwhile', async () => {
  const [server, fleet] = [await natsServer(), testFleet()];
  const [socketPath, { path: dir }] = [await fleet.daemon('web1'), tempDir()];
  const args = (allow: string): string[] => [`${server.url}/raw`, '--name', 'web1', '--allow', allow];
  const before = await joined(fleet, socketPath, args('create'));
  const nats = await server.client();
  const addressOf = async (): Promise<RawHost> => {
    const { data } = await nats.request('t4a.raw.who.web1', undefined, { timeout: 5000 });
    return { nats, address: (JSON.parse(Buffer.from(data).toString()) as { address: string }).address };
  };
  const old = await addressOf();
  const links = Array.from({ length: 8 }, (_, i) => new RawLink(old, 'create', `_INBOX.thief${i}`));
  const ask = (link: RawLink, file: string): void =>
    link.send(`{"cmd":"create","cmd_args":["touch","${dir}/${file}"]}\n`);
  ask(links[0] as RawLink, 'allowed');
  await expect.poll(() => readdirSync(dir)).toEqual(['allowed']);
  const ended = before.ended();
  before.process.kill('SIGTERM');
  let asked = 0;
  const asking = setInterval(() => links.forEach((link) => ask(link, `while-${asked++}`)), 1);
  onTestFinished(() => clearInterval(asking));
  await ended;
  clearInterval(asking);
  await joined(fleet, socketPath, args('read'));
  const now = await addressOf();
  expect(now.address).not.toBe(old.address);
  // Both as before, and anew at both addresses: at the end of each answer to the last one nothing is under way.
  const anew = [old, now].map((fleetAt, i) => new RawLink(fleetAt, 'create', `_INBOX.anew${i}`));
  [...links, ...anew].forEach((link, i) => ask(link, `after-${i}`));
  for (const link of anew) await expect.poll(() => link.end).toBe('status 503');
  const read = new RawLink(now, 'read', OWN);
  read.send(`{"cmd":"create","cmd_args":["touch","${dir}/after-read"]}\n{"cmd":"list","req":1}\n`);
  await expect.poll(() => read.text).toContain('"req":1');
  expect(readdirSync(dir).filter((name) => name.startsWith('after'))).toEqual([]);
});

test('links of one inbox at one level are a share, and the others have room', async () => {
  const fleet = await host('create');
  const greedy = Array.from({ length: 260 }, () => new RawLink(fleet, 'read', OWN));
  for (const link of greedy) link.send('{"cmd":"ping"}\n');
  const counts = (): readonly number[] => [
    greedy.filter(({ text }) => text.includes('"ok":true')).length,
    greedy.filter(({ end }) => end.includes('128 links of level read of this inbox')).length,
  ];
  await expect.poll(counts, { timeout: 60_000 }).toEqual([128, 132]);
  for (const [level, inbox] of [
    ['read', '_INBOX.other'],
    ['create', OWN],
  ] as const) {
    const link = new RawLink(fleet, level, inbox);
    link.send('{"cmd":"ping"}\n');
    await expect.poll(() => link.text).toContain('"ok":true');
  }
});

test('links that ask nothing give way to one that does', async () => {
  const fleet = await host('read');
  const silent = Array.from({ length: 256 }, () => new RawLink(fleet, 'read', OWN));
  for (const link of silent) link.send('');
  await fleet.nats.flush();
  const asking = new RawLink(fleet, 'read', OWN);
  asking.send('{"cmd":"ping"}\n');
  await expect.poll(() => asking.text).toContain('"ok":true');
});

test('a link of an inbox without a listener takes no place', async () => {
  const fleet = await host('read');
  for (let n = 0; n < 3; n++) {
    for (let link = 0; link < 200; link++) {
      const given = headers();
      given.set('T4a-Seq', '0');
      const reply = `_INBOX.made${n}x${link}.${newToken()}`;
      fleet.nats.publish(`t4a.raw.host.web1.${fleet.address}.read`, '{"cmd":"ping"}\n', { headers: given, reply });
    }
    await fleet.nats.flush();
  }
  await expect
    .poll(async () => {
      const link = new RawLink(fleet, 'read', OWN);
      link.send('{"cmd":"ping"}\n');
      await expect.poll(() => link.text + link.end).not.toBe('');
      return link.text.includes('"ok":true');
    })
    .toBe(true);
});

test('single requests of one inbox are a share, what is beyond it is refused, and another is answered', async () => {
  const { nats } = await host('read');
  const answers: Record<string, unknown>[] = [];
  const ask = (inbox: string, request: object): void => {
    const reply = `${inbox}.${newToken()}`;
    nats.subscribe(reply, {
      callback: (_error, { data }) =>
        void answers.push(JSON.parse(Buffer.from(data).toString()) as (typeof answers)[0]),
    });
    nats.publish('t4a.raw.host.web1', JSON.stringify(request), { reply });
  };
  for (let n = 0; n < 40; n++) ask(OWN, { cmd: 'wait', until: { published: 'never' }, timeout_ms: 20_000 });
  await expect.poll(() => answers).toHaveLength(8);
  for (const each of answers) expect(each).toMatchObject({ code: 'too_many_requests' });
  ask('_INBOX.other', { cmd: 'list' });
  await expect.poll(() => answers.at(-1)).toMatchObject({ ok: true, terminals: [] });
});

test('lines without an end of many links end those that hold most, and no other', async () => {
  const fleet = await host('read');
  const small = new RawLink(fleet, 'read', '_INBOX.other');
  small.send('{"cmd":"ping" ');
  const many = Array.from({ length: 10 }, () => new RawLink(fleet, 'read', OWN));
  // Of the same share: its answer comes when what was sent before it has been read.
  const last = new RawLink(fleet, 'read', OWN);
  const part = Buffer.alloc(120_000, 0x20);
  for (let n = 0; n < 80; n++) {
    for (const link of many) link.send(part);
    last.send(`{"cmd":"ping","req":${n}}\n`);
    // A sign of life.
    small.send('');
    await expect.poll(() => last.text, { interval: 2 }).toContain(`"req":${n},`);
  }
  await expect.poll(() => many.filter(({ end }) => end.includes('no more room')).length).toBeGreaterThanOrEqual(2);
  small.send('}\n');
  await expect.poll(() => small.text).toContain('"ok":true');
});

test('refusals wait until those before are read, and requests with them', async () => {
  const replies = new Replies();
  let [refused, lineBytes] = [0, 0];
  const requests = new Requests({
    room: () => replies.room(),
    refuse(line) {
      refused++;
      lineBytes = line.length;
      replies.insert(line);
    },
  });
  const line = `{"cmd":"type","id":"a","text":"x","secret":true,"req":"${'x'.repeat(1000)}"}\n\n`;
  const passed: string[] = [];
  requests.on('data', (chunk: Buffer) => passed.push(chunk.toString()));
  requests.write(line.repeat(1000));
  requests.end('{"cmd":"ping"}\n');
  const bound = replies.readableHighWaterMark;
  await expect.poll(() => replies.readableLength).toBeGreaterThanOrEqual(bound);
  // Turns in which no more are read.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => void setImmediate(resolve));
  // What a stream holds, whose default is the version's of Node, with the one that crosses it.
  expect(refused).toBe(Math.ceil(bound / lineBytes));
  expect(passed).toEqual([]);
  let read = 0;
  replies.on('data', (chunk: Buffer) => (read += chunk.toString().split('\n').length - 1));
  await expect.poll(() => [refused, read, passed.join('')]).toEqual([1000, 1000, '{"cmd":"ping"}\n']);
});

test('a host that is ended types nothing more of the keys that a link has asked for', async () => {
  const [server, fleet] = [await natsServer(), testFleet()];
  const [socketPath, { path: dir }] = [await fleet.daemon('web1'), tempDir()];
  const agent = await joined(fleet, socketPath, [`${server.url}/raw`, '--name', 'web1', '--allow', 'create']);
  const nats = await server.client();
  const { data } = await nats.request('t4a.raw.who.web1', undefined, { timeout: 5000 });
  const { address } = JSON.parse(Buffer.from(data).toString()) as { address: string };
  const [link, file] = [new RawLink({ nats, address }, 'create', OWN), `${dir}/typed`];
  link.send(`{"cmd":"create","name":"a","cmd_args":["sh","-c","stty raw -echo; echo on; exec cat > ${file}"],`);
  link.send('"wait":{"until":{"text":"on"}},"req":1}\n');
  await expect.poll(() => link.text).toContain('"req":1');
  const keys = JSON.stringify(Array.from({ length: 400 }, () => 'x'));
  link.send(`{"cmd":"press","id":"a","keys":${keys},"gap_ms":50}\n`);
  const typed = (): string => readFileSync(file, 'utf8');
  await expect.poll(typed).toContain('xx');
  const ended = agent.ended();
  agent.process.kill('SIGTERM');
  await ended;
  // It comes after all that was to be typed before.
  await rawRequest(socketPath, { cmd: 'send', id: 'a', input: 'END' });
  await expect.poll(typed).toMatch(/^x{2,399}END$/);
});
