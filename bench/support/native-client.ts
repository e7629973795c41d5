/** The command line by its native client, beside tmux. Runs alternate, so that a drifting machine drifts for both. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { BenchDaemon } from './bench-daemon.js';
import { type Figure, median } from './figure.js';

const RUNS = 201;
const FIRST_RUNS = 15;
const MANY_CALLS = 10_000;
const LOOKS = 200;
const LOOK_ROUNDS = 3;

/** Without tmux or a compiler there is nothing to compare. */
export async function clientFigures(root: string, daemon: BenchDaemon): Promise<Figure[]> {
  const client = path.join(root, 'dist/native', process.arch, 't4a');
  const starter = path.join(root, 'dist/t4a');
  const node = [process.execPath, path.join(root, 'dist/cli.cjs')];
  if (!existsSync(client) || spawnSync('tmux', ['-V']).status !== 0) return [];
  const env = { ...process.env, T4A_SOCKET: daemon.socketPath, T4A_NO_HOST: '', TMUX: '' };
  const time = ([program = '', ...args]: readonly string[]): number => {
    const start = performance.now();
    const { status, stderr } = spawnSync(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const ms = performance.now() - start;
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr.toString()}`);
    return ms;
  };
  const place = `${daemon.socketPath}.cli`;
  const { id } = await daemon.client.call('create', { cmd_args: ['cat'] });
  const tmux = ['tmux', '-L', `t4a-bench-${process.pid}`, '-f', '/dev/null'];
  time([...tmux, 'new-session', '-d', '-s', 'bench', 'cat']);
  try {
    const figures: Figure[] = [];
    const beside = (name: string, limit: number, mine: readonly string[], theirs: readonly string[]): void => {
      const pairs = Array.from({ length: RUNS }, () => ({ mine: time(mine), theirs: time(theirs) }));
      const [own, other] = [median(pairs.map((pair) => pair.mine)), median(pairs.map((pair) => pair.theirs))];
      const note = `${own.toFixed(2)} ms against ${other.toFixed(2)} ms`;
      figures.push({ name, value: median(pairs.map((pair) => pair.mine / pair.theirs)), limit, note });
    };

    const firsts: { starter: number; node: number }[] = [];
    for (let run = 0; run < FIRST_RUNS; run++) {
      const first = time([starter, 'text', id]);
      await hostAt(place);
      firsts.push({ starter: first, node: time([...node, 'text', id]) });
      // A host without its socket ends.
      if (run + 1 < FIRST_RUNS) rmSync(place);
    }
    figures.push({
      name: 'first `t4a text`, which leaves a host behind, times that by Node alone',
      value: median(firsts.map((pair) => pair.starter / pair.node)),
      limit: 1.05,
      note: `${median(firsts.map((pair) => pair.starter)).toFixed(1)} ms`,
    });

    const capture = [...tmux, 'capture-pane', '-p', '-t', 'bench'];
    beside('`t4a text` by the client, times `tmux capture-pane -p`', 1.3, [client, 'text', id], capture);
    beside('the same with the shell script in front', 2, [starter, 'text', id], capture);
    beside(
      '`t4a list` by the client, times `tmux list-panes -a`',
      1.3,
      [client, 'list'],
      [...tmux, 'list-panes', '-a'],
    );
    const keys = [...tmux, 'send-keys', '-t', 'bench', 'a'];
    beside('`t4a type` by the client, times `tmux send-keys`', 1.3, [client, 'type', id, 'a'], keys);

    const host = await onlyHost(daemon.socketPath);
    const { pid } = JSON.parse(readFileSync(`${daemon.socketPath}.lock`, 'utf8')) as { pid: number };
    const onPath = { ...env, ROOT: root, PATH: `${path.dirname(starter)}:${process.env['PATH']}` };
    /** Milliseconds of the processors for one, of the shell with its processes and of what serves them. */
    const lookMs = (first: string, look: string, servers: readonly number[]): { shell: number; servers: number } => {
      const script = `${first}; n=0; while [ $((n += 1)) -le ${LOOKS} ]; do ${look} >/dev/null; done; times`;
      const before = servers.reduce((sum, server) => sum + cpuMs(server), 0);
      const ran = spawnSync('sh', ['-c', script], { env: onPath, encoding: 'utf8' });
      if (ran.status !== 0) throw new Error(ran.stderr);
      const processes = [...ran.stdout.matchAll(/(\d+)m([\d.]+)s/g)].map(
        ([, m, s]) => Number(m) * 60e3 + Number(s) * 1e3,
      );
      const served = servers.reduce((sum, server) => sum + cpuMs(server), 0) - before;
      return { shell: processes.reduce((sum, ms) => sum + ms, 0) / LOOKS, servers: served / LOOKS };
    };
    const server = Number(spawnSync(tmux[0] ?? '', [...tmux.slice(1), 'display', '-p', '#{pid}']).stdout.toString());
    const pairs = Array.from({ length: LOOK_ROUNDS }, () => ({
      mine: lookMs('. "$ROOT/examples/backend.sh"', `backend_capture ${id}`, [host, pid]),
      theirs: lookMs(':', capture.join(' '), [server]),
    }));
    const whole = ({ shell, servers }: { shell: number; servers: number }): number => shell + servers;
    const of = (values: readonly { shell: number; servers: number }[]): string =>
      `${median(values.map(({ shell }) => shell)).toFixed(2)} ms of the shell and its processes, ${median(values.map(({ servers }) => servers)).toFixed(2)} ms of the servers`;
    figures.push({
      name: "processor time of a look by the backend's file, times that of `tmux capture-pane -p` in the same loop",
      value: median(pairs.map(({ mine, theirs }) => whole(mine) / whole(theirs))),
      limit: 1.5,
      note: `${of(pairs.map(({ mine }) => mine))}; tmux ${of(pairs.map(({ theirs }) => theirs))}`,
    });

    const many = `n=0; while [ $((n += 1)) -le ${MANY_CALLS} ]; do "$1" text "$2" || exit; done >/dev/null`;
    spawnSync('sh', ['-c', many, 'sh', client, id], { env });
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${host}/status`, 'utf8'))?.[1]);
    figures.push({
      name: `memory of the host after ${MANY_CALLS} calls`,
      value: kilobytes / 1024,
      unit: 'MB',
      limit: 60,
    });
    return figures;
  } finally {
    spawnSync(tmux[0] ?? '', [...tmux.slice(1), 'kill-server']);
  }
}

async function hostAt(place: string): Promise<void> {
  const seen = watch(path.dirname(place));
  try {
    while (!existsSync(place)) await once(seen, 'change');
  } finally {
    seen.close();
  }
}

/** Those whose socket was taken away end within a second. */
async function onlyHost(socketPath: string): Promise<number> {
  for (;;) {
    const hosts = readdirSync('/proc').filter((pid) => {
      try {
        return (
          /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0__serve-cli\0${socketPath}\0`)
        );
      } catch {
        return false;
      }
    });
    if (hosts.length === 1) return Number(hosts[0]);
    await setTimeout(100);
  }
}

/** Of the user and the system, in ticks of ten milliseconds. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
