/** What a call of the tmux door costs, by each of its clients, beside tmux itself in the same run. Calls alternate, so that a drifting machine drifts for all. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBenchDaemon } from './support/bench-daemon.js';
import { type BenchContext, type Figure, median } from './support/figure.js';

const RUNS = 41;
const MANY = 100;
const CALLS = [
  ['has-session', '-t', 'a'],
  ['send-keys', '-t', 'a', 'x'],
  ['capture-pane', '-p', '-t', 'a'],
];

type Tmux = (...args: readonly string[]) => { readonly ms: number; readonly stdout: string };

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  const dir = mkdtempSync(path.join(tmpdir(), 't4a-'));
  const env = {
    PATH: process.env['PATH'],
    HOME: dir,
    SHELL: '/bin/sh',
    TMUX_TMPDIR: dir,
    T4A_SOCKET: daemon.socketPath,
  };
  const tmuxOf =
    (program: string): Tmux =>
    (...args) => {
      const start = performance.now();
      const { status, stdout, stderr } = spawnSync(program, ['-f', '/dev/null', ...args], { env, encoding: 'utf8' });
      const ms = performance.now() - start;
      if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
      return { ms, stdout };
    };
  const native = path.join(root, 'dist/tmux', process.arch, 'tmux');
  const peer = tmuxOf('tmux');
  const script = tmuxOf(path.join(root, 'dist/tmux/tmux'));
  const door = existsSync(native) ? tmuxOf(native) : script;
  try {
    for (const tmux of [peer, door]) tmux('new-session', '-d', '-s', 'a', '-x', '80', '-y', '24', 'exec cat');
    const calls = CALLS.map((args) => {
      const runs = Array.from({ length: RUNS }, () => ({
        peer: peer(...args).ms,
        native: door(...args).ms,
        script: script(...args).ms,
      }));
      const times = (client: 'native' | 'script'): Pick<Figure, 'value' | 'note'> => ({
        value: median(runs.map((run) => run[client] / run.peer)),
        note: `${median(runs.map((run) => run[client])).toFixed(1)} ms against ${median(runs.map((run) => run.peer)).toFixed(1)} ms`,
      });
      return [
        { name: `\`${args[0]}\` by the native client, times tmux's`, limit: 1.5, ...times('native') },
        { name: `\`${args[0]}\` by the script, times tmux's`, limit: 6, ...times('script') },
      ];
    });
    const make = (tmux: Tmux): number => {
      const start = performance.now();
      for (let at = 0; at < MANY; at += 1) tmux('new-session', '-d', '-s', `s${at}`, 'exec sleep 1000');
      return performance.now() - start;
    };
    const [peerMs, doorMs] = [make(peer), make(door)];
    const pid = door('display-message', '-p', '#{pid}').stdout.trim();
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]);
    return [
      ...calls.flat(),
      {
        name: `${MANY} sessions made one after the other, times tmux's`,
        value: doorMs / peerMs,
        limit: 2,
        note: `${doorMs.toFixed(0)} ms against ${peerMs.toFixed(0)} ms`,
      },
      { name: `memory of the door with ${MANY + 1} panes, in MB`, value: kilobytes / 1024, limit: 60, note: 'RssAnon' },
    ];
  } finally {
    for (const tmux of [peer, door]) tmux('kill-server');
    await daemon.stop();
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}
