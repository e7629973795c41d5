/**
 * How fast a program can print: 25 MB through a terminal, beside tmux and beside a reader that parses nothing in the same run.
 * The last says what the kernel allows: no terminal can be faster.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBenchDaemon } from './support/bench-daemon.js';
import { median, type BenchContext, type Figure } from './support/figure.js';
import { colouredLog, plainLines, truecolourLines } from './support/print-outs.js';

const OUTPUT_BYTES = 25_000_000;
const ROUNDS = 9;

const KINDS: readonly { readonly name: string; readonly print: (length: number) => string }[] = [
  { name: 'coloured log', print: colouredLog },
  { name: 'truecolour', print: truecolourLines },
  { name: 'plain text', print: plainLines },
];

/** Opens a pseudoterminal, and reads what `cat` prints there. */
const BARE_READER = `
import os, pty, sys
pid, master = pty.fork()
if pid == 0: os.execvp("cat", ["cat", sys.argv[1]])
try:
    while os.read(master, 65536): pass
except OSError: pass
os.waitpid(pid, 0)`;

interface Round {
  readonly ours: number;
  readonly tmux: number;
  readonly bare: number;
}

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const dir = mkdtempSync(path.join(tmpdir(), 't4a-'));
  const daemon = await startBenchDaemon(root);
  const figures: Figure[] = [];
  try {
    for (const { name, print } of KINDS) {
      const file = path.join(dir, 'output');
      writeFileSync(file, print(OUTPUT_BYTES));
      const rounds: Round[] = [];
      // The first is not counted: a daemon lives for days, its first second is spent in the compiler.
      for (let round = 0; round <= ROUNDS; round++) {
        rounds.push({ ours: await inT4a(daemon.client, file), tmux: inTmux(dir, file), bare: inBareReader(file) });
      }
      figures.push(...compared(name, rounds.slice(1)));
    }
  } finally {
    await daemon.stop();
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
  return figures;
}

function compared(kind: string, rounds: readonly Round[]): Figure[] {
  const of = (key: keyof Round) => median(rounds.map((round) => round[key]));
  const ratio = (key: keyof Round) => median(rounds.map((round) => round.ours / round[key]));
  const note = (key: keyof Round) => `${rate(of('ours'))} MB/s against ${rate(of(key))} MB/s`;
  return [
    {
      name: `25 MB of ${kind} until the screen is right, times tmux`,
      value: ratio('tmux'),
      limit: 1,
      note: note('tmux'),
    },
    { name: `25 MB of ${kind}, times a reader that parses nothing`, value: ratio('bare'), note: note('bare') },
  ];
}

function rate(seconds: number): string {
  return (OUTPUT_BYTES / 1e6 / seconds).toFixed(1);
}

/** Until the exit event's bytes are parsed: `run` answers then. */
async function inT4a(client: Awaited<ReturnType<typeof startBenchDaemon>>['client'], file: string): Promise<number> {
  const start = performance.now();
  const { exit_code: code } = await client.call('run', { cmd_args: ['cat', file], max_lines: 1 });
  if (code !== 0) throw new Error(`cat ended with ${code}`);
  return (performance.now() - start) / 1000;
}

/** Until cat has ended, which spares tmux what it has read but not parsed. Its own server, on its own socket. */
function inTmux(dir: string, file: string): number {
  const tmux = (...args: string[]) => execFileSync('tmux', ['-S', path.join(dir, 'tmux'), '-f', '/dev/null', ...args]);
  tmux('new-session', '-d', '-x', '80', '-y', '24', 'cat');
  const start = performance.now();
  tmux('new-window', '-d', `cat '${file}'; tmux -S '${path.join(dir, 'tmux')}' wait-for -S done`);
  tmux('wait-for', 'done');
  const seconds = (performance.now() - start) / 1000;
  tmux('kill-server');
  return seconds;
}

/** Until the kernel has no more. */
function inBareReader(file: string): number {
  const start = performance.now();
  execFileSync('python3', ['-c', BARE_READER, file]);
  return (performance.now() - start) / 1000;
}
