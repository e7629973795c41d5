/**
 * What triggers and rules cost a daemon that uses none: a build of the daemon beside another one of the same kind from which their
 * rooms and handlers are left out. Both are built as the package's is, and have a cache of compiled code, as every daemon after the first.
 */
import { build, type Plugin } from 'esbuild';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { commonJsOptions, daemonProgram } from '../../scripts/daemon-program.mjs';
import { connect } from '../../src/client/index.js';
import { median, percentile, type Figure } from './figure.js';

const RUNS = 31;
/** Other programs of the machine add to processor time, as they take the caches, and never take from it. */
const QUARTILE = 25;
/** See src/daemon/start.ts. */
const CACHED_AFTER_MS = 2000;

/** Loaded when it is used, which is never. */
const ROOMS = /src\/(activity|features\/rules|features\/triggers)\//;

const withoutMeaning: Plugin = {
  name: 'without-meaning',
  setup(bundle) {
    bundle.onLoad({ filter: /src\/(activity|features)\/.*\.ts$/ }, ({ path: file }) =>
      ROOMS.test(file) ? { contents: 'export {};', loader: 'ts' } : undefined,
    );
  },
};

export async function unusedFigures(root: string): Promise<Figure[]> {
  // Within the tree, so that packages are found.
  const dir = mkdtempSync(path.join(root, 'bench/.run-'));
  try {
    const whole = await daemonIn(root, path.join(dir, 'whole'), []);
    const reduced = await daemonIn(root, path.join(dir, 'reduced'), [withoutMeaning]);
    for (const entry of [whole, reduced]) await run(entry, CACHED_AFTER_MS);
    const runs: Record<'whole' | 'reduced', Run[]> = { whole: [], reduced: [] };
    for (let i = 0; i < RUNS; i++) {
      const order = i % 2 === 0 ? (['whole', 'reduced'] as const) : (['reduced', 'whole'] as const);
      for (const kind of order) runs[kind].push(await run(kind === 'whole' ? whole : reduced));
    }
    const kilobytes = [whole, reduced].map((entry) =>
      Math.round(statSync(path.join(path.dirname(entry), 'daemon-program.cjs')).size / 1024),
    );
    const figure = (name: string, field: keyof Run, unit: string): Figure => {
      const [own, other] = [runs.whole, runs.reduced].map((each) =>
        percentile(
          each.map((one) => one[field]),
          QUARTILE,
        ),
      );
      const wall = [runs.whole, runs.reduced].map((each) => median(each.map((one) => one.wallMs)).toFixed(0));
      const times = field === 'startMs' ? `; by the clock ${wall.join(' against ')} ms` : '';
      const note = `${own?.toFixed(1)} ${unit} against ${other?.toFixed(1)} ${unit}${times}`;
      return { name, value: (own ?? Number.NaN) / (other ?? Number.NaN), limit: 1.02, note };
    };
    return [
      figure('processor time of the start of a daemon that uses none, times that of one without', 'startMs', 'ms'),
      figure('memory of a daemon that uses none, with a terminal, times that of one without', 'megabytes', 'MB'),
      { name: 'program of the daemon, in KB', value: kilobytes[0] ?? 0, note: `${kilobytes[1]} KB without them` },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @returns its entry file */
async function daemonIn(root: string, outdir: string, plugins: Plugin[]): Promise<string> {
  const define = { T4A_VERSION: '"0.0.0"' };
  await build({ ...(await daemonProgram(root, define, plugins)), outdir });
  const file = path.join(outdir, 'daemon-program.cjs');
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
  const hashes = JSON.stringify({ cli: hash, cliCommon: hash, daemon: hash });
  await build({
    ...commonJsOptions(root, { ...define, T4A_PROGRAM_HASHES: hashes }),
    banner: {},
    outdir,
    entryPoints: { daemon: 'src/daemon/start.ts' },
  });
  const thread = 'pty-reader-thread.cjs';
  copyFileSync(path.join(root, 'dist', thread), path.join(outdir, thread));
  return path.join(outdir, 'daemon.cjs');
}

interface Run {
  /** Processor time of the main thread. */
  readonly startMs: number;
  readonly wallMs: number;
  /** Its own: how much of Node's file counts depends on how many others run it. */
  readonly megabytes: number;
}

/** @param lastsMs the daemon goes on for so long */
async function run(entry: string, lastsMs = 0): Promise<Run> {
  const dir = mkdtempSync(path.join(tmpdir(), 't4a-'));
  const socketPath = path.join(dir, 's');
  const env = { ...process.env, XDG_CONFIG_HOME: dir, XDG_STATE_HOME: dir, XDG_CACHE_HOME: path.dirname(entry) };
  const start = performance.now();
  const daemon = spawn(process.execPath, [entry, '--socket', socketPath], { env, stdio: 'ignore' });
  const ended = once(daemon, 'exit');
  try {
    const client = await reached(daemon, socketPath);
    const wallMs = performance.now() - start;
    const startMs = processorMs(daemon.pid);
    await client.call('create', { cmd_args: ['sh', '-c', 'echo ready; exec cat'], wait: { until: { text: 'ready' } } });
    const [, kilobytes] = /^Pss_Anon:\s+(\d+)/m.exec(readFileSync(`/proc/${daemon.pid}/smaps_rollup`, 'utf8')) ?? [];
    await delay(lastsMs);
    await client.call('shutdown', {});
    await client.close();
    await ended;
    return { startMs, wallMs, megabytes: Number(kilobytes) / 1024 };
  } finally {
    daemon.kill();
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Of the main thread, in nanoseconds (proc_pid_schedstat(5)): other programs of the machine do not add to it. */
function processorMs(pid: number | undefined): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

async function reached(daemon: ChildProcess, socketPath: string): ReturnType<typeof connect> {
  for (;;) {
    if (daemon.exitCode !== null) throw new Error(`the daemon ended with ${daemon.exitCode}`);
    try {
      return await connect({ socketPath, autoStart: false });
    } catch {
      await delay(1);
    }
  }
}
