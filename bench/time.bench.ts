/** What the memory of terminals costs, and what it gives: a flood with and without it, recordings, pictures of past moments. */
import { readFileSync, rmSync, statSync, writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBenchDaemon, type BenchDaemon } from './support/bench-daemon.js';
import { colouredLog } from './support/coloured-log.js';
import { median, percentile, type BenchContext, type Figure } from './support/figure.js';

const LOG_BYTES = 20_000_000;
const ROUNDS = 7;
const MOMENTS = 100;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const dir = mkdtempSync(path.join(tmpdir(), 't4a-'));
  const log = path.join(dir, 'log');
  writeFileSync(log, colouredLog(LOG_BYTES));
  const daemon = await startBenchDaemon(root);
  try {
    return [await floodCost(daemon, log), await recordingSize(daemon, log, dir), await pastPictures(daemon, log)];
  } finally {
    await daemon.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** By the CPU time of all threads: packing is on others than parsing, and a busy machine does not count. */
async function floodCost(daemon: BenchDaemon, log: string): Promise<Figure> {
  const rounds: { on: number; off: number }[] = [];
  const { history_bytes: bytes } = await daemon.client.call('config', {});
  const flood = async (history_bytes: number): Promise<number> => {
    await daemon.client.call('config', { history_bytes });
    const start = cpuMs(daemon.client.daemon.pid);
    await daemon.client.call('run', { cmd_args: ['cat', log], max_lines: 1 });
    return cpuMs(daemon.client.daemon.pid) - start;
  };
  // Not counted: the first second is spent in the compiler.
  await flood(0);
  await flood(bytes);
  for (let round = 0; round < ROUNDS; round++) {
    const first = await flood(round % 2 === 0 ? 0 : bytes);
    const second = await flood(round % 2 === 0 ? bytes : 0);
    rounds.push(round % 2 === 0 ? { off: first, on: second } : { off: second, on: first });
  }
  await daemon.client.call('config', { history_bytes: bytes });
  const per = (ms: number): string => (ms / (LOG_BYTES / 1e6)).toFixed(1);
  return {
    name: 'CPU time of 20 MB of output with the history, times without',
    value: median(rounds.map(({ on, off }) => on / off)),
    limit: 1 / 0.95,
    note: `${per(median(rounds.map(({ on }) => on)))} ms/MB against ${per(median(rounds.map(({ off }) => off)))} ms/MB`,
  };
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

async function pastPictures({ client }: BenchDaemon, log: string): Promise<Figure> {
  const { id } = await client.call('create', { cmd_args: ['sh', '-c', `cat '${log}'; cat`] });
  await client.call('wait', { id, until: { idle_ms: 500 }, timeout_ms: 120_000 });
  const { at: last } = await client.call('cursor', { id, at: 'end' });
  const { at: first } = await client.call('cursor', { id, at: 'start' });
  if (last === undefined || first === undefined) throw new Error('a past read has no moment');
  const times: number[] = [];
  // A step that is prime to most counts: moments near and far.
  for (let i = 0; i < MOMENTS; i++) {
    const rev = first.rev + ((i * 7919) % (last.rev - first.rev));
    const start = performance.now();
    await client.call('screenshot', { id, at: `rev:${rev}` });
    times.push(performance.now() - start);
  }
  await client.call('kill', { id });
  return {
    name: 'picture of a moment of 20 MB of output, p95',
    value: percentile(times, 95),
    unit: ' ms',
    limit: 50,
    note: `p50 ${median(times).toFixed(1)} ms, of revisions ${first.rev} to ${last.rev}`,
  };
}
