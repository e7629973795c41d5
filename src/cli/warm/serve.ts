/**
 * `t4a __serve-cli PATH BUILD`: the host of native clients (native/t4a.c), beside the daemon's socket. It ends with the daemon, after a
 * while without calls, or when its socket is not its own any more; calls that are under way end first. It never keeps a daemon alive.
 */
import { lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { daemonLock } from '../../client/daemon-lock.js';
import { KeptConnections } from '../../client/kept-connections.js';
import { OwnSocket } from '../../client/own-socket.js';
import { defaultCommandLine } from '../../client/paths.js';
import { isT4aError } from '../../protocol/errors.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { WarmClient } from './client.js';
import { Collector } from './collector.js';
import { warmFrameOf } from './frames.js';
import { hostPath } from './host-path.js';
import { type Own, serveCall } from './one-call.js';

/** Each is a process of its own that waits. More are left to Node. */
const MOST_CALLS = 256;
const LOOK_MS = 1000;
const IDLE_MS = 15 * 60_000;

export interface Serving {
  readonly socketPath: string;
  /** Only a client of the same build is served. */
  readonly build: string;
  readonly env: Own['env'];
  readonly bundles: LazyBundles;
  readonly idleMs?: number;
}

/** Settles when it has ended. */
export async function serveClients({ socketPath, build, env, bundles, idleMs = IDLE_MS }: Serving): Promise<void> {
  // What a call leaves behind when its client has gone is nobody's.
  process.on('unhandledRejection', () => {});
  const isSameDaemon = daemonWatch(socketPath);
  if (isSameDaemon === undefined) return;
  const isSameProgram = stampWatch(defaultCommandLine());
  const kept = new KeptConnections(socketPath);
  const own: Own = { socketPath, kept, bundles, env, files: ownFiles() };
  const calls = new Set<Socket>();
  const collector = new Collector();
  let lastMs = performance.now();
  const greeting = warmFrameOf('g', Buffer.from(`${build}\0${process.execPath}\0${defaultCommandLine()}\0`));
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    if (calls.size >= MOST_CALLS) {
      socket.end(warmFrameOf('g', Buffer.from('busy\0\0\0')));
      return;
    }
    calls.add(socket);
    collector.called();
    const client = new WarmClient(socket, () => {
      calls.delete(socket);
      lastMs = performance.now();
    });
    client.told.set('p', () => client.tell('p'));
    client.told.set('h', (content) => {
      client.told.delete('h');
      void serveCall(client, content, own);
    });
    socket.write(greeting);
  });
  let place: OwnSocket;
  try {
    place = await OwnSocket.listen(server, hostPath(socketPath));
  } catch (error) {
    // Another host was faster, or there is no place for it.
    if (isT4aError(error)) return;
    throw error;
  }
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      collector.look(calls.size === 0);
      kept.look();
      const isIdle = calls.size === 0 && performance.now() - lastMs > idleMs;
      if (!isIdle && place.isInPlace() && isSameDaemon() && isSameProgram()) return;
      clearInterval(timer);
      place.remove();
      server.close(() => resolve());
    }, LOOK_MS);
  });
}

/** Undefined if no daemon runs there that this process can see. @returns whether it still is that one */
function daemonWatch(socketPath: string): (() => boolean) | undefined {
  const serves = (): string | undefined => {
    const { pid, started } = daemonLock(socketPath) ?? {};
    if (typeof pid !== 'number' || typeof started !== 'string') return undefined;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
      if (!started.endsWith(`/${start}`)) return undefined;
      return `${pid} ${started} ${lstatSync(socketPath).ino}`;
    } catch {
      return undefined;
    }
  };
  const first = serves();
  return first === undefined ? undefined : () => serves() === first;
}

/** @returns whether the file is still the one that was there */
function stampWatch(path: string): () => boolean {
  const stamp = (): string => {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
  };
  const first = stamp();
  return () => stamp() === first;
}

/** As `hand_over` of native/t4a.c says it. */
function ownFiles(): string {
  const { dev, ino } = statSync('/', { bigint: true });
  // Of the C library: https://man7.org/linux/man-pages/man3/makedev.3.html
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
  return `${readlinkSync('/proc/self/ns/mnt')} ${(major << 32n) | minor} ${ino}`;
}
