/** The gateway and a route of `t4a stdio`, each in turns with the plain socket of the same daemon; the command line with a list of hosts. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect, type Client } from '../src/client/index.js';
import { routeOf } from '../src/fleet/host-list.js';
import { hostRoute } from '../src/fleet/host-route.js';
import { startBenchDaemon, type BenchDaemon } from './support/bench-daemon.js';
import { median, type BenchContext, type Figure } from './support/figure.js';

const WARM_UP = 100;
const CALLS = 500;
const STARTS = 15;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  const cli = path.join(root, 'dist/cli.cjs');
  const env = { ...process.env, XDG_CONFIG_HOME: path.join(daemon.dir, 'without'), T4A_SOCKET: daemon.socketPath };
  const socketPath = path.join(daemon.dir, 'fleet');
  const server = spawn(process.execPath, [cli, 'fleet', '--socket', socketPath], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(server.stdout, 'data');
    const { id } = await daemon.client.call('create', {
      cmd_args: ['sh', '-c', 'ls -la --color /usr/bin | head -100; echo ready; exec cat'],
      wait: { until: { text: 'ready' } },
    });
    const command = [process.execPath, cli, '--socket', daemon.socketPath, 'stdio'];
    const route = hostRoute(routeOf('far', { command }, {}));
    return [
      ...(await callFigures('gateway', 2.5, daemon, await connect({ socketPath, autoStart: false }), id)),
      ...(await callFigures('stdio', 3, daemon, await connect({ route }), id)),
      listFigure(daemon, cli, env),
    ];
  } finally {
    server.kill('SIGTERM');
    await daemon.stop();
  }
}

async function callFigures(
  name: string,
  limit: number,
  { client: plain }: BenchDaemon,
  routed: Client,
  id: string,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const cmd of ['cursor', 'screenshot'] as const) {
    const times = { plain: [] as number[], routed: [] as number[] };
    for (let i = 0; i < WARM_UP + CALLS; i++) {
      for (const [kind, client] of [
        ['plain', plain],
        ['routed', routed],
      ] as const) {
        const start = performance.now();
        await client.call(cmd, { id });
        if (i >= WARM_UP) times[kind].push(performance.now() - start);
      }
    }
    const [far, near] = [median(times.routed), median(times.plain)];
    figures.push({
      name: `${cmd} by ${name}, times the plain socket`,
      value: far / near,
      limit,
      note: `${(far * 1000).toFixed(0)} against ${(near * 1000).toFixed(0)} µs`,
    });
  }
  await routed.close();
  return figures;
}

/** Starts in turns. */
function listFigure({ dir }: BenchDaemon, cli: string, env: NodeJS.ProcessEnv): Figure {
  const config = path.join(dir, 'with');
  mkdirSync(path.join(config, 't4a'), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(config, 't4a', 'hosts.json'), '{"hosts":{"web1":"ssh://web1"}}', { mode: 0o600 });
  const times = { with: [] as number[], without: [] as number[] };
  for (let i = 0; i < STARTS; i++) {
    for (const kind of ['with', 'without'] as const) {
      const start = performance.now();
      spawnSync(process.execPath, [cli, 'list'], { env: { ...env, XDG_CONFIG_HOME: path.join(dir, kind) } });
      times[kind].push(performance.now() - start);
    }
  }
  return {
    name: '`t4a list` with a list of hosts, times that without',
    value: median(times.with) / median(times.without),
    limit: 1.1,
    note: `${median(times.with).toFixed(0)} against ${median(times.without).toFixed(0)} ms`,
  };
}
