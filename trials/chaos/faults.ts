/** What can happen to a daemon and its clients. Each fault is injected at a random moment among others. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import type { Random } from '../support/random.js';
import { RAW_FLOOD, rawFloodOf } from '../support/raw-flood.js';
import { SlowReader } from '../support/slow-reader.js';
import type { Rig } from './rig.js';

/** What a client may be told when a daemon is killed, or its socket deleted, under its request. */
export const EXPECTED: readonly string[] = [
  'connection_lost',
  'shutting_down',
  'daemon_unreachable',
  'terminal_not_found',
];

const FLOOD_BYTES = 8_000_000;

export type Fault = (rig: Rig, random: Random) => Promise<void>;

const CHILDREN = [
  ['sh', '-c', 'sleep 1000 & sleep 1000 & wait'],
  ['bash', '-i'],
  ['yes'],
  RAW_FLOOD,
  ['sh', '-c', 'trap "" INT; while :; do sleep 0.05; done'],
  ['cat'],
  ['sh', '-c', 'exit 3'],
];

export const FAULTS: Readonly<Record<string, Fault>> = {
  'several clients at once': async (rig, random) => {
    const clients = await Promise.all(Array.from({ length: 2 + random.below(6) }, () => rig.connect()));
    await Promise.all(
      clients.map((client) => client.call('create', { cmd_args: random.pick(CHILDREN), env: rig.shellEnvironment })),
    );
    await Promise.all(clients.map((client) => client.close()));
  },
  'a client killed while it streams': async (rig) => {
    const child = rig.cli(['events'], 'pipe');
    await once(child, 'spawn');
    child.kill('SIGKILL');
  },
  'a command killed at a random moment': async (rig, random) => {
    const child = rig.cli(random.pick([['create', 'cat'], ['list'], ['run', '--', 'sleep', '5']]));
    await pause(random.below(250));
    child.kill('SIGKILL');
  },
  'children killed': async (rig) => {
    const client = await rig.connect();
    const { terminals } = await client.call('list', {});
    for (const { pid } of terminals) if (pid !== null) kill(pid, 'SIGKILL');
    await client.close();
  },
  'a reader that never reads': async (rig) => {
    const client = await rig.connect();
    const { id } = await client.call('create', { cmd_args: ['yes'] });
    await client.close();
    const socket = createConnection({ path: rig.socketPath })
      .on('error', () => {})
      .pause();
    const ask = `${JSON.stringify({ cmd: 'screenshot', id })}\n${JSON.stringify({ cmd: 'text', id, region: 'all' })}\n`;
    socket.write(ask.repeat(300));
    socket.write('{"cmd":"events"}\n');
    await pause(20);
    socket.destroy();
  },
  'floods in raw mode, read slowly': async (rig, random) => {
    const client = await rig.connect();
    const create = (): Promise<{ id: string }> => client.call('create', { cmd_args: rawFloodOf(FLOOD_BYTES) });
    const ids = (await Promise.all(Array.from({ length: 3 }, create))).map(({ id }) => id);
    // The daemon may be ended meanwhile; what it answers must be whole all the same.
    const requests = (): object => ({ cmd: random.pick(['screenshot', 'text']), id: random.pick(ids) });
    const reader = new SlowReader(rig.socketPath, requests, (code) => EXPECTED.includes(code));
    try {
      await Promise.all(ids.map((id) => client.call('wait', { id, until: [{ exit: true }] })));
    } finally {
      reader.stop();
    }
    if (reader.problems.length > 0) throw new Error(reader.problems.join('; '));
    await client.close();
  },
  'half a line, then gone': async (rig) => {
    const client = await rig.connect();
    const socket = createConnection({ path: rig.socketPath }).on('error', () => {});
    socket.write('{"cmd":"create","cmd_args":["yes"]}\n{"cmd":"li');
    await pause(5);
    socket.destroy();
    await client.close();
  },
  'the socket deleted under it': async (rig) => {
    rmSync(rig.socketPath, { force: true });
  },
  'the daemon killed': async (rig, random) => {
    await pause(random.below(100));
    for (const pid of rig.daemons()) kill(pid, 'SIGKILL');
  },
  'the daemon told to end': async (rig, random) => {
    const signal = random.pick(['SIGTERM', 'SIGINT', 'SIGHUP'] as const);
    for (const pid of rig.daemons()) kill(pid, signal);
  },
  'the daemon suspended for a while': async (rig) => {
    const pids = rig.daemons();
    for (const pid of pids) kill(pid, 'SIGSTOP');
    await pause(50);
    for (const pid of pids) kill(pid, 'SIGCONT');
  },
  'a full disk for its log': async (rig) => {
    await startDaemon(rig, 'exec "$0" "$1" --socket "$2" 2> /dev/full');
  },
  'closed standard streams': async (rig) => {
    await startDaemon(rig, 'exec "$0" "$1" --socket "$2" <&- >&- 2>&-');
  },
};

/** One round of its own: they are too many for every round. */
export async function manyStarters(rig: Rig, count: number): Promise<void> {
  const starters = Array.from({ length: count }, () => rig.cli(['list']));
  const codes = await Promise.all(starters.map(async (child) => (await once(child, 'exit'))[0] as number | null));
  const failed = codes.filter((code) => code !== 0);
  if (failed.length > 0) throw new Error(`${failed.length} of ${count} starters ended with ${failed.join(', ')}`);
}

/** It makes way where another daemon listens already; either way somebody answers afterwards. */
async function startDaemon(rig: Rig, script: string): Promise<void> {
  rig.run(['setsid', 'sh', '-c', script, process.execPath, path.join(rig.root, 'dist/daemon.cjs'), rig.socketPath]);
  const client = await rig.connect();
  await client.call('ping');
  await client.close();
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: it has ended meanwhile.
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
