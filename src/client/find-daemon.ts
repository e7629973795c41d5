/** Finds the running daemon once, for callers that start none. */
import type { Socket } from 'node:net';
import { openSocket, type Absent } from './open-socket.js';
import { callersPlaces, namedSocketPath } from './paths.js';
import { makeOwnDirectory, ownSockets, placeToStart } from './socket-places.js';

export interface FoundDaemon {
  /** Path where it listens, or would be started. */
  readonly socketPath: string;
  readonly socket: Socket | Absent;
}

/** @throws T4aError `socket_path`, `socket_owner`, `daemon_unreachable` */
export async function findDaemon(given?: string, signal?: AbortSignal, places = callersPlaces()): Promise<FoundDaemon> {
  const named = namedSocketPath(given);
  if (named !== undefined) return { socketPath: named, socket: await openSocket(named, signal) };
  for (const socketPath of ownSockets(places)) {
    const socket = await openSocket(socketPath, signal);
    if (socket !== 'absent') return { socketPath, socket };
  }
  return { socketPath: placeToStart(places), socket: 'absent' };
}

/** Only the path: the connection is closed. @throws as {@link findDaemon} */
export async function daemonPath(given?: string): Promise<string> {
  const { socketPath, socket } = await findDaemon(given);
  if (socket !== 'absent') socket.destroy();
  return socketPath;
}

/**
 * Path for a daemon in the foreground if none is given; that daemon itself detects another one on it.
 * @throws as {@link findDaemon}
 */
export async function placeToServe(): Promise<string | undefined> {
  if (namedSocketPath() !== undefined) return undefined;
  const socketPath = await daemonPath();
  makeOwnDirectory(socketPath, callersPlaces());
  return socketPath;
}
