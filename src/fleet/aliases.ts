/**
 * Whether a socket leads to a daemon that it is not meant for. A sandbox can put a link to another daemon in the place of
 * its socket, a second name of that daemon's socket, or a program that passes on. Each daemon of this machine and each
 * other listed socket counts. Of two routes that are commands each must be run to know it, and what they say is a claim:
 * neither is refused, and lists name both.
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

/**
 * Path of the daemon that has answered in truth, by its own answer, before it is asked anything else. @returns path of the daemon
 * that has answered in truth
 */
export function daemonBehind(pong: Pong, path: string, others: readonly string[]): string | undefined {
  const { instance, socket } = pong;
  if (instance === undefined) return undefined;
  const own = ownDaemon(instance);
  if (own !== undefined) return own;
  const place = placeOf(path);
  // The daemon of a container has a path there, which may be that of another daemon here, or of none.
  const claimed: readonly string[] = typeof socket === 'string' ? [socket] : [];
  return [...claimed, ...others].find((one) => placeOf(one) !== place && daemonLock(one)?.['nonce'] === instance);
}

/** The same for a route that is a command. @param also sockets that it must not lead to, beside those of this user */
export function ownDaemonBehind({ instance }: Pong, also: readonly string[]): string | undefined {
  return instance === undefined ? undefined : ownDaemon(instance, also);
}

/** Socket of this user's daemon on this machine, by what its lock says. */
function ownDaemon(instance: string, also: readonly string[] = []): string | undefined {
  return [...ownPaths(), ...also].find((one) => daemonLock(one)?.['nonce'] === instance);
}

export interface Alias {
  readonly host: string;
  /** The other socket of the same `instance`. */
  readonly of: string;
}

/** Hosts whose daemon says that it is the one of a host before. */
export function aliasesIn(
  instances: readonly { readonly host: string; readonly instance: string | undefined }[],
): Alias[] {
  const first = new Map<string, string>();
  return instances.flatMap(({ host, instance }) => {
    if (instance === undefined) return [];
    const of = first.get(instance);
    if (of === undefined) first.set(instance, host);
    return of === undefined || of === host ? [] : [{ host, of }];
  });
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
