/** What can happen to a daemon and its clients. Each fault is injected at a random moment among others. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Client, T4aError } from '../../src/client/index.js';
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

const HEADER = '{"version":2,"width":80,"height":24}\n';
const PLAIN = `${HEADER}[0.1,"o","hello"]\n`;

/** Each claims more than a file of its size should cost. */
const HOSTILE_FILES = {
  'sizes.cast': () =>
    HEADER + Array.from({ length: 2000 }, (_, i) => `[${i},"r","${1000 - (i % 900)}x${1 + (i % 999)}"]\n`).join(''),
  'deep.cast': () => `${HEADER}${'['.repeat(100_000)}\n`,
  'line.cast': () => `${HEADER}[0.1,"o","${'x'.repeat(4_000_000)}"]\n`,
  'old.cast': () =>
    `{"version":1,"width":80,"height":24,"duration":1e9,"stdout":[${'[1e6,"x"],'.repeat(50_000)}[1,"y"]]}`,
  'bomb.cast.gz': () => gzipSync(HEADER + `[0.001,"o","${'\\u001b[2J'.repeat(100)}"]\n`.repeat(20_000)),
  'noise.ttyrec': () => randomBytes(500_000),
};

/** What a file may be refused with, or a daemon that is full or on its way out. */
const REFUSED: ReadonlySet<string> = new Set([
  ...EXPECTED,
  'recording_invalid',
  'recording_not_found',
  'too_many_terminals',
  'memory_low',
  'over_limit',
  'timeout',
]);

async function opened(client: Client, file: string, random: Random): Promise<void> {
  try {
    const { id } = await client.call('open', { path: file, at: random.pick(['end', '1s', '0s']) });
    await client.call('text', { id, region: 'all' });
    await client.call('kill', { id });
  } catch (error) {
    if (!(error instanceof T4aError) || !REFUSED.has(error.code)) throw error;
  }
}

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
  'a burst of small requests, read late': async (rig, random) => {
    const client = await rig.connect();
    const socket = createConnection({ path: rig.socketPath }).on('error', () => {});
    const line = random.pick([
      '{"cmd":"list"}\n',
      '{"cmd":"ping"}\n',
      '{"cmd":"stats"}\n',
      '{"cmd":"text","id":"@"}\n',
    ]);
    socket.pause().write(line.repeat(2000));
    await client.call('list', {});
    socket.resume();
    await pause(random.below(50));
    socket.destroy();
    await client.close();
  },
  'the largest screens, read in every way': async (rig, random) => {
    const client = await rig.connect();
    const { id } = await client.call('create', { cmd_args: ['yes'], cols: 1000, rows: 1000 });
    const reads = [
      () => client.call('text', { id, format: 'html' }),
      () => client.call('text', { id, region: 'all', format: 'ansi' }),
      () => client.call('grep', { id, pattern: 'y+' }),
      () => client.call('resize', { id, cols: 2 + random.below(998), rows: 1 + random.below(999) }),
    ];
    await Promise.all(Array.from({ length: 6 }, () => random.pick(reads)()));
    await client.call('kill', { id });
    await client.close();
  },
  'hostile recordings opened': async (rig, random) => {
    const client = await rig.connect();
    const dir = mkdtempSync(path.join(tmpdir(), 't4a-chaos-files-'));
    try {
      const files = Object.entries(HOSTILE_FILES).map(([name, content]) => {
        const file = path.join(dir, name);
        writeFileSync(file, content());
        return file;
      });
      await Promise.all(files.map((file) => opened(client, file, random)));
    } finally {
      rmSync(dir, { recursive: true });
    }
    await client.close();
  },
  'a link swapped while it is opened': async (rig, random) => {
    const client = await rig.connect();
    const dir = mkdtempSync(path.join(tmpdir(), 't4a-chaos-links-'));
    const link = path.join(dir, 'link.cast');
    try {
      writeFileSync(path.join(dir, 'plain.cast'), PLAIN);
      writeFileSync(path.join(dir, 'bomb.cast'), HOSTILE_FILES['sizes.cast']());
      const targets = [
        path.join(dir, 'plain.cast'),
        path.join(dir, 'bomb.cast'),
        dir,
        '/dev/zero',
        path.join(dir, 'none'),
      ];
      const swap = (): void => {
        symlinkSync(random.pick(targets), `${link}.new`);
        renameSync(`${link}.new`, link);
      };
      swap();
      const opening = Array.from({ length: 6 }, () => opened(client, link, random));
      for (let i = 0; i < 50; i++) {
        swap();
        await pause(1);
      }
      await Promise.all(opening);
    } finally {
      rmSync(dir, { recursive: true });
    }
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
