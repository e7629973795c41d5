/** The daemons that the page shows: sockets by name, patterns of them, and listed hosts, looked up anew for each socket of a page. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Route } from '../client/route.js';
import { farReply } from '../fleet/far-reply.js';
import type { HostList } from '../fleet/host-list.js';
import { hostRoute } from '../fleet/host-route.js';
import { PLACES } from '../fleet/hosts.js';
import { whileListed } from '../fleet/while-listed.js';

/** A socket of this machine, or the route of a listed host. */
export type Way = { readonly socketPath: string } | { readonly route: Route };

/** More are not shown: each is a socket of every page. */
export const MAX_DAEMONS = 16;

export function isDaemonPattern(path: string): boolean {
  return /[*?]/.test(path);
}

/**
 * Daemons by their names on the page, in the order given. @param sockets paths; `*` and `?` stand for characters of a file's name
 */
export function daemonsOf(sockets: readonly string[], hosts?: HostList): Map<string, Way> {
  const paths = new Set(sockets.flatMap((path) => (isDaemonPattern(path) ? matching(path) : [resolve(path)])));
  const daemons = new Map<string, Way>();
  for (const path of [...paths].slice(0, MAX_DAEMONS))
    daemons.set(freeName(nameOf(path), daemons), { socketPath: path });
  if (hosts === undefined) return daemons;
  for (const name of new Set(hosts.routes.map((route) => route.name))) {
    if (daemons.size < MAX_DAEMONS) daemons.set(freeName(name, daemons), { route: routeOf(name, hosts) });
  }
  return daemons;
}

/** Route to a host. For a name with several routes it cannot be said which host it is: the error comes when it is opened. */
function routeOf(name: string, hosts: HostList): Route {
  const url = hosts.routes.find((route) => route.name === name)?.url ?? '';
  return {
    host: name,
    url,
    async open(options) {
      const listed = hosts.find(name);
      return whileListed(listed, hostRoute(listed), PLACES, { isDoor: true }).open(options);
    },
    received: (header, cmd, lineBytes) => farReply(name, header, cmd, lineBytes),
  };
}

function matching(pattern: string): string[] {
  const directory = dirname(resolve(pattern));
  const isNamed = patternOf(basename(pattern));
  try {
    const files = readdirSync(directory, { withFileTypes: true });
    const sockets = files.filter((file) => file.isSocket() && isNamed.test(file.name));
    return sockets.map((file) => join(directory, file.name)).sort();
  } catch {
    // A directory that is not there has no sockets; it may come.
    return [];
  }
}

function patternOf(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`);
}

function nameOf(path: string): string {
  const name = basename(path).replace(/\.(sock|socket)$/, '');
  return name === 't4a' ? 'local' : name === 'socket' ? basename(dirname(path)) : name;
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name} ${n}`;
    if (!taken.has(free)) return free;
  }
}
