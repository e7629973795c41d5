/** How fast a program can print: 25 MB of coloured log through a terminal, beside tmux in the same run. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBenchDaemon } from './support/bench-daemon.js';
import { colouredLog } from './support/coloured-log.js';
import { median, type BenchContext, type Figure } from './support/figure.js';

const LOG_BYTES = 25_000_000;
const ROUNDS = 5;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const dir = mkdtempSync(path.join(tmpdir(), 't4a-'));
  const log = path.join(dir, 'log');
  writeFileSync(log, colouredLog(LOG_BYTES));
  const daemon = await startBenchDaemon(root);
  const rounds: { ours: number; tmux: number }[] = [];
  try {
    // Not counted: a daemon lives for days, its first second is spent in the compiler.
    await inT4a(daemon.client, log);
    inTmux(dir, log);
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ ours: await inT4a(daemon.client, log), tmux: inTmux(dir, log) });
    }
  } finally {
    await daemon.stop();
    rmSync(dir, { recursive: true, force: true });
  }
  return [
    {
      name: '`cat` of 25 MB until the screen is right, times tmux',
      value: median(rounds.map((round) => round.ours / round.tmux)),
      limit: 1,
      note: `${rate(median(rounds.map((round) => round.ours)))} MB/s against ${rate(median(rounds.map((round) => round.tmux)))} MB/s`,
    },
  ];
}

function rate(seconds: number): string {
  return (LOG_BYTES / 1e6 / seconds).toFixed(1);
}

/** Until the exit event's bytes are parsed: `run` answers then. */
async function inT4a(client: Awaited<ReturnType<typeof startBenchDaemon>>['client'], log: string): Promise<number> {
  const start = performance.now();
  const { exit_code: code } = await client.call('run', { cmd_args: ['cat', log], max_lines: 1 });
  if (code !== 0) throw new Error(`cat ended with ${code}`);
  return (performance.now() - start) / 1000;
}

/** Until cat has ended, which spares tmux what it has read but not parsed. Its own server, on its own socket. */
function inTmux(dir: string, log: string): number {
  const tmux = (...args: string[]) => execFileSync('tmux', ['-S', path.join(dir, 'tmux'), '-f', '/dev/null', ...args]);
  tmux('new-session', '-d', '-x', '80', '-y', '24', 'cat');
  const start = performance.now();
  tmux('new-window', '-d', `cat '${log}'; tmux -S '${path.join(dir, 'tmux')}' wait-for -S done`);
  tmux('wait-for', 'done');
  const seconds = (performance.now() - start) / 1000;
  tmux('kill-server');
  return seconds;
}
