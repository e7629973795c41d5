/** What the memory of terminals costs, and what it gives: a flood with and without it, recordings, pictures of past moments. */
import { readFileSync, rmSync, statSync, writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBenchDaemon, type BenchDaemon } from './support/bench-daemon.js';
import { colouredLog } from './support/coloured-log.js';
import { median, percentile, type BenchContext, type Figure } from './support/figure.js';

const LOG_BYTES = 20_000_000;
/** Of a session: all of it is kept, in a history of 32 MiB. */
const LONG_BYTES = 100_000_000;
const ROUNDS = 9;
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
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
}

/** Packing is on other threads than parsing: it takes CPU time, but where a core is free no time of the flood. */
async function floodCost({ client }: BenchDaemon, log: string): Promise<Figure[]> {
  const { history_bytes: bytes } = await client.call('config', {});
  const flood = async (history_bytes: number): Promise<Cost> => {
    await client.call('config', { history_bytes });
    const startMs = performance.now();
    const startCpuMs = cpuMs(client.daemon.pid);
    await client.call('run', { cmd_args: ['cat', log], max_lines: 1 });
    return { ms: performance.now() - startMs, cpuMs: cpuMs(client.daemon.pid) - startCpuMs };
  };
  // Not counted: the first second is spent in the compiler.
  await flood(0);
  await flood(bytes);
  const rounds: { readonly on: Cost; readonly off: Cost }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) rounds.push({ off: await flood(0), on: await flood(bytes) });
    else rounds.push({ on: await flood(bytes), off: await flood(0) });
  }
  await client.call('config', { history_bytes: bytes });
  const figure = (name: string, of: (cost: Cost) => number): Figure => {
    const perMb = (costs: Cost[]): string => (median(costs.map(of)) / (LOG_BYTES / 1e6)).toFixed(1);
    return {
      name: `${name} of 20 MB of output with the history, times without`,
      value: median(rounds.map(({ on, off }) => of(on) / of(off))),
      note: `${perMb(rounds.map(({ on }) => on))} ms/MB against ${perMb(rounds.map(({ off }) => off))} ms/MB`,
    };
  };
  return [{ ...figure('time', ({ ms }) => ms), limit: 1 / 0.95 }, figure('CPU time', (cost) => cost.cpuMs)];
}

/** User and system time of a process, in clock ticks of 10 ms. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
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
    const startCpu = mainThreadMs(client.daemon.pid);
    await client.call('screenshot', { id, at: `rev:${rev}` });
    if (i < FIRST_MOMENTS) continue;
    times.push(performance.now() - start);
    cpuTimes.push(mainThreadMs(client.daemon.pid) - startCpu);
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

/** CPU time of the first thread of a process. */
function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
}
