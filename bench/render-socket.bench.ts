/** What pictures cost over the socket: beside reading text, the first of a fresh daemon, and what they leave in its memory. */
import { startBenchDaemon, type BenchDaemon } from './support/bench-daemon.js';
import { median, type BenchContext, type Figure } from './support/figure.js';

const ROUND_TRIPS = 1500;
const FRESH_DAEMONS = 3;

/** A listing, then a line that is written anew at every byte of input, told by a bell. */
const SCRIPT = `
const line = (n) => '\\x1b[12;1H\\x1b[32mdrwxr-xr-x\\x1b[0m  ' + String(n).padStart(6) + '  Mar 14 09:26  \\x1b[1;34mbuild-' + n + '\\x1b[0m';
let out = '\\x1b[H';
for (let y = 0; y < 23; y++) out += '\\x1b[32m-rw-r--r--\\x1b[0m  ' + y * 977 + '  Mar 14 09:26  \\x1b[1;36mparser-' + y * 31 + '.ts\\x1b[0m\\r\\n';
let n = 0;
process.stdin.setRawMode(true);
process.stdin.on('data', () => process.stdout.write(line(n++) + '\\x07'));
process.stdout.write(out + '\\x07');
`;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const extra: number[] = [];
  const growth: number[] = [];
  for (let run = 0; run < FRESH_DAEMONS; run++) {
    const { firstMs, warmMs, bytes } = await withScreen(root, firstPicture);
    extra.push(firstMs - warmMs);
    growth.push(bytes);
  }
  const { text, changed, unchanged } = await withScreen(root, roundTrips);
  const { text: textUnawaited, changed: unawaited } = await withScreen(root, roundTripsWithoutWait);
  return [
    {
      name: 'a screenshot with one row changed over a `text`, round trips',
      value: changed / text,
      limit: 1.5,
      note: `${changed.toFixed(3)} and ${text.toFixed(3)} ms`,
    },
    {
      name: 'the same after a change that nobody waited for',
      value: unawaited / textUnawaited,
      note: `${unawaited.toFixed(3)} and ${textUnawaited.toFixed(3)} ms; not drawn ahead`,
    },
    { name: 'a screenshot with nothing changed over a `text`', value: unchanged / text, limit: 1.5 },
    {
      name: 'the first screenshot of a fresh daemon, beyond a warm one',
      value: median(extra),
      unit: ' ms',
      limit: 250,
      note: `at most ${Math.max(...extra).toFixed(0)} ms`,
    },
    {
      name: 'memory of the daemon after it, beyond before',
      value: median(growth) / 2 ** 20,
      unit: ' MiB',
      note: 'resident; most of it is Skia and the fonts, once a daemon',
    },
  ];
}

async function withScreen<T>(
  root: string,
  measure: (client: BenchDaemon['client'], id: string) => Promise<T>,
): Promise<T> {
  const daemon = await startBenchDaemon(root);
  try {
    const { client } = daemon;
    const { id } = await client.call('create', {
      cmd_args: [process.execPath, '-e', SCRIPT],
      wait: { until: { event: 'bell' } },
    });
    return await measure(client, id);
  } finally {
    await daemon.stop();
  }
}

async function firstPicture(client: BenchDaemon['client'], id: string) {
  const before = (await client.call('stats', {})).memory.rss;
  const firstMs = await timed(() => client.call('screenshot', { id }));
  const bytes = (await client.call('stats', {})).memory.rss - before;
  const warm: number[] = [];
  for (let i = 0; i < 9; i++) {
    await changeRow(client, id);
    warm.push(await timed(() => client.call('screenshot', { id })));
  }
  return { firstMs, warmMs: median(warm), bytes };
}

/** Turn about, so that a machine that slows down slows down all three. */
async function roundTrips(client: BenchDaemon['client'], id: string, change = changeRow) {
  const times = { text: [] as number[], changed: [] as number[], unchanged: [] as number[] };
  for (let i = 0; i < ROUND_TRIPS; i++) {
    await change(client, id);
    const pictureFirst = i % 2 === 0;
    // Whoever comes first reads a new row: each of the two does so half of the time.
    if (!pictureFirst) times.text.push(await timed(() => client.call('text', { id })));
    times.changed.push(await timed(() => client.call('screenshot', { id })));
    if (pictureFirst) times.text.push(await timed(() => client.call('text', { id })));
    times.unchanged.push(await timed(() => client.call('screenshot', { id })));
  }
  const warm = (values: readonly number[]): number => median(values.slice(values.length / 2));
  return { text: warm(times.text), changed: warm(times.changed), unchanged: warm(times.unchanged) };
}

/** The change is told by an event. */
async function roundTripsWithoutWait(client: BenchDaemon['client'], id: string) {
  const stream = client.events({ types: ['bell'], terminal: id });
  await stream.subscribed;
  const bells = stream[Symbol.asyncIterator]();
  try {
    return await roundTrips(client, id, async () => {
      await client.call('send', { id, input: 'x' });
      if ((await bells.next()).done === true) throw new Error('the events have ended');
    });
  } finally {
    stream.close();
  }
}

async function changeRow(client: BenchDaemon['client'], id: string): Promise<void> {
  await client.call('send', { id, input: 'x', wait: { until: { event: 'bell' } } });
}

async function timed(measured: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await measured();
  return performance.now() - start;
}
