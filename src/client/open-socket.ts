/** One attempt to connect, after a look at what is there. Starts nothing and removes nothing. */
import { lstatSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { T4aError } from '../protocol/errors.js';
import {
  asPlaceError,
  checkSocketPath,
  foreignSocket,
  NOBODYS_SOCKET,
  notASocket,
  socketsRefused,
} from '../protocol/socket-path.js';
import { isOurs } from './ownership.js';

/** Nobody listens: no socket, or a dead daemon's. */
export type Absent = 'absent';

/** More clients than the system queues: looked at again this often, each time after so long. */
const MAX_BUSY_RETRIES = 200;
const BUSY_DELAY_MS = 10;

/** @throws T4aError `socket_path`, `socket_owner`, `daemon_unreachable` */
export async function openSocket(path: string, signal?: AbortSignal): Promise<Socket | Absent> {
  checkSocketPath(path, process.platform);
  for (let attempt = 0; attempt < MAX_BUSY_RETRIES; attempt++) {
    signal?.throwIfAborted();
    if (!isSocketPresent(path)) return 'absent';
    const result = await connectOnce(path);
    if (result instanceof Error) throw (await refusalOfSockets()) ?? unreachable(path, result.code ?? result.message);
    if (result !== 'busy') return result;
    await delay(BUSY_DELAY_MS);
  }
  throw unreachable(path, 'too many clients are waiting for it');
}

export function unreachable(
  path: string,
  reason: string,
  hint = `Its log is ${JSON.stringify(`${path}.log`)}.`,
): T4aError {
  return new T4aError('daemon_unreachable', `No daemon could be reached on ${JSON.stringify(path)}: ${reason}.`, {
    hint,
  });
}

/** @throws T4aError where something else is there, or it is another user's */
export function isSocketPresent(path: string): boolean {
  let stat;
  try {
    stat = lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw asPlaceError(path, error);
  }
  if (stat === undefined) return false;
  // Whoever owns the socket reads what is typed here. That holds for root as well.
  if (!isOurs(path, stat)) throw foreignSocket(path, stat.uid);
  if (!stat.isSocket()) throw notASocket(path, stat.isSymbolicLink());
  return true;
}

/** To be asked once something went wrong: a sandbox may refuse every Unix socket, with words that fit a bad path as well. */
export async function refusalOfSockets(): Promise<T4aError | undefined> {
  const result = await connectOnce(NOBODYS_SOCKET);
  return result instanceof Error ? socketsRefused(result.code) : undefined;
}

function connectOnce(path: string): Promise<Socket | Absent | 'busy' | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const socket = createConnection({ path });
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve('absent');
      // Reset: it ended with this connection in its queue. Whether another listens by now shows the next look.
      else if (error.code === 'EAGAIN' || error.code === 'ECONNRESET') resolve('busy');
      else resolve(error);
    };
    socket.once('error', onError);
    socket.once('connect', () => {
      socket.off('error', onError);
      resolve(socket);
    });
  });
}
