/** Faults between a host and its clients: a server that holds little, one that is suspended, a network that is cut and heals. */
import { setTimeout as delay } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { SingleRequests } from '../../src/nats/single-request.js';
import { newToken } from '../../src/nats/subjects.js';
import { type CliStream, streamCli } from '../support/cli.js';
import { asItShould, fakeDaemon, replyLine } from '../support/fake-daemon.js';
import { testFleet, type TestFleet } from '../support/fleet.js';
import { joined, natsServer } from '../support/nats.js';
import { needs } from '../support/programs.js';
import { RawConnection } from '../support/raw.js';

needs('nats-server');

type Line = Readonly<Record<string, unknown>>;

async function publish(socketPath: string, count: number, data: string): Promise<void> {
  const connection = new RawConnection(socketPath);
  const line = `${JSON.stringify({ cmd: 'publish', name: 'work', data })}\n`;
  for (let left = count; left > 0; left -= 100) {
    const some = Math.min(100, left);
    connection.write(line.repeat(some));
    for (let i = 0; i < some; i++) expect((await connection.reply()).header).toMatchObject({ ok: true });
  }
  connection.close();
}

function reading(fleet: TestFleet, ...args: string[]): CliStream {
  const stream = streamCli(['events', ...args], { env: fleet.env, cwd: fleet.dir.path });
  onTestFinished(() => void stream.process.kill('SIGKILL'));
  return stream;
}

/** Of a command that has a process for its route. */
function childOf({ process: { pid } }: CliStream): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  if (child === undefined || child === 0) throw new Error('it has no process for its route');
  return child;
}

test('where a server of small max_pending cuts off a client, it says so, and no event is lost', async () => {
  const fleet = testFleet();
  const server = await natsServer({ max_payload: 32 * 1024, max_pending: 64 * 1024 });
  const socketPath = await fleet.daemon('far');
  await joined(fleet, socketPath, [`${server.url}/farm`, '--name', 'web1']);
  await fleet.output('hosts', 'add', `${server.url}/farm/web1`);
  await publish(socketPath, 1, '');
  const reader = reading(fleet, '--on', 'web1', '--since', '0');
  const seqs: unknown[] = [(JSON.parse(await reader.line()) as Line)['seq']];
  const route = childOf(reader);
  process.kill(route, 'SIGSTOP');
  onTestFinished(() => {
    if (reader.process.exitCode === null) process.kill(route, 'SIGCONT');
  });
  await publish(socketPath, 3000, 'x'.repeat(1000));
  process.kill(route, 'SIGCONT');
  for (let stream = reader; seqs.at(-1) !== 3001;) {
    const line = await stream.line().catch(() => undefined);
    if (line !== undefined) {
      seqs.push((JSON.parse(line) as Line)['seq']);
      continue;
    }
    expect(await stream.ended()).toMatchObject({ status: 1, stderr: expect.stringContaining('was lost') as string });
    stream = reading(fleet, '--on', 'web1', '--since', String(seqs.at(-1)));
  }
  expect(seqs).toEqual(Array.from({ length: 3001 }, (_, i) => i + 1));
});

/** A way to a port that can be cut without a word, and heals. */
async function way(
  to: number,
): Promise<{ readonly port: number; readonly cut: () => void; readonly heal: () => void }> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => into.write(chunk));
      from.on('error', () => {
        // 'close' follows.
      });
      from.once('close', () => {
        sockets.delete(from);
        into.destroy();
      });
      if (isCut) from.pause();
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return {
    port: (proxy.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    heal() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
  };
}

test('a host behind a network that was cut is down, and up once it heals, with each event of between', async () => {
  const fleet = testFleet();
  const server = await natsServer();
  const { port, cut, heal } = await way(Number(new URL(server.url).port));
  const socketPath = await fleet.daemon('far');
  const agent = await joined(fleet, socketPath, [`nats://127.0.0.1:${port}/farm`, '--name', 'web1']);
  await fleet.output('hosts', 'add', `${server.url}/farm/web1`);
  const reader = reading(fleet, '--all');
  const seqs: unknown[] = [];
  const until = async (fits: (line: Line) => boolean): Promise<void> => {
    for (;;) {
      const line = JSON.parse(await reader.line()) as Line;
      if (line['host'] === 'web1' && line['event'] !== 'host') seqs.push(line['seq']);
      if (fits(line)) return;
    }
  };
  const isNow = (state: string) => (line: Line) => line['host'] === 'web1' && line['state'] === state;
  await until(isNow('up'));
  await publish(socketPath, 5, '');
  await until(({ seq }) => seq === 5);
  cut();
  await publish(socketPath, 5, '');
  await until(isNow('down'));
  heal();
  await until(isNow('up'));
  await publish(socketPath, 5, '');
  await until(({ seq }) => seq === 15);
  expect(seqs).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
  expect(agent.process.exitCode).toBe(null);
}, 120_000);

test('of two daemons that have joined under one name while the network was cut, the younger agent leaves once it heals', async () => {
  const fleet = testFleet();
  const server = await natsServer();
  const { port, cut, heal } = await way(Number(new URL(server.url).port));
  const args = ['--name', 'web1'];
  const older = await joined(fleet, await fleet.daemon('far'), [`nats://127.0.0.1:${port}/farm`, ...args]);
  cut();
  // Two that have joined within a second are of the same age: either of them leaves.
  await delay(1500);
  const younger = await joined(fleet, await fleet.daemon('clone'), [`${server.url}/farm`, ...args]);
  heal();
  expect(await younger.ended()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('has another host "web1"') as string,
  });
  expect(older.process.exitCode).toBe(null);
  expect(await fleet.output('ping', '--on', `${server.url}/farm/web1`)).not.toBe('');
});

test('a single reply of more than 64 MiB is refused with its size, and the next request is answered', async () => {
  const server = await natsServer();
  const { socketPath, answers } = await fakeDaemon();
  const nats = await server.client();
  const inbox = `_INBOX.test.${newToken()}`;
  const replies: Line[] = [];
  nats.subscribe(inbox, { callback: (_error, message) => void replies.push(message.json()) });
  const long = JSON.stringify('x'.repeat(1024 * 1024));
  const parts = Array.from({ length: 65 }, () => long).join(',');
  answers.push(asItShould, (socket, req) => void socket.write(replyLine(req, {}).replace('}', `,"x":[${parts}]}`)));
  const singles = new SingleRequests(nats, socketPath);
  const ask = (): Promise<void> => singles.answer(inbox, new TextEncoder().encode('{"cmd":"list","req":1}'));
  await ask();
  await ask();
  await nats.flush();
  expect(replies).toMatchObject([
    { ok: false, error: expect.stringContaining(`more than ${64 * 1024 * 1024} bytes`) as string },
    { ok: true, terminals: [] },
  ]);
});
