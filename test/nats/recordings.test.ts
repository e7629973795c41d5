/** Events out of a stream of JetStream's that the operator has made: what the daemon no longer keeps, each event once or counted. */
import type { NatsConnection } from '@nats-io/transport-node';
import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { permissionsOf } from '../../src/nats/permissions.js';
import { Range } from '../../src/nats/records.js';
import { Replies } from '../../src/nats/replies.js';
import { inboxOf, Subjects } from '../../src/nats/subjects.js';
import { streamCli } from '../support/cli.js';
import { testFleet, type TestFleet } from '../support/fleet.js';
import { joined, natsServer, natsUser, type NatsServer, type NatsUser, withUsers } from '../support/nats.js';
import { needs } from '../support/programs.js';
import { RawConnection } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';

needs('nats-server');

type Line = Readonly<Record<string, unknown>>;

const KEPT = 4096;
const subjects = new Subjects('farm');

interface Recorded {
  readonly fleet: TestFleet;
  readonly server: NatsServer;
  readonly socketPath: string;
  readonly operator: NatsUser;
  readonly nats: NatsConnection;
  readonly join: () => Promise<{ readonly kill: () => void }>;
  readonly publish: (count: number, name?: string) => Promise<void>;
  /** Numbers of recorded events are up to this one. */
  readonly untilRecorded: (seq: number) => Promise<void>;
  /** Lines of `events --since 0` over NATS, until the event of that number. */
  readonly since: (seq: number, last: number, ...more: string[]) => Promise<Line[]>;
}

/** The host `web1`, with the printed permissions and no others, of a server with JetStream. */
async function recorded(
  streams: readonly object[] = [{ name: 'EVENTS', subjects: ['t4a.farm.ev.>'] }],
): Promise<Recorded> {
  const fleet = testFleet();
  const [agent, client, operator] = ['agent', 'client', 'operator'].map((name) => natsUser(fleet.dir.path, name)) as [
    NatsUser,
    NatsUser,
    NatsUser,
  ];
  const { agent: agents, clients } = permissionsOf({ fleet: 'farm' }, 'web1', 'read', {
    agent: inboxOf(agent.publicKey),
    client: inboxOf(client.publicKey),
  });
  const server = await natsServer({
    jetstream: { store_dir: tempDir().path },
    ...withUsers([
      [agent, agents],
      [client, clients.read],
      [operator, { publish: { allow: ['>'] }, subscribe: { allow: ['>'] } }],
    ]),
  });
  const socketPath = await fleet.daemon('far');
  const nats = await server.client(operator);
  for (const stream of streams) {
    const made = await nats.request(
      `$JS.API.STREAM.CREATE.${(stream as { name: string }).name}`,
      JSON.stringify({ storage: 'file', retention: 'limits', discard: 'old', num_replicas: 1, ...stream }),
    );
    expect(made.json()).toMatchObject({ did_create: true });
  }
  const own: Recorded = {
    fleet,
    server,
    socketPath,
    operator,
    nats,
    async join() {
      const { process: running } = await joined(fleet, socketPath, [
        `${server.url}/farm?creds=${agent.file}`,
        '--name',
        'web1',
      ]);
      return { kill: () => void running.kill('SIGKILL') };
    },
    async publish(count, name = 'work') {
      const connection = new RawConnection(socketPath);
      const line = `{"cmd":"publish","name":"${name}"}\n`;
      for (let left = count; left > 0; left -= 100) {
        const some = Math.min(100, left);
        connection.write(line.repeat(some));
        for (let i = 0; i < some; i++) expect((await connection.reply()).header).toMatchObject({ ok: true });
      }
      connection.close();
    },
    async untilRecorded(seq) {
      await expect
        .poll(
          async () => {
            const last = await nats.request(
              '$JS.API.STREAM.MSG.GET.EVENTS',
              JSON.stringify({ last_by_subj: subjects.eventsOf('web1') }),
            );
            const { message } = last.json<{ message?: { data: string } }>();
            const text = Buffer.from(message?.data ?? 'e30=', 'base64').toString();
            return (JSON.parse(text) as { seq?: number }).seq;
          },
          { timeout: 15_000 },
        )
        .toBe(seq);
    },
    async since(seq, last, ...more) {
      const on = `${server.url}/farm/web1?creds=${client.file}`;
      const stream = streamCli(['events', '--on', on, '--since', String(seq), ...more], {
        env: fleet.env,
        cwd: fleet.dir.path,
      });
      onTestFinished(() => void stream.process.kill('SIGTERM'));
      const lines: Line[] = [];
      for (;;) {
        const line = JSON.parse(await stream.line()) as Line;
        lines.push(line);
        if (line['seq'] === last) return lines;
      }
    },
  };
  return own;
}

const seqsOf = (lines: readonly Line[]): unknown[] => lines.map(({ seq, missed }) => seq ?? { missed });
const from = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

test('events that the daemon no longer keeps come out of the stream of the operator, each once and in order', async () => {
  const { join, publish, untilRecorded, since } = await recorded();
  await join();
  await publish(KEPT + 1000);
  await untilRecorded(KEPT + 1000);
  expect(seqsOf(await since(0, KEPT + 1000))).toEqual(from(1, KEPT + 1000));
  expect(seqsOf(await since(500, KEPT + 1000))).toEqual(from(501, KEPT + 1000));
  expect((await since(0, KEPT + 1000, '--types', 'published')).length).toBe(KEPT + 1000);
});

test('without a stream the daemon answers what it keeps, and "lagged" counts the rest', async () => {
  const { join, publish, since } = await recorded([]);
  await join();
  await publish(KEPT + 1000);
  expect(seqsOf(await since(0, KEPT + 1000))).toEqual([{ missed: 1000 }, ...from(1001, KEPT + 1000)]);
});

test('what was not recorded while no agent was there is counted, and what was recorded before and after it comes', async () => {
  const { join, publish, untilRecorded, since } = await recorded();
  const agent = await join();
  await publish(10);
  await untilRecorded(10);
  agent.kill();
  await publish(KEPT + 100);
  await vi.waitFor(join, { timeout: 15_000, interval: 100 });
  await untilRecorded(KEPT + 110);
  await publish(50);
  await untilRecorded(KEPT + 160);
  const lines = seqsOf(await since(0, KEPT + 160));
  expect(lines).toEqual([...from(1, 10), { missed: 100 }, ...from(111, KEPT + 160)]);
});

test('an agent that was killed records no event twice', async () => {
  const { join, publish, untilRecorded, nats } = await recorded();
  for (const last of [30, 60, 90]) {
    await publish(30);
    // A host of that name is there until the server has noticed its end.
    const [agent] = await vi.waitFor(async () => [await join()], { timeout: 15_000, interval: 100 });
    await untilRecorded(last);
    agent?.kill();
  }
  const { state } = (await nats.request('$JS.API.STREAM.INFO.EVENTS')).json<{ state: { messages: number } }>();
  expect(state.messages).toBe(90);
});

test('a recording goes on when the server is back, behind the last event that the stream has', async () => {
  const { join, publish, untilRecorded, since, server } = await recorded();
  await join();
  await publish(20);
  await untilRecorded(20);
  await server.kill();
  await publish(30);
  await server.again();
  await untilRecorded(50);
  await publish(KEPT);
  await untilRecorded(KEPT + 50);
  expect(seqsOf(await since(0, KEPT + 50))).toEqual(from(1, KEPT + 50));
});

test('a stream of some types alone is not used: nothing is published for it', async () => {
  const { join, publish, since, nats } = await recorded([{ name: 'SOME', subjects: ['t4a.farm.ev.*.*.published'] }]);
  await join();
  await publish(KEPT + 1);
  expect(seqsOf(await since(0, KEPT + 1))).toEqual([{ missed: 1 }, ...from(2, KEPT + 1)]);
  const { state } = (await nats.request('$JS.API.STREAM.INFO.SOME')).json<{ state: { messages: number } }>();
  expect(state.messages).toBe(0);
});

test('no command line and nothing that was copied is recorded', async () => {
  const { join, fleet, socketPath, nats, untilRecorded, publish } = await recorded();
  const heard: Line[] = [];
  nats.subscribe('t4a.farm.ev.>', { callback: (_error, message) => void heard.push(message.json()) });
  await nats.flush();
  await join();
  const marks = String.raw`printf '\033]133;A\033\\\033]133;B\033\\\033]133;C;cmdline=topsecret\033\\\033]52;c;dG9wc2VjcmV0\033\\\033]133;D;0\033\\'; exec cat`;
  await fleet.output('--socket', socketPath, 'create', '--name', 'a', '--', 'sh', '-c', marks);
  await expect
    .poll(() => heard.map(({ event }) => event), { timeout: 10_000 })
    .toEqual(expect.arrayContaining(['created', 'command_done']));
  await publish(1);
  const { seq } = (await new RawConnection(socketPath).request({ cmd: 'events', ack: true })).header as { seq: number };
  await untilRecorded(seq);
  expect(heard.filter(({ event }) => event === 'clipboard')).toEqual([]);
  expect(heard.flatMap((line) => ('command' in line ? [line['command']] : []))).not.toContainEqual(expect.any(String));
});

test('a stream that the server delivers as signs of life of another host drives no host away', async () => {
  const { join, nats, since, publish } = await recorded();
  await join();
  const twin = { host: 'web1', address: 'x', instance: 'i', version: '0', allow: 'read', labels: {} };
  const forged = JSON.stringify({ ...twin, terminals: 0, room: 0, joined_ms: 1e12 });
  await nats.request('t4a.farm.ev.web2.a.forged', forged);
  const made = await nats.request(
    '$JS.API.CONSUMER.CREATE.EVENTS.push',
    JSON.stringify({
      stream_name: 'EVENTS',
      config: {
        name: 'push',
        deliver_policy: 'all',
        ack_policy: 'none',
        filter_subject: 't4a.farm.ev.web2.>',
        deliver_subject: subjects.heartbeat('web1'),
      },
    }),
  );
  expect(made.json()).toMatchObject({ name: 'push' });
  await publish(1);
  // The server has delivered it before it answers what comes after.
  await nats.flush();
  expect(seqsOf(await since(0, 1))).toEqual([1]);
});

test('of a recording each number of the range comes once or is counted, also if the stream has some twice, late or malformed', () => {
  const message = (event: object): { data: Uint8Array } => ({ data: new TextEncoder().encode(JSON.stringify(event)) });
  const range = new Range({ types: ['bell'] }, 10, 20);
  const take = (seq: number, event = 'bell'): unknown[] => seqsOf(range.take(seq, message({ event, seq })));
  expect(take(5)).toEqual([]);
  expect(take(11)).toEqual([11]);
  expect(take(11)).toEqual([]);
  expect(take(12, 'exit')).toEqual([]);
  expect(take(15)).toEqual([{ missed: 2 }, 15]);
  expect(take(14)).toEqual([]);
  expect(range.take(16, { data: new TextEncoder().encode('{"event":') })).toEqual([]);
  expect(range.take(16, message({ event: 'bell', seq: 17 }))).toEqual([]);
  expect(take(18)).toEqual([{ missed: 2 }, 18]);
  expect(take(21)).toEqual([]);
  expect(range.isFull).toBe(false);
  expect(seqsOf(range.end())).toEqual([{ missed: 2 }]);
  expect(range.end()).toEqual([]);
});

test('clocks that run back and apart order nothing: the numbers of the daemon do', () => {
  const range = new Range({}, 0, 4);
  const take = (seq: number, ts: number): unknown[] =>
    seqsOf(range.take(seq, { data: new TextEncoder().encode(JSON.stringify({ event: 'bell', seq, ts })) }));
  expect([take(1, 4e12), take(2, 5), take(4, -3), take(3, 9e12)]).toEqual([[1], [2], [{ missed: 1 }, 4], []]);
});

test('each placed gap of a replay is filled, up to sixteen, and what a slow reader has missed is not', async () => {
  const replies = new Replies();
  const asked: (readonly [number, number | undefined])[] = [];
  replies.expect({
    req: 2,
    async *lines(missed, after) {
      asked.push([missed, after]);
      await Promise.resolve();
      yield { event: 'filled' };
    },
  });
  const line = (fields: object): string => `${JSON.stringify({ ...fields, req: 2 })}\n`;
  const bell = line({ event: 'bell', seq: 1 });
  const gaps = Array.from({ length: 18 }, (_, i) => line({ event: 'lagged', missed: 2, after: 3 * i + 1 }));
  const slow = line({ event: 'lagged', missed: 5 });
  replies.end(bell + gaps.join(bell) + slow);
  let out = '';
  for await (const chunk of replies) out += String(chunk);
  const filled = gaps.map((gap, i) => (i < 16 ? line({ event: 'filled' }) : gap));
  expect(out).toBe(bell + filled.join(bell) + slow);
  expect(asked).toEqual(Array.from({ length: 16 }, (_, i) => [2, 3 * i + 1]));
});

test('a replay is put in the place of its "lagged" alone, however the bytes come, and other replies pass as they are', () => {
  const passes = '{"ok":true,"req":1,"len":9}\n{"event"}\n';
  const before = `${passes.slice(0, -1)}{"ok":true,"req":2,"seq":9}\n{"event":"lagged","missed":3,"req":3}\n`;
  const lagged = '{"event":"lagged","missed":2,"req":2}\n';
  const after = '{"event":"bell","seq":8,"req":2}\n{"event":"lagged","missed":1,"req":2}\n{"ok":false,"req":4}\n';
  return fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (steps) => {
      const replies = new Replies();
      const missed: number[] = [];
      replies.expect({
        req: 2,
        async *lines(count) {
          missed.push(count);
          await Promise.resolve();
          yield { event: 'bell', seq: 6 };
          yield { event: 'bell', seq: 7 };
        },
      });
      const bytes = Buffer.from(before + lagged + after);
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const step = steps[i % steps.length] ?? 1;
        replies.write(bytes.subarray(at, (at += step)));
      }
      replies.end();
      let out = '';
      for await (const chunk of replies) out += String(chunk);
      const replay = '{"event":"bell","seq":6,"req":2}\n{"event":"bell","seq":7,"req":2}\n';
      expect(out).toBe(before + replay + after);
      expect(missed).toEqual([2]);
    }),
  );
});
