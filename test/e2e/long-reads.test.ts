/** Reads of large screens are made in slices: what is read is the screen of one instant all the same. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';
import { casesOf } from '../support/trial.js';

const PAINTER = String.raw`
for (let row = 0; row < 1000; row++) {
  let line = '';
  for (let col = 0; col < 100; col++) line += '\x1b[3' + ((row + col) % 8) + 'mabcd efgh';
  process.stdout.write(line + '\x1b[m' + (row < 999 ? '\r\n' : ''));
}
process.stdout.write('\x07');
process.stdin.on('data', () => process.stdout.write('\x1b[H\x1b[2J\x07'));
`;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.stop();
});

async function painted(): Promise<unknown> {
  const wait = { until: { event: 'bell' } };
  const cmdArgs = ['sh', '-c', 'stty raw -echo; exec "$0" -e "$1"', process.execPath, PAINTER];
  const { id } = await request(daemon, { cmd: 'create', cols: 1000, rows: 1000, cmd_args: cmdArgs, wait });
  return id;
}

it('what is read is the screen of one instant, though the program clears it while the reply is made', async () => {
  const id = await painted();
  const reading = new RawConnection(daemon.socketPath);
  const other = new RawConnection(daemon.socketPath);
  reading.write(`${JSON.stringify({ cmd: 'text', id, format: 'ansi' })}\n`);
  const cleared = { cmd: 'send', id, input: 'x', wait: { until: { event: 'bell' } } };
  other.write(`${JSON.stringify(cleared)}\n`);
  const { header } = await reading.reply();
  await other.reply();
  const lines = header['lines'] as string[];
  expect(new Set(lines.map((line) => line.includes('efgh')))).toEqual(new Set([true]));
  const { lines: after } = await request(daemon, { cmd: 'text', id });
  expect((after as string[]).join('').trim()).toBe('');
  for (const one of [reading, other]) one.socket.destroy();
  await request(daemon, { cmd: 'kill', id });
});

it('clients that read the same at once get the same, of one instant, though the program clears it after that', async () => {
  const id = await painted();
  const readers = Array.from({ length: 8 }, () => new RawConnection(daemon.socketPath));
  for (const one of readers) one.write(`${JSON.stringify({ cmd: 'text', id, format: 'ansi', req: 1 })}\n`);
  const first = await readers[0]!.reply();
  await request(daemon, { cmd: 'send', id, input: 'x', wait: { until: { event: 'bell' } } });
  const { lines } = first.header as { lines: string[] };
  expect(lines.every((line) => line.includes('efgh'))).toBe(true);
  for (const one of readers.slice(1)) expect((await one.reply()).header).toEqual(first.header);
  const { lines: after } = await request(daemon, { cmd: 'text', id, format: 'ansi' });
  expect((after as string[]).some((line) => line.includes('efgh'))).toBe(false);
  for (const one of readers) one.socket.destroy();
  await request(daemon, { cmd: 'kill', id });
});

/** How many pings of another client are answered while a command runs. */
async function answeredDuring(fields: object): Promise<{ answered: number; reply: Record<string, unknown> }> {
  const [asking, other] = [new RawConnection(daemon.socketPath), new RawConnection(daemon.socketPath)];
  let isOver = false;
  const asked = asking.request(fields).finally(() => (isOver = true));
  let answered = 0;
  for (;;) {
    await other.request({ cmd: 'ping' });
    if (isOver) break;
    answered++;
  }
  for (const one of [asking, other]) one.socket.destroy();
  return { answered, reply: (await asked).header };
}

/** The work of each takes a hundred turns of the event loop and more, and that of the first frames of watch some twenty. */
const READS: [name: string, read: object, atLeast?: number][] = [
  ['text', { cmd: 'text', format: 'ansi' }, 8],
  ['text of a scrollback', { cmd: 'text', format: 'ansi', region: 'all' }, 8],
  ['text of the past', { cmd: 'text', format: 'ansi', at: '-1ms' }],
  ['text with a wait', { cmd: 'text', format: 'ansi', wait: { until: { text: 'efgh' } } }],
  ['the first frame of watch', { cmd: 'watch' }],
  ['watch of the past', { cmd: 'watch', at: '-1ms' }],
  ['export', { cmd: 'export' }, 8],
  ['export of a part', { cmd: 'export', from: '-1ms' }, 8],
];

/** One of each kind of work; a trial has all. */
const SAMPLE = ['text', 'text of the past', 'the first frame of watch', 'export'];

it.each<[string, object, number?]>(casesOf(READS, ([name]) => SAMPLE.includes(name)))(
  'others are served while a large screen is read by %s',
  async (_name, read, least = 3) => {
    const id = await painted();
    // The history has a keyframe of the painted screen then.
    await request(daemon, { cmd: 'resize', id, cols: 1000, rows: 999 });
    const { answered, reply } = await answeredDuring({ ...read, id });
    expect(reply).toMatchObject({ ok: true });
    // In one step it would be the one or two that are on their way.
    expect(answered).toBeGreaterThan(least);
    await request(daemon, { cmd: 'kill', id });
  },
);

it('others are served between the replies of many waits that end together', async () => {
  const id = await painted();
  const connections = Array.from({ length: 20 }, () => new RawConnection(daemon.socketPath));
  const wait = { cmd: 'wait', id, until: { event: 'marker' }, fresh: true, observe: { text: true }, req: 1 };
  // A ping is answered when the wait before it has begun.
  for (const one of connections) {
    one.write(`${JSON.stringify(wait)}\n`);
    await one.request({ cmd: 'ping', req: 2 });
  }
  const other = new RawConnection(daemon.socketPath);
  const order: string[] = [];
  const replies = connections.map((one) => one.reply().then(({ header }) => (order.push('wait'), header)));
  await request(daemon, { cmd: 'marker', id, label: 'now' });
  while (order.filter((name) => name === 'wait').length < 20) {
    await other.request({ cmd: 'ping' });
    order.push('ping');
  }
  const between = order.slice(order.indexOf('wait'), order.lastIndexOf('wait'));
  expect(between.filter((name) => name === 'ping').length).toBeGreaterThan(5);
  for (const header of await Promise.all(replies)) expect(header).toMatchObject({ outcome: 'matched' });
  for (const one of [...connections, other]) one.socket.destroy();
  await request(daemon, { cmd: 'kill', id });
});
