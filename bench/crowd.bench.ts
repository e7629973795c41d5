/** What one client that asks for much, or opens a hostile file, costs the others: their `text` beside it. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { connect } from '../src/client/index.js';
import { type BenchDaemon, startBenchDaemon } from './support/bench-daemon.js';
import { type BenchContext, type Figure, percentile } from './support/figure.js';

type Client = BenchDaemon['client'];

/** Others, whose terminals live on. */
const TERMINALS = 20;
const SUBSCRIBERS = 300;
/** Of one crowd. */
const SAMPLE_MS = 3000;
/** Between two reads of the client that is measured. */
const PAUSE_MS = 2;
const ALONE_SAMPLES = 1000;

const MAX_RATIO = 4;
const MAX_P99_MS = 60;

const HEAD = '{"version":3,"term":{"cols":80,"rows":24}}\n';
const sizes = Array.from({ length: 90 }, (_, i) => `[0.001,"r","${1000 - (i % 2)}x1000"]\n`).join('');
const V1 = `{"version":1,"width":80,"height":24,"stdout":[${Array(1_000_000).fill('[0,""]').join(',')}]}`;

const FILES: Readonly<Record<string, string>> = {
  'sizes that change': HEAD + sizes,
  'a v1 of a million frames': V1,
  'deep JSON': `${HEAD}${'['.repeat(8_000_000)}\n`,
  'millions of comments': `${HEAD}${'#\n'.repeat(5_000_001)}`,
  'long output': `${HEAD}${`[0.01,"o","${'x'.repeat(1_000_000)}"]\n`.repeat(20)}`,
};

/** What it does again and again, as long as the sample takes. */
interface Crowd {
  readonly name: string;
  readonly act: (client: Client) => Promise<unknown>;
}

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  const crowd = await connect({ socketPath: daemon.socketPath });
  try {
    const { client } = daemon;
    for (let i = 0; i < TERMINALS; i++) await client.call('create', { name: `other${i}`, cmd_args: ['cat'] });
    await paint(crowd);
    const alone = await textsWhile(client, ALONE_SAMPLES);
    const figures: Figure[] = [];
    for (const { name, act } of [...opens(daemon.dir), ...reads(), ...changes()]) {
      figures.push(...(await beside(name, client, alone, () => act(crowd))));
    }
    figures.push(...(await besideSubscribers(daemon, alone)));
    return figures;
  } finally {
    await crowd.close();
    await daemon.stop();
  }
}

/** A screen of the largest size, in colours. */
async function paint(client: Client): Promise<void> {
  const program = String.raw`
    for (let row = 0; row < 1000; row++) {
      let line = '';
      for (let col = 0; col < 100; col++) line += '\x1b[3' + ((row + col) % 8) + 'mabcd efgh';
      process.stdout.write(line + '\x1b[m\r\n');
    }
    process.stdout.write('\x07');
    setInterval(() => {}, 1e6);`;
  const wait = { until: { event: 'bell' as const }, timeout_ms: 30_000 };
  await client.call('create', {
    name: 'big',
    cols: 1000,
    rows: 1000,
    cmd_args: [process.execPath, '-e', program],
    wait,
  });
}

function opens(dir: string): Crowd[] {
  return Object.entries(FILES).map(([name, content], i) => {
    const file = path.join(dir, `hostile${i}.cast.gz`);
    writeFileSync(file, gzipSync(content));
    const act = async (client: Client): Promise<void> => {
      const opened = await client.call('open', { path: file, name: 'hostile' }).catch(() => undefined);
      if (opened !== undefined) await client.call('kill', { id: ['hostile'] });
    };
    return { name: `open of ${name}`, act };
  });
}

function reads(): Crowd[] {
  const text = (name: string, fields: object): Crowd => ({
    name: `text of 1000x1000 ${name}`,
    act: (client) => client.call('text', { id: 'big', ...fields }),
  });
  return [
    text('with styles', { format: 'cells' }),
    text('as HTML', { format: 'html' }),
    text('with highlights and links', { highlights: true, links: true }),
    {
      name: '40 reads at once',
      act: (client) =>
        Promise.all(Array.from({ length: 40 }, () => client.call('text', { id: 'big', format: 'ansi' }))),
    },
    { name: 'export of 1000x1000', act: (client) => client.call('export', { id: 'big' }) },
  ];
}

function changes(): Crowd[] {
  let cols = 1000;
  return [
    {
      name: 'resize of 1000x1000',
      act: (client) => client.call('resize', { id: 'big', cols: (cols = cols === 1000 ? 999 : 1000), rows: 1000 }),
    },
    {
      name: 'create of 1000x1000',
      async act(client) {
        await client.call('create', { name: 'large', cols: 1000, rows: 1000, cmd_args: ['cat'] });
        await client.call('kill', { id: ['large'] });
      },
    },
  ];
}

/** They read and keep nothing: this process has other work. */
async function besideSubscribers({ client, socketPath }: BenchDaemon, alone: readonly number[]): Promise<Figure[]> {
  const sockets: Socket[] = [];
  for (let i = 0; i < SUBSCRIBERS; i++) {
    const socket = createConnection(socketPath);
    sockets.push(socket);
    socket.write('{"cmd":"events","ack":true}\n');
    await once(socket, 'data');
    socket.resume();
  }
  const publishing = await connect({ socketPath });
  const mark = (): Promise<unknown> => publishing.call('marker', { id: 'other0', label: 'x' });
  const figures = await beside(`events to ${SUBSCRIBERS} subscribers`, client, alone, mark);
  for (const socket of sockets) socket.destroy();
  await publishing.close();
  return figures;
}

async function beside(
  name: string,
  client: Client,
  alone: readonly number[],
  act: () => Promise<unknown>,
): Promise<Figure[]> {
  let isOver = false;
  const acting = (async () => {
    let acts = 0;
    for (; !isOver; acts++) await act();
    return acts;
  })();
  const times: number[] = [];
  for (const end = performance.now() + SAMPLE_MS; performance.now() < end;) times.push(await timedText(client));
  isOver = true;
  const acts = await acting;
  const p50 = percentile(times, 50);
  return [
    {
      name: `text beside ${name}, p50, times that alone`,
      value: p50 / percentile(alone, 50),
      limit: MAX_RATIO,
      note: `${p50.toFixed(2)} ms, ${acts} times`,
    },
    { name: `text beside ${name}, p99`, value: percentile(times, 99), unit: ' ms', limit: MAX_P99_MS },
  ];
}

async function textsWhile(client: Client, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) times.push(await timedText(client));
  return times;
}

async function timedText(client: Client): Promise<number> {
  await delay(PAUSE_MS);
  const startMs = performance.now();
  await client.call('text', { id: 'other1' });
  return performance.now() - startMs;
}
