/** What the memory of terminals costs, and what it gives: a flood with and without it, recordings, pictures of past moments. */
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBenchDaemon, type BenchDaemon } from './support/bench-daemon.js';
import { colouredLog } from './support/print-outs.js';
import { median, percentile, type BenchContext, type Figure } from './support/figure.js';

const LOG_BYTES = 20_000_000;
/** Of a session: all of it is kept, in a history of 32 MiB. */
const LONG_BYTES = 100_000_000;
/** Floods of each kind. One takes 0.3 s, and what else the machine does makes it a tenth longer or shorter. */
const ROUNDS = 25;
const MOMENTS = 100;
/** Not counted: fonts are loaded, and what draws is compiled. */
const FIRST_MOMENTS = 10;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const dir = mkdtempSync(path.join(tmpdir(), 't4a-'));
  const log = path.join(dir, 'log');
  writeFileSync(log, colouredLog(LOG_BYTES));
  const daemon = await startBenchDaemon(root);
  try {
    return [
      ...(await floodCost(daemon, log)),
      await recordingSize(daemon, log, dir),
      ...(await pastPictures(daemon, log)),
    ];
  } finally {
    await daemon.stop();
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Cost {
  readonly ms: number;
  /** Of all threads. */
  readonly cpuMs: number;
  readonly mainMs: number;
}

/**
 * Packing is on other threads than parsing: it takes CPU time, but where a core is free no time of the flood. Floods with and
 * without a history take turns, and which one is first alternates. A ratio is that of the sums of all floods: of 25 pairs on a busy machine
 * it scatters by a quarter less than the median of the pairs, and by a third less than the ratio of the medians.
 */
async function floodCost({ client }: BenchDaemon, log: string): Promise<Figure[]> {
  const { history_bytes: bytes } = await client.call('config', {});
  const { pid } = client.daemon;
  const flood = async (history_bytes: number): Promise<Cost> => {
    await client.call('config', { history_bytes });
    const start = { ms: performance.now(), cpuMs: allThreadsMs(pid), mainMs: threadMs(pid, pid) };
    await client.call('run', { cmd_args: ['cat', log], max_lines: 1 });
    return {
      ms: performance.now() - start.ms,
      cpuMs: allThreadsMs(pid) - start.cpuMs,
      mainMs: threadMs(pid, pid) - start.mainMs,
    };
  };
  // Not counted: the first second is spent in the compiler.
  for (let i = 0; i < 2; i++) {
    await flood(0);
    await flood(bytes);
  }
  const on: Cost[] = [];
  const off: Cost[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) off.push(await flood(0));
    on.push(await flood(bytes));
    if (round % 2 === 1) off.push(await flood(0));
  }
  await client.call('config', { history_bytes: bytes });
  const figure = (name: string, of: (cost: Cost) => number): Figure => {
    const sum = (costs: Cost[]): number => costs.reduce((total, cost) => total + of(cost), 0);
    const perMb = (costs: Cost[]): string => (sum(costs) / ROUNDS / (LOG_BYTES / 1e6)).toFixed(1);
    return {
      name: `${name} of 20 MB of output with the history, times without`,
      value: sum(on) / sum(off),
      note: `all of ${ROUNDS} floods each, in turns: ${perMb(on)} ms/MB against ${perMb(off)} ms/MB`,
    };
  };
  return [
    { ...figure('time', ({ ms }) => ms), limit: 1 / 0.95 },
    figure('CPU time of all threads', ({ cpuMs }) => cpuMs),
    figure('CPU time of the main thread', ({ mainMs }) => mainMs),
  ];
}

/** CPU time of the threads that are alive: those that pack stay. */
function allThreadsMs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((ms, thread) => ms + threadMs(pid, thread), 0);
}

/** To the microsecond, whereas the ticks of `/proc/PID/stat` are 10 ms. */
function threadMs(pid: number, thread: number | string): number {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
}

async function recordingSize({ client }: BenchDaemon, log: string, dir: string): Promise<Figure> {
  const file = path.join(dir, 'flood.cast.gz');
  const { id } = await client.call('create', { cmd_args: ['sh', '-c', `read -r _; cat '${log}'; cat`] });
  await client.call('record', { id, path: file });
  await client.call('send', { id, input: '\n', wait: { until: { idle_ms: 500 }, timeout_ms: 120_000 } });
  const { gaps } = await client.call('record', { id, action: 'stop' });
  await client.call('kill', { id });
  return {
    name: 'bytes of a .cast.gz, times what was printed',
    value: statSync(file).size / LOG_BYTES,
    limit: 0.35,
    note: `${gaps} gaps`,
  };
}

async function pastPictures({ client }: BenchDaemon, log: string): Promise<Figure[]> {
  const { history_bytes: bytes } = await client.call('config', {});
  await client.call('config', { history_bytes: 4 * bytes });
  const files = Array.from({ length: LONG_BYTES / LOG_BYTES }, () => `'${log}'`).join(' ');
  const { id } = await client.call('create', { cmd_args: ['sh', '-c', `cat ${files}; cat`] });
  await client.call('wait', { id, until: { idle_ms: 500 }, timeout_ms: 120_000 });
  const { at: last } = await client.call('cursor', { id, at: 'end' });
  const { at: first } = await client.call('cursor', { id, at: 'start' });
  if (last === undefined || first === undefined) throw new Error('a past read has no moment');
  const times: number[] = [];
  const cpuTimes: number[] = [];
  // A step that is prime to most counts: moments near and far.
  for (let i = 0; i < FIRST_MOMENTS + MOMENTS; i++) {
    const rev = first.rev + ((i * 7919) % (last.rev - first.rev));
    const start = performance.now();
    const startCpu = threadMs(client.daemon.pid, client.daemon.pid);
    await client.call('screenshot', { id, at: `rev:${rev}` });
    if (i < FIRST_MOMENTS) continue;
    times.push(performance.now() - start);
    cpuTimes.push(threadMs(client.daemon.pid, client.daemon.pid) - startCpu);
  }
  await client.call('kill', { id });
  await client.call('config', { history_bytes: bytes });
  const note = `of revisions ${first.rev} to ${last.rev}`;
  return [
    {
      name: 'picture of a moment of 100 MB of output, p95',
      value: percentile(times, 95),
      unit: ' ms',
      limit: 50,
      note: `p50 ${median(times).toFixed(1)} ms, ${note}`,
    },
    // What other processes take of the cores is not in it.
    {
      name: 'CPU time of the main thread for it, p95',
      value: percentile(cpuTimes, 95),
      unit: ' ms',
      limit: 30,
      note: `p50 ${median(cpuTimes).toFixed(1)} ms`,
    },
  ];
}
