/** Many terminals and floods: what one costs the others, and what is left behind. */
import { execFileSync } from 'node:child_process';
import { startBenchDaemon, type BenchDaemon } from './support/bench-daemon.js';
import { percentile, type BenchContext, type Figure } from './support/figure.js';

const FLOODS = 20;
const SAMPLE_MS = 4000;
const LIVE = 200;
const PRINTING = 50;
const CYCLES = 1000;
const WARM_UP_CYCLES = 200;
const INTERRUPTS = 5;

type Client = BenchDaemon['client'];

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  return [
    ...(await withDaemon(root, floods)),
    ...(await withDaemon(root, (client) => manyTerminals(client, root))),
    ...(await withDaemon(root, cycles)),
  ];
}

async function withDaemon(root: string, measure: (client: Client) => Promise<Figure[]>): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  try {
    return await measure(daemon.client);
  } finally {
    await daemon.stop();
  }
}

async function floods(client: Client): Promise<Figure[]> {
  await client.call('create', { name: 'first', cmd_args: ['yes'] });
  await pingFor(client, SAMPLE_MS / 2);
  const alone = await rateOf(client, () => pingFor(client, SAMPLE_MS));
  for (let i = 1; i < FLOODS; i++) await client.call('create', { name: `flood${i}`, cmd_args: ['yes'] });
  await pingFor(client, SAMPLE_MS / 2);
  const pings: number[] = [];
  const together = await rateOf(client, async () => pings.push(...(await pingFor(client, SAMPLE_MS))));
  const texts: number[] = [];
  for (const end = performance.now() + SAMPLE_MS; performance.now() < end;) {
    texts.push(await timed(() => client.call('text', { id: 'flood1' })));
  }
  const interrupts: number[] = [];
  for (let i = 1; i <= INTERRUPTS; i++) interrupts.push(await interrupt(client, `flood${i}`));
  return [
    {
      name: `one flooding terminal's rate, times that of ${FLOODS} together`,
      value: alone / together,
      limit: 1 / 0.7,
      note: `${mega(alone)} MB/s alone, ${mega(together)} MB/s together`,
    },
    {
      name: `ping, p99, beside ${FLOODS} floods`,
      value: percentile(pings, 99),
      unit: ' ms',
      limit: 50,
      ...middle(pings),
    },
    {
      name: `text of a flooding terminal, p99, beside the others`,
      value: percentile(texts, 99),
      unit: ' ms',
      ...middle(texts),
    },
    {
      name: 'Ctrl+C in a flooding terminal until its program has ended and all it printed is on the screen, worst',
      value: Math.max(...interrupts),
      unit: ' ms',
      limit: 200,
    },
  ];
}

async function manyTerminals(client: Client, root: string): Promise<Figure[]> {
  const idle = ['sh', '-c', 'printf "$ "; exec sleep 1000'];
  // What the first terminal brings with it is not what a terminal costs.
  await client.call('create', { name: 'first', cmd_args: idle });
  await client.call('text', { id: 'first' });
  const before = await client.call('stats', {});
  for (let i = 0; i < LIVE - PRINTING; i++) await client.call('create', { name: `idle${i}`, cmd_args: idle });
  for (let i = 0; i < LIVE - PRINTING; i++) await client.call('text', { id: `idle${i}` });
  const after = await client.call('stats', {});
  const printer = ['bash', '-c', 'while :; do echo "$RANDOM a line of output"; read -r -t 0.1; done'];
  for (let i = 0; i < PRINTING; i++) await client.call('create', { name: `print${i}`, cmd_args: printer });
  await pingFor(client, 1000);
  const descriptors = (await client.call('stats', {})).descriptors ?? 0;
  const texts: number[] = [];
  for (let i = 0; i < 4000; i++) {
    const id = i % 2 === 0 ? `print${i % PRINTING}` : `idle${i % (LIVE - PRINTING)}`;
    texts.push(await timed(() => client.call('text', { id })));
  }
  const ours = (after.memory.rss - before.memory.rss) / (LIVE - PRINTING);
  const theirs = libraryBytes(root);
  return [
    {
      name: `text, p99, ${LIVE} terminals, ${PRINTING} of them printing`,
      value: percentile(texts, 99),
      unit: ' ms',
      limit: 50,
      ...middle(texts),
    },
    {
      name: "memory of an idle terminal, times the VT library's own",
      value: ours / theirs,
      limit: 2,
      note: `${Math.round(ours / 1000)} KB against ${Math.round(theirs / 1000)} KB`,
    },
    {
      name: 'descriptors of a terminal',
      value: Math.round((descriptors - (before.descriptors ?? 0)) / LIVE),
      limit: 2,
    },
    {
      name: 'descriptors gained while they were read',
      value: ((await client.call('stats', {})).descriptors ?? 0) - descriptors,
      limit: 0,
    },
  ];
}

async function cycles(client: Client): Promise<Figure[]> {
  const cycle = async (): Promise<void> => {
    const { id } = await client.call('create', { cmd_args: ['sh', '-c', 'seq 1 2000; exec cat'] });
    await client.call('text', { id });
    await client.call('kill', { id });
  };
  // The helper that is asked who waits for input comes with the first such question, and stays.
  const { id } = await client.call('create', { cmd_args: ['cat'] });
  await client.call('wait', { id, until: { awaiting_input: true } });
  await client.call('kill', { id });
  for (let i = 0; i < WARM_UP_CYCLES; i++) await cycle();
  const warm = await client.call('stats', {});
  const rss: number[] = [];
  for (let i = 0; i < CYCLES; i++) {
    await cycle();
    if (i % 50 === 0) rss.push((await client.call('stats', {})).memory.rss);
  }
  const end = await client.call('stats', {});
  // The engine collects when it likes: the least of the last samples is what is really held.
  const held = Math.min(...rss.slice(-6), end.memory.rss);
  return [
    {
      name: `memory after ${CYCLES} further create/kill cycles, times that after a warm-up`,
      value: held / warm.memory.rss,
      limit: 1.2,
      note: `${mega(warm.memory.rss)} MB, then ${mega(held)} MB`,
    },
    { name: 'descriptors gained by them', value: (end.descriptors ?? 0) - (warm.descriptors ?? 0), limit: 0 },
  ];
}

async function pingFor(client: Client, ms: number): Promise<number[]> {
  const latencies: number[] = [];
  for (const end = performance.now() + ms; performance.now() < end;) {
    latencies.push(await timed(() => client.call('ping')));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return latencies;
}

/** Bytes a second that all terminals together have parsed meanwhile. */
async function rateOf(client: Client, meanwhile: () => Promise<unknown>): Promise<number> {
  const before = (await client.call('stats', {})).output.parsed_bytes;
  const start = performance.now();
  await meanwhile();
  const parsed = (await client.call('stats', {})).output.parsed_bytes - before;
  return (parsed / (performance.now() - start)) * 1000;
}

async function interrupt(client: Client, id: string): Promise<number> {
  const events = client.events({ terminal: id, types: ['exit'] });
  await events.subscribed;
  const start = performance.now();
  await client.call('send', { id, input: '\x03' });
  for await (const event of events) if (event.event === 'exit') break;
  return performance.now() - start;
}

/** Resident bytes that a bare terminal of the library adds, in a process of its own. */
function libraryBytes(root: string): number {
  const script = `
    const { Terminal } = require('@xterm/headless');
    const make = () => { const t = new Terminal({ cols: 80, rows: 24, scrollback: 10000, allowProposedApi: true }); t.write('$ '); return t; };
    const kept = [make()];
    setTimeout(() => {
      const before = process.memoryUsage.rss();
      for (let i = 0; i < ${LIVE - PRINTING}; i++) kept.push(make());
      setTimeout(() => console.log((process.memoryUsage.rss() - before) / ${LIVE - PRINTING}), 300);
    }, 300);`;
  return Number(execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' }));
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function middle(latencies: readonly number[]): { note: string } {
  return { note: `median ${percentile(latencies, 50).toFixed(2)} ms, worst ${Math.max(...latencies).toFixed(1)} ms` };
}

function mega(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
