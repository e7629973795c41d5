/** What a command costs as a process, beside Node doing nothing. Runs alternate, so that a drifting machine drifts for both. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBenchDaemon } from './support/bench-daemon.js';
import { median, type BenchContext, type Figure } from './support/figure.js';
import { clientFigures } from './support/native-client.js';

const RUNS = 61;
const COLD_RUNS = 7;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const cli = path.join(root, 'dist/cli.cjs');
  const daemon = await startBenchDaemon(root);
  const list = () => time([cli, '--socket', daemon.socketPath, 'list']);
  const cold = () => {
    const dir = mkdtempSync(path.join(tmpdir(), 't4a-'));
    const socket = path.join(dir, 's');
    const ms = time([cli, '--socket', socket, 'list']);
    time([cli, '--socket', socket, 'shutdown']);
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    return ms;
  };
  list();
  bare();
  const pairs = Array.from({ length: RUNS }, () => ({ list: list(), bare: bare() }));
  const colds = Array.from({ length: COLD_RUNS }, () => ({ cold: cold(), bare: bare() }));
  const byClient = await clientFigures(root, daemon);
  await daemon.stop();
  const bareMs = median(pairs.map((pair) => pair.bare));
  return [
    {
      name: '`t4a list` against a live daemon, times `node -e 0`',
      value: median(pairs.map((pair) => pair.list / pair.bare)),
      limit: 1.5,
      note: `${median(pairs.map((pair) => pair.list)).toFixed(1)} ms against ${bareMs.toFixed(1)} ms`,
    },
    {
      name: 'first command with its daemon, times `node -e 0`',
      value: median(colds.map((pair) => pair.cold / pair.bare)),
      limit: 5,
      note: `${median(colds.map((pair) => pair.cold)).toFixed(1)} ms`,
    },
    ...byClient,
  ];
}

function bare(): number {
  return time(['-e', '0']);
}

function time(args: string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr.toString()}`);
  return ms;
}
