/**
 * What one client that asks for much, or opens a hostile file, costs the others: their `text` beside it. That client is a thread of its
 * own: what it takes to read its replies is no cost of the daemon's.
 */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { connect } from '../src/client/index.js';
import { REFUSED, SHOWN, WAITING } from '../trials/crowds/loads.js';
import { type BenchDaemon, startBenchDaemon } from './support/bench-daemon.js';
import { type BenchContext, type Figure, percentile } from './support/figure.js';

type Client = BenchDaemon['client'];

/** Others, whose terminals live on. */
const TERMINALS = 20;
const SUBSCRIBERS = 300;
/** Above a screen, each of which takes two rows in the narrower of two widths. */
const LONG_LINES = 50_000;
/** Of one crowd. */
const SAMPLE_MS = 3000;
/** Between two reads of the client that is measured. */
const PAUSE_MS = 2;
const ALONE_SAMPLES = 1000;
/** Of a client that has asked for what waits. */
const SENT_PAUSE_MS = 20;

const MAX_RATIO = 4;
/** Beside what is sent without end, and a slice of which is served between two looks. */
const MAX_P50_MS = 10;
const MAX_P99_MS = 60;
const MAX_WORST_MS = 100;
/** Of the daemon, which is told so: a fraction of what the files are when inflated. */
const MAX_MEMORY_BYTES = 1024 * 1024 * 1024;
const MEMORY_EVERY_MS = 20;
const MIB = 1024 * 1024;

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

/** Of the thread. */
interface CrowdTask {
  readonly crowd: string;
  readonly dir: string;
  readonly socketPath: string;
}

if (!isMainThread && (workerData as Partial<CrowdTask> | undefined)?.crowd !== undefined) {
  void actUntilAsked(workerData as CrowdTask);
}

/** Reports when it begins, and how often it has acted when a message has asked it to end. */
async function actUntilAsked({ crowd, dir, socketPath }: CrowdTask): Promise<void> {
  const act = await actOf(crowd, dir, socketPath);
  let isOver = false;
  parentPort?.once('message', () => (isOver = true));
  parentPort?.postMessage('begins');
  let acts = 0;
  for (; !isOver; acts++) await act();
  parentPort?.postMessage(acts);
}

async function actOf(name: string, dir: string, socketPath: string): Promise<() => Promise<unknown>> {
  const client = await connect({ socketPath });
  if (name === SUBSCRIBED) {
    await subscribe(socketPath);
    return () => client.call('marker', { id: 'other0', label: 'x' });
  }
  const sent = sentLoads().get(name);
  if (sent !== undefined) return sender(socketPath, sent);
  const found = crowds(dir).find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no crowd "${name}"`);
  return () => found.act(client);
}

const SUBSCRIBED = `events to ${SUBSCRIBERS} subscribers`;

/** What a client without any library sends. */
interface Sent {
  readonly first: string;
  /** Again and again. */
  readonly chunk?: string | undefined;
}

/** Those of the trial "crowds". */
function sentLoads(): ReadonlyMap<string, Sent> {
  const line = (request: object): string => `${JSON.stringify(request)}\n`;
  return new Map([
    ...REFUSED.map(({ name, first = '', chunk }) => [`refused: ${name}`, { first, chunk }] as const),
    ...WAITING.map(({ name, requests, chunk }) => [name, { first: requests.map(line).join(''), chunk }] as const),
  ]);
}

/** A client that is shut out comes again. */
async function sender(socketPath: string, { first, chunk }: Sent): Promise<() => Promise<unknown>> {
  const open = async (): Promise<Socket> => {
    const socket = createConnection(socketPath).on('error', () => {});
    await once(socket, 'connect');
    socket.resume().write(first);
    return socket;
  };
  let socket = await open();
  return async () => {
    if (socket.destroyed || socket.readableEnded) socket = await open();
    if (chunk === undefined) return delay(SENT_PAUSE_MS);
    if (socket.write(chunk)) return delay(0);
    const gone = new AbortController();
    const end = (): void => gone.abort();
    socket.once('close', end);
    await once(socket, 'drain', { signal: gone.signal }).catch(() => {});
    socket.off('close', end);
    return undefined;
  };
}

function crowds(dir: string): Crowd[] {
  return [...opens(dir), ...reads(), ...changes()];
}

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  try {
    const { client, dir } = daemon;
    await client.call('config', { max_memory_bytes: MAX_MEMORY_BYTES });
    for (let i = 0; i < TERMINALS; i++) await client.call('create', { name: `other${i}`, cmd_args: ['cat'] });
    await client.call('create', { name: 'other', cmd_args: ['cat'] });
    await paint(client);
    writeFiles(dir);
    const alone = await textsWhile(client, ALONE_SAMPLES);
    const figures: Figure[] = [];
    for (const name of [...crowds(dir).map((crowd) => crowd.name), SUBSCRIBED]) {
      figures.push(...(await beside(name, daemon, alone)));
    }
    await client.call('create', SHOWN);
    const besideShown = await textsWhile(client, ALONE_SAMPLES);
    for (const name of sentLoads().keys()) figures.push(...(await beside(name, daemon, besideShown)));
    return figures;
  } finally {
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
  await client.call('create', {
    name: 'long',
    scrollback: LONG_LINES,
    cmd_args: ['sh', '-c', `seq -f '%.0f ${'x'.repeat(70)}' 1 ${LONG_LINES}; printf '\\a'; cat`],
    wait,
  });
}

function writeFiles(dir: string): void {
  for (const [i, content] of Object.values(FILES).entries()) writeFileSync(fileAt(dir, i), gzipSync(content));
}

function fileAt(dir: string, index: number): string {
  return path.join(dir, `hostile${index}.cast.gz`);
}

function opens(dir: string): Crowd[] {
  return Object.keys(FILES).map((name, i) => ({
    name: `open of ${name}`,
    async act(client) {
      const opened = await client.call('open', { path: fileAt(dir, i), name: 'hostile' }).catch(() => undefined);
      if (opened !== undefined) await client.call('kill', { id: ['hostile'] });
    },
  }));
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
  let longCols = 80;
  return [
    {
      name: `resize of ${LONG_LINES} lines`,
      act: (client) => client.call('resize', { id: 'long', cols: (longCols = longCols === 80 ? 60 : 80), rows: 24 }),
    },
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

/** They read and keep nothing. */
async function subscribe(socketPath: string): Promise<void> {
  for (let i = 0; i < SUBSCRIBERS; i++) {
    const socket = createConnection(socketPath);
    socket.write('{"cmd":"events","ack":true}\n');
    await once(socket, 'data');
    socket.resume();
  }
}

async function beside(
  crowd: string,
  { client, dir, socketPath }: BenchDaemon,
  alone: readonly number[],
): Promise<Figure[]> {
  const thread = new Worker(fileURLToPath(import.meta.url), {
    workerData: { crowd, dir, socketPath } satisfies CrowdTask,
  });
  await once(thread, 'message');
  const times: number[] = [];
  const { pid } = client.daemon;
  let mostBytes = residentBytes(pid);
  let isReadAt = 0;
  for (const end = performance.now() + SAMPLE_MS; performance.now() < end;) {
    times.push(await timedText(client));
    if (performance.now() < isReadAt) continue;
    isReadAt = performance.now() + MEMORY_EVERY_MS;
    mostBytes = Math.max(mostBytes, residentBytes(pid));
  }
  thread.postMessage('end');
  const [acts] = (await once(thread, 'message')) as [number];
  await thread.terminate();
  const p50 = percentile(times, 50);
  const ratio = p50 / percentile(alone, 50);
  const isSent = sentLoads().has(crowd);
  const note = `${isSent ? `${ratio.toFixed(1)} times that alone` : `${p50.toFixed(2)} ms`}, ${acts} times`;
  return [
    isSent
      ? { name: `text beside ${crowd}, p50`, value: p50, unit: ' ms', limit: MAX_P50_MS, note }
      : { name: `text beside ${crowd}, p50, times that alone`, value: ratio, limit: MAX_RATIO, note },
    { name: `text beside ${crowd}, p99`, value: percentile(times, 99), unit: ' ms', limit: MAX_P99_MS },
    { name: `text beside ${crowd}, worst`, value: Math.max(...times), unit: ' ms', limit: MAX_WORST_MS },
    ...(mostBytes === 0
      ? []
      : [{ name: `memory beside ${crowd}`, value: mostBytes / MIB, unit: ' MiB', limit: MAX_MEMORY_BYTES / MIB }]),
  ];
}

/** From the system: a request for it would be one more beside the others. 0 where there is no /proc. */
function residentBytes(pid: number): number {
  try {
    const [, kib = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib) * 1024;
  } catch {
    return 0;
  }
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
