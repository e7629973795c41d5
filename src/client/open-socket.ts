/** One attempt to connect, after a check of the path. Starts nothing and removes nothing. */
import { lstatSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { T4aError } from '../protocol/errors.js';
import {
  asPlaceError,
  checkSocketPath,
  foreignSocket,
  NOBODYS_SOCKET,
  notASocket,
  socketsRefused,
} from '../protocol/socket-path.js';
import { callerHere } from '../base/caller.js';
import { isOurs } from '../base/ownership.js';

/** No daemon listens: no socket, or a dead daemon's. */
export type Absent = 'absent';

/** Retries if more clients wait than the system queues, and the delay between them. */
const MAX_BUSY_RETRIES = 200;
const BUSY_DELAY_MS = 10;

/** @throws T4aError `socket_path`, `socket_owner`, `daemon_unreachable` */
export async function openSocket(path: string, signal?: AbortSignal): Promise<Socket | Absent> {
  checkSocketPath(path, process.platform);
  return connectWhile(() => isSocketPresent(path), path, path, signal);
}

/** The caller has looked at it. @param via what leads to that very socket @throws T4aError `daemon_unreachable` */
export function openHeldSocket(via: string, path: string, signal?: AbortSignal): Promise<Socket | Absent> {
  return connectWhile(() => true, via, path, signal);
}

async function connectWhile(
  isPresent: () => boolean,
  via: string,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Socket | Absent> {
  for (let attempt = 0; attempt < MAX_BUSY_RETRIES; attempt++) {
    signal?.throwIfAborted();
    if (!isPresent()) return 'absent';
    const result = await connectOnce(via);
    if (result instanceof Error) throw (await refusalOfSockets()) ?? unreachable(path, result.code ?? result.message);
    if (result !== 'busy') {
      if (result !== 'absent') callerHere()?.opened?.(result);
      return result;
    }
    // Loaded only here: most commands find a daemon at once.
    await process.getBuiltinModule('node:timers/promises').setTimeout(BUSY_DELAY_MS);
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

/** @throws T4aError if something else is there, or if it is another user's */
export function isSocketPresent(path: string): boolean {
  let stat;
  try {
    stat = lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw asPlaceError(path, error);
  }
  if (stat === undefined) return false;
  // The socket's owner could read all input. That holds for root as well.
  if (!isOurs(path, stat)) throw foreignSocket(path, stat.uid);
  if (!stat.isSocket()) throw notASocket(path, stat.isSymbolicLink());
  return true;
}

/** Call it after a failure: a sandbox may refuse every Unix socket, with errors that fit a bad path as well. */
export async function refusalOfSockets(): Promise<T4aError | undefined> {
  const result = await connectOnce(NOBODYS_SOCKET);
  return result instanceof Error ? socketsRefused(result.code) : undefined;
}

function connectOnce(path: string): Promise<Socket | Absent | 'busy' | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const socket = createConnection({ path });
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve('absent');
      // Reset: the daemon ended with this connection in its queue. The next attempt shows whether another listens.
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
