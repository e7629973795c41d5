/**
 * A host over NATS in turns with the plain socket of the same daemon; the agent beside a bare Node; and fake hosts: many that say
 * that they are there, and many links with events. Server, fakes and clients share this machine, and both ends of the links a process.
 */
import { connect as connectNats, type NatsConnection } from '@nats-io/transport-node';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type Client } from '../src/client/index.js';
import { routeOf } from '../src/fleet/host-list.js';
import { hostRoute } from '../src/fleet/host-route.js';
import { parseFleetUrl } from '../src/nats/fleet-url.js';
import { hostsOfFleet } from '../src/nats/host-link.js';
import { NatsLink } from '../src/nats/link.js';
import { encodePresence, type HostPresence } from '../src/nats/presence.js';
import { newToken, Subjects } from '../src/nats/subjects.js';
import { startBenchDaemon } from './support/bench-daemon.js';
import { median, type BenchContext, type Figure } from './support/figure.js';

const WARM_UP = 100;
const CALLS = 400;
const IN_FLIGHT = 16;
const THROUGHPUT_CALLS = 2000;
const FAKES = 1000;
const FAKES_OF_A_CONNECTION = 10;
const EVENTS_A_SECOND = 10_000;
const EVENTS_MS = 3000;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const program = serverProgram();
  if (program === undefined) {
    console.log('     without nats-server: all of it is left out');
    return [];
  }
  const daemon = await startBenchDaemon(root);
  const cli = path.join(root, 'dist/cli.cjs');
  const processes: ChildProcess[] = [];
  const started = (command: string, args: readonly string[], stdout: 'ignore' | 'pipe'): ChildProcess => {
    const env = { ...process.env, T4A_SOCKET: daemon.socketPath };
    const child = spawn(command, args, { env, stdio: ['ignore', stdout, 'ignore'] });
    processes.push(child);
    return child;
  };
  try {
    const ports = path.join(daemon.dir, 'ports');
    mkdirSync(ports);
    started(program, ['-a', '127.0.0.1', '-p', '-1', '--ports_file_dir', ports], 'ignore');
    const server = await serverIn(ports);
    const agent = started(process.execPath, [cli, 'join', `nats://${server}/bench`, '--name', 'web1'], 'pipe');
    if (agent.stdout !== null) await once(agent.stdout, 'data');
    const bare = started(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log(1)'], 'pipe');
    if (bare.stdout !== null) await once(bare.stdout, 'data');
    // As it waits for work.
    await delay(1000);
    const atRest = memory('at rest', 1.4, agent, bare);
    const { id } = await daemon.client.call('create', {
      cmd_args: ['sh', '-c', 'ls -la --color /usr/bin | head -100; echo ready; exec cat'],
      wait: { until: { text: 'ready' } },
    });
    const route = hostRoute(
      routeOf('far', `nats://${server}/bench/web1`, { program: () => [process.execPath, cli] as const }),
    );
    const far = await connect({ route });
    const figures = [
      await latency('cursor', far, daemon.client, id),
      await latency('screenshot', far, daemon.client, id),
      await throughput(far, daemon.client, id),
      atRest,
      memory(`after ${2 * (WARM_UP + CALLS) + 3 * THROUGHPUT_CALLS} calls`, 1.9, agent, bare),
    ];
    await far.close();
    return [...figures, ...(await presence(server)), await events(server)];
  } finally {
    for (const child of processes) child.kill('SIGTERM');
    await daemon.stop();
  }
}

function serverProgram(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin'];
  return folders.map((folder) => path.join(folder, 'nats-server')).find(existsSync);
}

/** `host:port`, from the file that it writes when it listens. */
async function serverIn(folder: string): Promise<string> {
  for (;;) {
    const [name] = readdirSync(folder);
    const text = name === undefined ? '' : readFileSync(path.join(folder, name), 'utf8');
    if (text.endsWith('}')) return new URL((JSON.parse(text) as { nats: [string] }).nats[0]).host;
    await delay(10);
  }
}

async function latency(cmd: 'cursor' | 'screenshot', far: Client, near: Client, id: string): Promise<Figure> {
  const times = { near: [] as number[], far: [] as number[] };
  for (let i = 0; i < WARM_UP + CALLS; i++) {
    for (const [kind, client] of [
      ['near', near],
      ['far', far],
    ] as const) {
      const start = performance.now();
      await client.call(cmd, { id });
      if (i >= WARM_UP) times[kind].push(performance.now() - start);
    }
  }
  const [farMs, nearMs] = [median(times.far), median(times.near)];
  return {
    name: `\`${cmd}\` over NATS, times the plain socket`,
    value: farMs / nearMs,
    limit: 8,
    note: `${(farMs * 1000).toFixed(0)} against ${(nearMs * 1000).toFixed(0)} µs`,
  };
}

/** Rounds in turns. */
async function throughput(far: Client, near: Client, id: string): Promise<Figure> {
  const rates = { near: [] as number[], far: [] as number[] };
  for (let round = 0; round < 3; round++) {
    for (const [kind, client] of [
      ['near', near],
      ['far', far],
    ] as const) {
      let left = THROUGHPUT_CALLS;
      const start = performance.now();
      const work = async (): Promise<void> => {
        while (left-- > 0) await client.call('cursor', { id });
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, work));
      rates[kind].push((THROUGHPUT_CALLS * 1000) / (performance.now() - start));
    }
  }
  const [farRate, nearRate] = [median(rates.far), median(rates.near)];
  return {
    name: `rate of the plain socket, times that over NATS, ${IN_FLIGHT} in flight`,
    value: nearRate / farRate,
    limit: 5,
    note: `${farRate.toFixed(0)} against ${nearRate.toFixed(0)} a second`,
  };
}

function memory(when: string, limit: number, agent: ChildProcess, bare: ChildProcess): Figure {
  const [own, node] = [residentBytes(agent), residentBytes(bare)];
  return {
    name: `memory of the agent ${when}, times a bare Node`,
    value: own / node,
    limit,
    note: `${(own / 1e6).toFixed(0)} against ${(node / 1e6).toFixed(0)} MB`,
  };
}

function residentBytes({ pid }: ChildProcess): number {
  const [, kib = 'NaN'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

/** Each answers who is there, and gives signs of life. */
async function presence(server: string): Promise<Figure[]> {
  const subjects = new Subjects('fakes');
  const connections: NatsConnection[] = [];
  const beats: NodeJS.Timeout[] = [];
  for (let at = 0; at < FAKES; at += FAKES_OF_A_CONNECTION) {
    const nats = await connectNats({ servers: server });
    connections.push(nats);
    for (let i = at; i < at + FAKES_OF_A_CONNECTION; i++) {
      const host = `fake-${i}`;
      const bytes = encodePresence(host, { ...FAKE, address: newToken() });
      nats.subscribe(subjects.everyone, { callback: (_error, message) => void message.respond(bytes) });
      beats.push(setInterval(() => nats.publish(subjects.heartbeat(host), bytes), 5000));
    }
    await nats.flush();
  }
  const start = performance.now();
  const hosts = await hostsOfFleet(parseFleetUrl(`nats://${server}/fakes`));
  const ms = performance.now() - start;
  for (const beat of beats) clearInterval(beat);
  await Promise.all(connections.map((nats) => nats.close()));
  return [
    { name: `fake hosts of ${FAKES} that a listing lacks`, value: FAKES - hosts.length, limit: 0 },
    {
      name: `listing of ${FAKES} fake hosts`,
      value: ms,
      unit: 'ms',
      limit: 3500,
      note: '500 of it wait for a late one',
    },
  ];
}

const FAKE: Omit<HostPresence, 'address'> = {
  instance: 'fake',
  version: '0.0.0',
  allow: 'read',
  labels: {},
  terminals: 10,
  room: 10,
  joined_ms: 1,
};

/** One link for each fake host, with lines of events, evenly in time. */
async function events(server: string): Promise<Figure> {
  const [hosts, client] = [await connectNats({ servers: server }), await connectNats({ servers: server })];
  const times: number[] = [];
  const links = Array.from({ length: FAKES }, () => {
    const [a, b] = [`_INBOX.a.${newToken()}`, `_INBOX.b.${newToken()}`];
    const sender = new NatsLink({ nats: hosts, to: b, from: a });
    const reader = new NatsLink({ nats: client, to: a, from: b });
    hosts.subscribe(a, { callback: (_error, message) => sender.receive(message) });
    client.subscribe(b, { callback: (_error, message) => reader.receive(message) });
    sender.resume();
    reader.on('data', (line: Buffer) => {
      times.push(performance.now() - (JSON.parse(line.toString()) as { sent: number }).sent);
    });
    return { sender, reader };
  });
  await Promise.all([hosts.flush(), client.flush()]);
  const start = performance.now();
  let sent = 0;
  while (performance.now() - start < EVENTS_MS) {
    for (const due = ((performance.now() - start) * EVENTS_A_SECOND) / 1000; sent < due; sent++) {
      const event = { event: 'title', terminal: 't1', title: 'x'.repeat(100), seq: sent, ts: 0, rev: 1 };
      links[sent % FAKES]?.sender.write(`${JSON.stringify({ ...event, sent: performance.now() })}\n`);
    }
    await delay(1);
  }
  while (times.length < sent && performance.now() - start < EVENTS_MS * 3) await delay(10);
  for (const { sender, reader } of links) {
    sender.abandon('the end');
    reader.abandon('the end');
  }
  await Promise.all([hosts.close(), client.close()]);
  return {
    name: `p50 of ${EVENTS_A_SECOND} events a second of ${FAKES} fake hosts`,
    value: times.length < sent ? Number.POSITIVE_INFINITY : median(times),
    unit: 'ms',
    limit: 10,
    note: `${sent} sent, ${times.length} came`,
  };
}
