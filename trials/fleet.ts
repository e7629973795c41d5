/**
 * `npm run fleet -- --daemons 200`: daemons of one machine in a fleet over one nats-server. All of them join and are listed; one is
 * asked by its name; the events of all are read as one stream, across a host that is killed, one that is suspended, and a server
 * that is killed and comes back. Each event must come once, in its order, or be counted.
 */
import { readFileSync } from 'node:fs';
import { Farm, type Host, type Reader, serverProgram } from './fleet/farm.js';
import { Failures, type Report } from './support/report.js';

/** With their defaults. `events`: of each host and step. `megabytes`: memory of one host: its daemon, its agent, and its link of the reader. */
export const FLAGS = { daemons: 20, events: 5, megabytes: 220 };

type Options = typeof FLAGS & { readonly root: string };

/** For all hosts: processes start, four at once. */
const HOST_MS = 3000;
const STEP_MS = 30_000;

export async function trial({ daemons, events, megabytes, root }: Options): Promise<Report> {
  const failures = new Failures();
  const figures: [string, string | number][] = [];
  const room = availableMegabytes();
  // More of them would have the machine kill processes of others.
  if (daemons * megabytes > room)
    return {
      figures,
      failures: [`${daemons} hosts of ${megabytes} MB each are more than the ${room} MB that are free`],
    };
  if (serverProgram() === undefined) return { figures, failures: ['nats-server is not installed'] };
  const farm = new Farm(root);
  const timed = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    const start = performance.now();
    await act();
    figures.push([what, `${((performance.now() - start) / 1000).toFixed(1)} s`]);
  };
  try {
    await farm.startServer();
    await timed(`${daemons} daemons start and join`, () => farm.addHosts(daemons));
    await timed('all are listed', () => listed(farm, failures));
    await timed('one is asked by its name', () => asked(farm, failures));
    const reader = farm.events();
    const within = daemons * HOST_MS + STEP_MS;
    const [killed, suspended, ...others] = farm.hosts as [Host, Host, ...Host[]];
    const state = (host: Host, wanted: string, count = 1): boolean =>
      reader.of(host.name).states.filter((one) => one !== 'down' || wanted === 'down').length >= count &&
      reader.of(host.name).states.at(-1) === wanted;
    await timed('the events of all are read', async () => {
      if (!(await reader.until(() => farm.hosts.every((host) => state(host, 'up')), within)))
        failures.add('not all hosts are up in the stream of their events');
    });
    let published = 0;
    const publish = async (hosts: readonly Host[]): Promise<void> => {
      for (const host of hosts) await farm.publish(host, events);
    };
    const came = async (what: string, hosts: readonly Host[]): Promise<void> => {
      const isWhole = (): boolean => hosts.every(({ name }) => reader.totalOf(name) >= published);
      if (!(await reader.until(isWhole, within)))
        failures.add(`${what}: ${lacking(reader, hosts, published)} have not come, and were not counted`);
    };
    await timed(`${events} events of each`, async () => {
      await publish(farm.hosts);
      published += events;
      await came('all hosts', farm.hosts);
    });
    await timed('a daemon is killed, and an agent suspended', async () => {
      killed.daemon.process.kill('SIGKILL');
      suspended.agent.kill('SIGSTOP');
      await publish([suspended, ...others]);
      published += events;
      await came('beside a killed and a suspended host', others);
      suspended.agent.kill('SIGCONT');
      await came('after a suspension', [suspended]);
      if (!(await reader.until(() => state(killed, 'down'), within))) failures.add('a killed host is not "down"');
    });
    await timed('the server is killed, and is back', async () => {
      await farm.killServer();
      await publish([suspended, ...others]);
      published += events;
      await farm.startServer();
      await came('after a loss of the server', [suspended, ...others]);
    });
    for (const { name } of [suspended, ...others]) inOrder(reader, name, published, failures);
    if (reader.totalOf(killed.name) !== events)
      failures.add(`of the killed host ${reader.totalOf(killed.name)} events came`);
    figures.push(['resident, all processes', `${(farm.resident() / 1e6).toFixed(0)} MB`]);
    reader.kill();
  } finally {
    await farm.remove();
  }
  return { figures, failures: failures.list };
}

async function listed(farm: Farm, failures: Failures): Promise<void> {
  const { hosts } = JSON.parse(await farm.ask('join', farm.url, '--list', '--json')) as { hosts: { host: string }[] };
  const missing = farm.hosts.filter(({ name }) => !hosts.some(({ host }) => host === name));
  if (missing.length > 0) failures.add(`not listed: ${missing.map(({ name }) => name).join(', ')}`);
}

async function asked(farm: Farm, failures: Failures): Promise<void> {
  const host = farm.hosts.at(-1);
  const { instance } = JSON.parse(await farm.ask('ping', '--on', `${farm.url}/${host?.name}`, '--json')) as {
    instance: string;
  };
  const lock = JSON.parse(readFileSync(`${host?.daemon.socketPath}.lock`, 'utf8')) as { nonce?: string };
  if (!Object.values(lock).includes(instance)) failures.add(`${host?.name} was asked, and ${instance} has answered`);
}

function inOrder(reader: Reader, name: string, published: number, failures: Failures): void {
  const { seqs, missed } = reader.of(name);
  if (seqs.some((seq, i) => i > 0 && seq <= (seqs[i - 1] ?? 0))) failures.add(`${name}: events out of order, or twice`);
  if (missed > 0) failures.add(`${name}: ${missed} events were missed that its daemon has`);
  if (seqs.length + missed !== published) failures.add(`${name}: ${seqs.length} of ${published} events came`);
}

function lacking(reader: Reader, hosts: readonly Host[], published: number): string {
  return hosts
    .filter(({ name }) => reader.totalOf(name) < published)
    .map(({ name }) => `${published - reader.totalOf(name)} of ${name}`)
    .join(', ');
}

function availableMegabytes(): number {
  const [, kib = '0'] = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [];
  return Math.floor(Number(kib) / 1024);
}
