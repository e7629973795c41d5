/**
 * Whether a socket leads to a daemon that it is not meant for. A sandbox can put a link to another daemon in the place of
 * its socket, a second name of that daemon's socket, or a program that passes on. Each daemon of this machine and each
 * other listed socket counts; of routes that are commands it cannot be known without running them.
 */
import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { daemonLock } from '../client/daemon-lock.js';
import type { Pong } from '../client/handshake.js';
import { callersPlaces, namedSocketPath } from '../client/paths.js';
import { ownSockets } from '../client/socket-places.js';
import { isSameFile } from './held-socket.js';

/** @param others paths of the other listed sockets @returns path of the socket that it is in truth */
export function otherNameOf(file: Stats, path: string, others: readonly string[]): string | undefined {
  const place = placeOf(path);
  return [...ownPaths(), ...others].find((other) => {
    const stat = lstatSync(other, { throwIfNoEntry: false });
    // A daemon that is named may be the listed one, by the same path.
    return stat !== undefined && isSameFile(stat, file) && placeOf(other) !== place;
  });
}

/** By the daemon's own answer, before it is asked anything else. @returns path of the daemon that has answered in truth */
export function daemonBehind(pong: Pong, path: string, others: readonly string[]): string | undefined {
  const { instance, socket } = pong;
  if (instance === undefined) return undefined;
  const own = ownPaths().find((one) => daemonLock(one)?.['nonce'] === instance);
  if (own !== undefined) return own;
  const place = placeOf(path);
  // The daemon of a container has a path there, which may be that of another daemon here, or of none.
  const claimed: readonly string[] = typeof socket === 'string' ? [socket] : [];
  return [...claimed, ...others].find((one) => placeOf(one) !== place && daemonLock(one)?.['nonce'] === instance);
}

function ownPaths(): string[] {
  const named = namedSocketPath();
  return [...(named === undefined ? [] : [named]), ...ownSockets(callersPlaces())];
}

/** The last part of a path is the name that its own folder has for it, whatever leads to that folder. */
function placeOf(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}
