/** Events of hosts over NATS as one stream: of a server and agents that are killed, each event comes, or is reported as missed. */
import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { StreamLine } from '../../src/protocol/events.js';
import { Place } from '../../src/fleet/followed-host.js';
import { type CliStream, streamCli } from '../support/cli.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { testFleet, type TestFleet } from '../support/fleet.js';
import { joined, natsServer, type NatsServer } from '../support/nats.js';
import { needs } from '../support/programs.js';
import { RawConnection } from '../support/raw.js';
import { runsOf } from '../support/trial.js';

needs('nats-server');

type Line = Readonly<Record<string, unknown>>;

interface Far {
  readonly fleet: TestFleet;
  readonly server: NatsServer;
  readonly socketPath: string;
  /** Publishes so many events on the host. */
  readonly publish: (count?: number) => Promise<void>;
  /** Lines of the stream of all hosts until one that fits; they are kept. */
  readonly until: (fits: (line: Line) => boolean) => Promise<Line>;
  readonly lines: Line[];
  agent: CliStream;
  readonly join: () => Promise<void>;
  /** Kills the reader; then `again` starts another one, behind the last line that was read. */
  readonly killReader: () => { readonly again: () => Promise<void> };
}

/** The host `web1`, and a reader of the events of all hosts. */
async function far(reader: 'command line' | 'gateway'): Promise<Far> {
  const fleet = testFleet();
  const server = await natsServer();
  const socketPath = await fleet.daemon('far');
  const join = (): Promise<CliStream> => joined(fleet, socketPath, [`${server.url}/farm`, '--name', 'web1']);
  const lines: Line[] = [];
  const agent = await join();
  await fleet.output('hosts', 'add', `${server.url}/farm/web1`);
  let stream = await (reader === 'gateway' ? throughGateway(fleet) : byCommandLine(fleet));
  const own: Far = {
    fleet,
    server,
    socketPath,
    agent,
    lines,
    join: async () => void (own.agent = await join()),
    async publish(count = 1) {
      const connection = new RawConnection(socketPath);
      const line = '{"cmd":"publish","name":"work"}\n';
      for (let left = count; left > 0; left -= 100) {
        const some = Math.min(100, left);
        connection.write(line.repeat(some));
        for (let i = 0; i < some; i++) expect((await connection.reply()).header).toMatchObject({ ok: true });
      }
      connection.close();
    },
    async until(fits) {
      for (;;) {
        const line = JSON.parse(await stream.next()) as Line;
        lines.push(line);
        if (fits(line)) return line;
      }
    },
    killReader() {
      stream.kill();
      return {
        async again() {
          const since = Math.max(0, ...counted(lines).seqs);
          // A host that is not there yet is refused, and asked for again.
          stream = await vi.waitFor(
            async () => {
              const next = await throughGateway(fleet, { host: 'web1', since, ack: true });
              if ((JSON.parse(await next.next()) as Line)['ok'] === true) return next;
              next.kill();
              throw new Error('the host is not there');
            },
            { timeout: 30_000, interval: 100 },
          );
        },
      };
    },
  };
  await own.until(isUp);
  return own;
}

interface Stream {
  readonly next: () => Promise<string>;
  readonly kill: () => void;
}

function byCommandLine({ env, dir }: TestFleet): Stream {
  const stream = streamCli(['events', '--all'], { env, cwd: dir.path });
  onTestFinished(() => void stream.process.kill('SIGTERM'));
  return { next: () => stream.line(), kill: () => void stream.process.kill('SIGKILL') };
}

let gateways = 0;

async function throughGateway({ env, dir }: TestFleet, filter: object = {}): Promise<Stream> {
  const socketPath = dir.join(`fleet-${++gateways}.sock`);
  const server = streamCli(['fleet', '--socket', socketPath], { env, cwd: dir.path });
  onTestFinished(() => void server.process.kill('SIGTERM'));
  await server.line();
  const connection = new RawConnection(socketPath);
  onTestFinished(() => connection.close());
  connection.write(`${JSON.stringify({ cmd: 'events', ...filter })}\n`);
  return {
    next: async () => (await connection.line()).toString(),
    kill() {
      connection.close();
      server.process.kill('SIGKILL');
    },
  };
}

const ofHost = (line: Line, state: string): boolean =>
  line['event'] === 'host' && line['host'] === 'web1' && line['state'] === state;
const isUp = (line: Line): boolean => ofHost(line, 'up');
const isDown = (line: Line): boolean => ofHost(line, 'down');

const eventsOf = (lines: readonly Line[]): Line[] =>
  lines.filter((line) => line['host'] === 'web1' && line['event'] !== 'host');

/** Numbers of the events that came, and of those of which it was said that they are missed. */
function counted(lines: readonly Line[]): { readonly seqs: number[]; readonly missed: number } {
  const events = eventsOf(lines);
  return {
    seqs: events.flatMap(({ seq }) => (typeof seq === 'number' ? [seq] : [])),
    missed: events.reduce((sum, { event, missed }) => sum + (event === 'lagged' ? Number(missed) : 0), 0),
  };
}

test.each(['command line', 'gateway'] as const)(
  'what happens on a host without the server comes once that is back, each event once: by the %s',
  async (reader) => {
    const { server, publish, until, lines } = await far(reader);
    await publish(3);
    await until(({ event }) => event === 'published');
    await server.kill();
    await until(isDown);
    await publish(5);
    await server.again();
    await until(isUp);
    await publish();
    await until(({ event }) => event === 'published' && counted(lines).seqs.length >= 9);
    const { seqs, missed } = counted(lines);
    expect(seqs).toEqual(seqs.map((_, i) => (seqs[0] ?? 0) + i));
    expect([seqs.length, missed]).toEqual([9, 0]);
  },
);

test('the stream of one host ends with the server, and says that the link was lost', async () => {
  const { server, fleet, publish } = await far('command line');
  await publish();
  const reader = streamCli(['events', '--on', 'web1', '--since', '0'], { env: fleet.env, cwd: fleet.dir.path });
  await reader.line();
  await server.kill();
  const { status, stderr } = await reader.ended();
  expect(status).toBe(1);
  expect(stderr).toContain('The connection to the host "web1" was lost');
  expect(stderr).toContain('the connection to the NATS server was lost');
});

test('events that the daemon no longer keeps are counted by "lagged", and the others follow', async () => {
  const { agent, join, publish, until, lines } = await far('gateway');
  await publish();
  const first = await until(({ event }) => event === 'published');
  agent.process.kill('SIGKILL');
  await until(isDown);
  await publish(5000);
  await join();
  await until(isUp);
  expect(await until(({ host }) => host === 'web1')).toMatchObject({ event: 'lagged', missed: 5000 - 4096 });
  await until(({ seq }) => seq === Number(first['seq']) + 5000);
  expect(counted(lines).seqs).toHaveLength(1 + 4096);
});

test('a daemon that was restarted is said to be another one, and its events come from the first one on', async () => {
  const { fleet, agent, socketPath, join, publish, until, lines } = await far('gateway');
  await publish();
  await until(({ event }) => event === 'published');
  await endDaemonAt(socketPath);
  expect(await agent.ended()).toMatchObject({ status: 1 });
  await until(isDown);
  await fleet.daemon('far');
  await publish(3);
  await join();
  await until((line) => ofHost(line, 'restarted'));
  lines.length = 0;
  await until(({ seq }) => seq === 3);
  expect(counted(lines)).toEqual({ seqs: [1, 2, 3], missed: 0 });
});

test('an agent that is stopped holds its events back, and loses none', async () => {
  const { agent, publish, until, lines } = await far('command line');
  onTestFinished(() => void agent.process.kill('SIGKILL'));
  agent.process.kill('SIGSTOP');
  await publish(2000);
  agent.process.kill('SIGCONT');
  await publish();
  await until(() => {
    const { seqs, missed } = counted(lines);
    return seqs.length + missed >= 2001;
  });
  const { seqs, missed } = counted(lines);
  expect(seqs.length + missed).toBe(2001);
});

test('no event is lost without a word when server, agent or reader are killed or stopped, in any order', async () => {
  const own = await far('gateway');
  const { server, publish, until, lines } = own;
  const isLive = async (): Promise<void> => {
    await publish();
    // Sums include events that a `lagged` stands for.
    await until(() => total(lines) === published);
  };
  let published = 0;
  const acts = {
    async publish() {
      await publish(7);
      published += 7;
    },
    async server() {
      await server.kill();
      await acts.publish();
      await server.again();
    },
    async agent() {
      own.agent.process.kill('SIGKILL');
      await acts.publish();
      // A host of that name is there until the server has noticed.
      await expect
        .poll(
          () =>
            own.join().then(
              () => true,
              () => false,
            ),
          { timeout: 20_000 },
        )
        .toBe(true);
    },
    async reader() {
      const killed = own.killReader();
      await acts.publish();
      await killed.again();
    },
    async stopped() {
      own.agent.process.kill('SIGSTOP');
      await acts.publish();
      own.agent.process.kill('SIGCONT');
    },
  };
  const total = (all: readonly Line[]): number => {
    const { seqs, missed } = counted(all);
    return seqs.length + missed;
  };
  const examples: [(keyof typeof acts)[]][] = [[['reader', 'server', 'reader']]];
  const act = fc.constantFrom<keyof typeof acts>('publish', 'server', 'agent', 'reader', 'stopped');
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 4 }), async (names) => {
      for (const name of names) await acts[name]();
      published++;
      await isLive();
      const { seqs, missed } = counted(lines);
      expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
      expect(missed).toBe(0);
    }),
    // In the suite the example, and one of a fixed seed.
    runsOf<fc.Parameters<[(keyof typeof acts)[]]>>({
      suite: { numRuns: 2, seed: 7, endOnFailure: true, examples },
      trial: { numRuns: 12, endOnFailure: true, examples },
    }),
  );
}, 120_000);

test('the place after any cuts is behind the last event, and each gap is counted once', () => {
  const event = (seq: number): StreamLine => ({ event: 'bell', terminal: 'a', count: 1, seq, ts: 0, rev: 0 });
  const place = new Place();
  expect(place.after('i')).toBe(undefined);
  expect(place.begin('i', 10)).toBe('up');
  expect(place.after('i')).toBe(10);
  place.pass(event(14));
  // Of a slow reader: its events are numbered by those that follow.
  place.pass({ event: 'lagged', missed: 100 });
  expect(place.after('i')).toBe(14);
  expect(place.begin('i', 500)).toBe('up');
  place.pass({ event: 'lagged', missed: 400 });
  expect(place.after('i')).toBe(414);
  place.begin('i', 600);
  place.pass({ event: 'lagged', missed: 1, error: 'malformed' });
  place.pass({ event: 'lagged', missed: 1 });
  expect(place.after('i')).toBe(414);
  // Of a gap that is placed, whatever has come before it.
  place.begin('i', 600);
  place.pass({ event: 'lagged', missed: 10, after: 420 });
  expect(place.after('i')).toBe(430);
  place.begin('i', 600);
  place.pass({ event: 'lagged', missed: 10, after: 3 });
  expect(place.after('i')).toBe(430);
  // What is no number of an event moves nothing.
  for (const seq of [-1, 1.5, Number.NaN, 2 ** 60]) place.pass(event(seq));
  expect(place.after('i')).toBe(430);
  expect(place.after('other')).toBe(0);
  expect(place.after(undefined)).toBe(0);
  expect(place.begin('other', 3)).toBe('restarted');
  expect(place.after('other')).toBe(0);
  // It refuses the number: its counter was set back.
  place.pass(event(3));
  place.restart();
  expect(place.after('other')).toBe(0);
  expect(place.begin('other', 1)).toBe('restarted');
});
