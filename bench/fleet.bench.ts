/**
 * The gateway, `t4a stdio`, ssh to a real sshd on this machine, and gRPC, each in turns with the plain socket of the same
 * daemon; the command line with a list of hosts.
 */
import {
  type Client as GrpcClient,
  credentials,
  loadPackageDefinition,
  type ServiceClientConstructor,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startSshd } from '../test/support/sshd.js';
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
  const serving: ChildProcess[] = [];
  /** @returns its socket */
  const served = async (command: string): Promise<string> => {
    const socketPath = path.join(daemon.dir, command);
    const args = [cli, command, '--socket', socketPath];
    const server = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    serving.push(server);
    await once(server.stdout, 'data');
    return socketPath;
  };
  try {
    const { id } = await daemon.client.call('create', {
      cmd_args: ['sh', '-c', 'ls -la --color /usr/bin | head -100; echo ready; exec cat'],
      wait: { until: { text: 'ready' } },
    });
    const command = [process.execPath, cli, '--socket', daemon.socketPath, 'stdio'];
    const stdio = hostRoute(routeOf('far', { command }, {}));
    const gateway = await connect({ socketPath: await served('fleet'), autoStart: false });
    return [
      ...(await callFigures('gateway', 2.5, daemon, gateway, id)),
      ...(await callFigures('stdio', 3, daemon, await connect({ route: stdio }), id)),
      ...(await sshFigures(daemon, command, id)),
      ...(await grpcFigures(daemon, await served('grpc'), path.join(root, 'docs/vtr.proto'), id)),
      listFigure(daemon, cli, env),
    ];
  } finally {
    for (const server of serving) server.kill('SIGTERM');
    await daemon.stop();
  }
}

/** The pipes of one ssh, encryption and all; what a network adds is not in it. */
async function sshFigures(daemon: BenchDaemon, command: readonly string[], id: string): Promise<Figure[]> {
  const [ssh, sshd] = ['ssh', 'sshd'].map(programPath);
  if (ssh === undefined || sshd === undefined) {
    console.log('     without sshd: ssh is left out');
    return [];
  }
  const { port, username, clientConfig, stop } = await startSshd(daemon.dir, sshd, command.join(' '));
  try {
    const { carrier } = routeOf('far', `ssh://${username}@127.0.0.1:${port}`, {});
    const [, ...options] = carrier.kind === 'command' ? carrier.argv : [];
    const route = hostRoute(routeOf('far', { command: [ssh, '-F', clientConfig, ...options] }, {}));
    return await callFigures('ssh', 3, daemon, await connect({ route }), id);
  } finally {
    await stop();
  }
}

function programPath(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin'];
  return folders.map((folder) => path.join(folder, name)).find(existsSync);
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
    const far = (): Promise<unknown> => routed.call(cmd, { id });
    figures.push(await inTurns(`${cmd} by ${name}`, limit, far, () => plain.call(cmd, { id })));
  }
  await routed.close();
  return figures;
}

/** Each method beside the request of the wire that it stands for. A screen of vtr has a message for each of its cells. */
async function grpcFigures(
  { client: plain }: BenchDaemon,
  socketPath: string,
  proto: string,
  id: string,
): Promise<Figure[]> {
  const definition = loadSync(proto, { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true });
  const loaded = loadPackageDefinition(definition) as unknown as { vtr: { VTR: ServiceClientConstructor } };
  const client = new loaded.vtr.VTR(`unix:${socketPath}`, credentials.createInsecure()) as GrpcClient &
    Record<string, (request: object, then: (error: Error | null, reply: unknown) => void) => void>;
  const call = (method: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      client[method]?.({ name: id }, (error, reply) => (error === null ? resolve(reply) : reject(error)));
    });
  try {
    return [
      await inTurns(
        'Info by gRPC against `status`',
        3,
        () => call('Info'),
        () => plain.call('status', { id }),
      ),
      await inTurns(
        'GetScreen by gRPC against `watch`',
        15,
        () => call('GetScreen'),
        () => plain.call('watch', { id }),
      ),
    ];
  } finally {
    client.close();
  }
}

async function inTurns(
  what: string,
  limit: number,
  far: () => Promise<unknown>,
  near: () => Promise<unknown>,
): Promise<Figure> {
  const times = { near: [] as number[], far: [] as number[] };
  for (let i = 0; i < WARM_UP + CALLS; i++) {
    for (const [kind, call] of [
      ['near', near],
      ['far', far],
    ] as const) {
      const start = performance.now();
      await call();
      if (i >= WARM_UP) times[kind].push(performance.now() - start);
    }
  }
  const [farMs, nearMs] = [median(times.far), median(times.near)];
  return {
    name: `${what}, times the plain socket`,
    value: farMs / nearMs,
    limit,
    note: `${(farMs * 1000).toFixed(0)} against ${(nearMs * 1000).toFixed(0)} µs`,
  };
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
