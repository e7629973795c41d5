/** What reading and searching cost, beside the tools and the library that do the same. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Emulator } from '../src/vt/xterm/emulator.js';
import { Screen } from '../src/vt/screen.js';
import { type BenchDaemon, startBenchDaemon } from './support/bench-daemon.js';
import { type BenchContext, type Figure, median } from './support/figure.js';

const LINES = 100_000;
const ROUND_TRIPS = 500;
const SEARCHES = 15;
const FIRST_SEARCHES = 3;
/** Lines are read ahead from the end of the process on. */
const SILENCE_MS = 2000;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  try {
    return [...(await reading(daemon)), ...(await searching(daemon)), ...(await memory())];
  } finally {
    await daemon.stop();
  }
}

/** The round trip of `ping` is what the socket costs; the rest is the work. */
async function reading({ client }: BenchDaemon): Promise<Figure[]> {
  const { id } = await client.call('create', { cmd_args: ['sh', '-c', 'ls -la --color /usr/bin | head -100; cat'] });
  await client.call('wait', { id, until: { settled_ms: 300 } });
  const ping = await medianOf(ROUND_TRIPS, () => client.call('ping', {}));
  const text = await medianOf(ROUND_TRIPS, () => client.call('text', { id }));
  const ansi = await medianOf(ROUND_TRIPS, () => client.call('text', { id, format: 'ansi' }));
  const large = await client.call('create', {
    cmd_args: ['sh', '-c', 'ls -la --color=always /usr/bin /usr/lib; cat'],
    cols: 300,
    rows: 200,
  });
  await client.call('wait', { id: large.id, until: { settled_ms: 300 } });
  const whole = await medianOf(100, () => client.call('text', { id: large.id, format: 'ansi' }));
  const since: number[] = [];
  for (let i = 0; i < 100; i++) {
    const { rev } = await client.call('cursor', { id: large.id });
    await client.call('type', { id: large.id, text: 'x', wait: { until: { changed_since: rev } } });
    const start = performance.now();
    const { lines } = await client.call('text', { id: large.id, format: 'ansi', since: rev });
    since.push(performance.now() - start);
    if (lines.length !== 1) throw new Error(`${lines.length} lines changed instead of 1`);
  }
  return [
    { name: '`text` of 80x24 beyond a `ping`', value: text - ping, unit: ' ms', limit: 0.3 },
    { name: '`text` of 80x24 with colours beyond a `ping`', value: ansi - ping, unit: ' ms', limit: 1 },
    {
      name: '`text since` where 1 of 200 rows of 300 columns changed, against all of them',
      value: (median(since) - ping) / (whole - ping),
      limit: 0.5,
      note: `${median(since).toFixed(2)} ms against ${whole.toFixed(2)} ms, round trips; ping ${ping.toFixed(2)} ms`,
    },
  ];
}

async function searching({ client, dir }: BenchDaemon): Promise<Figure[]> {
  const file = path.join(dir, 'lines.txt');
  writeFileSync(file, Array.from({ length: LINES }, (_, i) => logLine(i)).join(''));
  const grep = (pattern: string) => medianOf(SEARCHES, async () => void execFileSync('grep', ['-nE', pattern, file]));
  const printed = async (): Promise<string> => {
    const { id } = await client.call('create', { cmd_args: ['cat', file], cols: 120, scrollback: LINES });
    await client.call('wait', { id, until: { exit: true }, timeout_ms: 60_000 });
    return id;
  };
  const figures: Figure[] = [];
  // The first search of a terminal that has been silent since its last line, and of one that has printed it just now.
  const silent: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < FIRST_SEARCHES; round++) {
    for (const times of [busy, silent]) {
      const id = await printed();
      if (times === silent) await sleep(SILENCE_MS);
      times.push(await medianOf(1, () => client.call('grep', { id, pattern: 'error', max: 10_000 })));
      await client.call('kill', { id });
    }
  }
  const beside = await grep('error');
  figures.push({
    name: `the first \`grep\` over ${LINES} lines of a terminal that is silent, against \`grep -n\``,
    value: median(silent) / beside,
    limit: 3,
    note: `${median(silent).toFixed(0)} ms, grep ${beside.toFixed(0)} ms; at the very moment that the last line was printed ${median(busy).toFixed(0)} ms`,
  });
  const id = await printed();
  const other = await client.call('create', { cmd_args: ['cat'] });
  figures.push({
    name: 'longest `text` of another terminal while lines are searched for the first time',
    value: await longestMeanwhile(
      () => client.call('grep', { id, pattern: '(x+x+)+y' }),
      () => client.call('text', { id: other.id }),
      1,
    ),
    unit: ' ms',
    limit: 20,
  });
  for (const pattern of ['error', 'err(or)?: [a-z]+']) {
    const search = () => client.call('grep', { id, pattern, max: 10_000 });
    await search();
    const ours = await medianOf(SEARCHES, search);
    const theirs = await grep(pattern);
    const rg = await medianOf(SEARCHES, async () => void execFileSync('rg', ['-n', pattern, file]));
    const { total } = await search();
    figures.push({
      name: `\`grep\` ${JSON.stringify(pattern)} over ${LINES} lines against \`grep -n\``,
      value: ours / theirs,
      limit: 3,
      note: `${ours.toFixed(0)} ms, grep ${theirs.toFixed(0)} ms, rg ${rg.toFixed(0)} ms, ${total} matching lines`,
    });
  }
  figures.push({
    name: 'longest `text` of another terminal while `grep` runs',
    value: await longestMeanwhile(
      () => client.call('grep', { id, pattern: '(x+x+)+y' }),
      () => client.call('text', { id: other.id }),
      5,
    ),
    unit: ' ms',
    limit: 20,
  });
  return figures;
}

/** Requests run at once on one connection of the client: the daemon's loop is what they share. */
async function longestMeanwhile(
  long: () => Promise<unknown>,
  short: () => Promise<unknown>,
  rounds: number,
): Promise<number> {
  let longest = 0;
  for (let round = 0; round < rounds; round++) {
    let ended = false;
    const running = long().finally(() => (ended = true));
    while (!ended) {
      const start = performance.now();
      await short();
      longest = Math.max(longest, performance.now() - start);
    }
    await running;
  }
  return longest;
}

function logLine(i: number): string {
  const outcome = i % 997 === 0 ? 'error: something failed' : 'ok everything is fine';
  return `line ${i} the quick brown fox jumps over the lazy dog ${(i * 7919) % 100_003} ${outcome}\n`;
}

/** Held by a screen with a full scrollback, beside the library alone with the same lines. */
async function memory(): Promise<Figure[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const size = { cols: 80, rows: 24, scrollback: LINES };
  const output = Array.from({ length: LINES }, (_, i) => `${logLine(i).slice(0, 70).trim()}\r\n`).join('');
  const kept: unknown[] = [];
  const held = async (open: () => Promise<unknown>): Promise<number> => {
    collect();
    const before = process.memoryUsage();
    kept.push(await open());
    collect();
    const after = process.memoryUsage();
    return (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / LINES;
  };
  const library = await held(async () => {
    const emulator = new Emulator(size);
    for (let at = 0; at < output.length; at += 65_536) emulator.parse(output.slice(at, at + 65_536));
    return emulator;
  });
  const colors = { foreground: 0, background: 0, cursor: 0, palette: new Uint32Array(256) };
  const ours = await held(async () => {
    const screen = new Screen({ ...size, colors, version: '' });
    screen.write(Buffer.from(output));
    await screen.settle(60_000);
    return screen;
  });
  return [
    {
      name: 'memory of a line of scrollback against the library alone',
      value: ours / library,
      limit: 1.05,
      note: `${ours.toFixed(0)} bytes, the library ${library.toFixed(0)} bytes, 80 columns`,
    },
  ];
}

async function medianOf(count: number, act: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await act();
    times.push(performance.now() - start);
  }
  return median(times);
}
