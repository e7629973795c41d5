/** Persons who watch: from a key to the frame, and what watchers cost the daemon. Watchers ask as often as `t4a attach`. */
import { readFileSync } from 'node:fs';
import { connect as connectSocket, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type Client } from '../src/client/index.js';
import { startBenchDaemon, type BenchDaemon } from './support/bench-daemon.js';
import { median, percentile, type BenchContext, type Figure } from './support/figure.js';

const KEYS = 300;
/** Fewer for a first look: T4A_BENCH_PEOPLE_LINES=100000. */
const FLOOD_LINES = Number(process.env['T4A_BENCH_PEOPLE_LINES'] ?? 400_000);
const ROUNDS = 3;
const WATCHERS = 20;
const FRAME_MS = 1000 / 60;
const TICKS_PER_SECOND = 100;

const LINE = 'the quick brown fox jumps over the lazy dog and runs into the night';
/** No two lines are equal: each frame has all rows. */
const FLOOD = `seq -f '%.0f ${LINE}' 1 ${FLOOD_LINES}`;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  try {
    return [...(await keyFigures(daemon)), ...(await floodFigures(daemon))];
  } finally {
    await daemon.stop();
  }
}

/** The view before `watch` waited for a change, and then read the whole text. */
async function keyFigures({ client, socketPath }: BenchDaemon): Promise<Figure[]> {
  const viewer = await connect({ socketPath });
  const { id } = await client.call('create', {
    cmd_args: ['sh', '-c', 'ls -la --color /usr/bin | head -100; stty raw -echo; echo ready; exec cat'],
    wait: { until: { text: 'ready' } },
  });
  const watched: number[] = [];
  const viewed: number[] = [];
  let frame = await viewer.call('watch', { id });
  for (let i = 0; i < KEYS; i++) {
    const { rev } = await viewer.call('text', { id });
    viewed.push(
      await keyToFrame(client, id, async () => {
        await viewer.call('wait', { id, until: { changed_since: rev }, tail: 0 });
        await viewer.call('text', { id, format: 'ansi' });
      }),
    );
    frame = await viewer.call('watch', { id, since: frame.rev });
    watched.push(
      await keyToFrame(client, id, async () => {
        frame = await viewer.call('watch', { id, since: frame.rev, state: frame.state });
      }),
    );
  }
  await client.call('kill', { id });
  await viewer.close();
  const note = [watched, viewed].map((ms) => `${median(ms).toFixed(2)} (p99 ${percentile(ms, 99).toFixed(2)})`);
  return [
    {
      name: 'key to frame, median, times that of wait and text',
      value: median(watched) / median(viewed),
      limit: 0.8,
      note: `${note.join(' ms against ')} ms`,
    },
  ];
}

/** @param next asks for the picture that shows the key */
async function keyToFrame(client: Client, id: string, next: () => Promise<void>): Promise<number> {
  const shown = next();
  // The question has arrived by then.
  await client.call('ping');
  const start = performance.now();
  void client.call('send', { id, input: 'x' });
  await shown;
  return performance.now() - start;
}

async function floodFigures(daemon: BenchDaemon): Promise<Figure[]> {
  const runs: Record<'none' | 'one' | 'many', Flood[]> = { none: [], one: [], many: [] };
  await flood(daemon, 0);
  for (let i = 0; i < ROUNDS; i++) {
    runs.none.push(await flood(daemon, 0));
    runs.one.push(await flood(daemon, 1));
    runs.many.push(await flood(daemon, WATCHERS));
  }
  const of = (kind: keyof typeof runs, field: keyof Flood): number => median(runs[kind].map((run) => run[field]));
  return [
    {
      name: `${FLOOD_LINES} lines with a watcher, times that without`,
      value: of('one', 'seconds') / of('none', 'seconds'),
      limit: 1.05,
      note: `${of('one', 'seconds').toFixed(2)} s against ${of('none', 'seconds').toFixed(2)} s`,
    },
    { name: "a watcher's bytes, times the raw output", value: of('one', 'watched') / of('one', 'raw'), limit: 0.05 },
    {
      name: `processor time of the daemon with ${WATCHERS} watchers, times that with one`,
      value: of('many', 'cpuSeconds') / of('one', 'cpuSeconds'),
      limit: 1.3,
      note: `${of('many', 'cpuSeconds').toFixed(2)} s against ${of('one', 'cpuSeconds').toFixed(2)} s`,
    },
  ];
}

interface Flood {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Bytes of the program. */
  readonly raw: number;
  /** Bytes of all frames of one watcher. */
  readonly watched: number;
}

async function flood({ client, socketPath }: BenchDaemon, count: number): Promise<Flood> {
  const { pid } = await client.call('ping');
  const { id } = await client.call('create', {
    cmd_args: ['sh', '-c', `read -r _; ${FLOOD}; printf THE-END; exec cat`],
  });
  const watchers = Array.from({ length: count }, () => new Watcher(socketPath, id));
  await Promise.all(watchers.map((watcher) => watcher.started));
  const cpu = cpuSeconds(pid);
  const before = await client.call('stats');
  const start = performance.now();
  const done = client.call('wait', { id, until: { text: 'THE-END' }, timeout_ms: 120_000 });
  await client.call('press', { id, keys: ['Enter'] });
  await done;
  const seconds = (performance.now() - start) / 1000;
  const used = cpuSeconds(pid) - cpu;
  const after = await client.call('stats');
  const raw = after.output.parsed_bytes - before.output.parsed_bytes;
  await client.call('kill', { id });
  for (const watcher of watchers) watcher.stop();
  return { seconds, cpuSeconds: used, raw, watched: watchers[0]?.bytes ?? 0 };
}

/** Of the process with its threads. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Counts what comes over its socket, and keeps of a frame what the next question needs. */
class Watcher {
  readonly started: Promise<void>;
  bytes = 0;
  readonly #socket: Socket;
  readonly #id: string;
  #text = '';
  #askedAt = 0;

  constructor(socketPath: string, id: string) {
    this.#id = id;
    this.#socket = connectSocket(socketPath);
    this.#socket.setEncoding('latin1').on('error', () => {});
    this.started = new Promise((resolve) => {
      this.#socket.on('data', (text: string) => {
        this.bytes += text.length;
        this.#text += text;
        if (!text.endsWith('\n')) return;
        const rev = /"rev":(\d+)/.exec(this.#text)?.[1];
        const state = /"state":(\d+)/.exec(this.#text)?.[1];
        this.#text = '';
        resolve();
        if (rev !== undefined) void this.#askNext(`,"since":${rev},"state":${state}`);
      });
    });
    this.#ask('');
  }

  stop(): void {
    this.#socket.destroy();
  }

  async #askNext(fields: string): Promise<void> {
    await delay(Math.max(0, FRAME_MS - (performance.now() - this.#askedAt)));
    this.#ask(fields);
  }

  #ask(fields: string): void {
    this.#askedAt = performance.now();
    this.#socket.write(`{"cmd":"watch","id":"${this.#id}"${fields}}\n`);
  }
}
