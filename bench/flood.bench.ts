/** One gigabyte through one terminal: memory stays flat, the screen is right at the end, and tmux is no faster. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBenchDaemon, type BenchDaemon } from './support/bench-daemon.js';
import type { BenchContext, Figure } from './support/figure.js';

/** Fewer for a first look: T4A_BENCH_FLOOD_BYTES=100000000. */
const FLOOD_BYTES = Number(process.env['T4A_BENCH_FLOOD_BYTES'] ?? 1_000_000_000);
const LINE = 'the quick brown fox jumps over the lazy dog and runs into the night';
const SAMPLE_MS = 250;
/** The scrollback is full long before this share has come. */
const WARM_SHARE = 0.1;

const FLOOD = `yes '${LINE}' | head -c ${FLOOD_BYTES}; printf '\\nTHE-END'`;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  try {
    const ours = await inT4a(daemon.client);
    const tmuxSeconds = inTmux();
    return [
      {
        name: `${FLOOD_BYTES / 1e6} MB until the screen is right, times tmux`,
        value: ours.seconds / tmuxSeconds,
        limit: 1,
        note: `${rate(ours.seconds)} MB/s against ${rate(tmuxSeconds)} MB/s`,
      },
      {
        name: 'most memory, times that after a tenth',
        value: ours.mostBytes / ours.warmBytes,
        limit: 1.3,
        note: `${Math.round(ours.warmBytes / 1e6)} MB, then ${Math.round(ours.mostBytes / 1e6)} MB`,
      },
      { name: 'wrong last line of the screen', value: ours.lastLine === 'THE-END' ? 0 : 1, limit: 0 },
    ];
  } finally {
    await daemon.stop();
  }
}

interface Flood {
  readonly seconds: number;
  readonly warmBytes: number;
  readonly mostBytes: number;
  readonly lastLine: string | undefined;
}

async function inT4a(client: BenchDaemon['client']): Promise<Flood> {
  const start = performance.now();
  let isOver = false;
  const run = client.call('run', { command: FLOOD, max_lines: 2 }).finally(() => (isOver = true));
  let warmBytes = 0;
  let mostBytes = 0;
  while (!isOver) {
    const { memory, output } = await client.call('stats', {});
    if (output.parsed_bytes < FLOOD_BYTES * WARM_SHARE) warmBytes = Math.max(warmBytes, memory.rss);
    mostBytes = Math.max(mostBytes, memory.rss);
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
  const { lines } = await run;
  return { seconds: (performance.now() - start) / 1000, warmBytes, mostBytes, lastLine: lines.at(-1) };
}

/** Until the flood has ended, which spares tmux what it has read but not parsed. */
function inTmux(): number {
  const dir = mkdtempSync(path.join(tmpdir(), 't4a-'));
  const socket = path.join(dir, 'tmux');
  const tmux = (...args: string[]) => execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args]);
  tmux('new-session', '-d', '-x', '80', '-y', '24', 'cat');
  const start = performance.now();
  tmux('new-window', '-d', `${FLOOD}; tmux -S '${socket}' wait-for -S done`);
  tmux('wait-for', 'done');
  const seconds = (performance.now() - start) / 1000;
  tmux('kill-server');
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  return seconds;
}

function rate(seconds: number): string {
  return (FLOOD_BYTES / 1e6 / seconds).toFixed(1);
}
