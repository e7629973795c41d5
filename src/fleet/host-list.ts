/** The hosts that there are now: names of the file, and those that its globs stand for. */
import { lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { nearestWords } from '../base/nearest.js';
import { T4aError, quote } from '../protocol/errors.js';
import { LOCAL } from './address.js';
import { isPattern, needsOneHost } from './host-pattern.js';
import type { HostEntries, RouteEntry } from './hosts-file.js';
import { isHostOfFleet, listing, matchedIn, type NatsFleet, natsFleet } from './nats-fleet.js';
import { type Carrier, carrierOf, type RoutePlaces } from './route-url.js';

export interface ListedRoute {
  readonly name: string;
  /** A command is shown as it would be typed. */
  readonly url: string;
  readonly carrier: Carrier;
  /** Name and route of the list's line, for a socket. */
  readonly written?: { readonly name: string; readonly route: string };
}

/** Names of the hosts of a fleet that are there; undefined if it cannot be said. */
export type There = (fleet: NatsFleet) => readonly string[] | undefined;

export class HostList {
  readonly routes: readonly ListedRoute[];
  readonly #entries: HostEntries;
  readonly #places: RoutePlaces;

  constructor(entries: HostEntries, places: RoutePlaces = {}, there: There = () => []) {
    this.#entries = entries;
    this.#places = places;
    const fixed: ListedRoute[] = [];
    const found: ListedRoute[] = [];
    for (const [name, list] of Object.entries(entries)) {
      for (const entry of list) {
        const fleet = typeof entry === 'string' ? natsFleet(entry) : undefined;
        if (fleet !== undefined) found.push(...ofFleet(name, fleet, places, there(fleet)));
        else if (name.includes('*')) found.push(...globbed(name, entry as string));
        else fixed.push(routeOf(name, entry, places));
      }
    }
    const names = new Set([LOCAL, ...fixed.map(({ name }) => name)]);
    // Security: whoever can make a socket in a globbed folder must not take the name of a listed host.
    const routes = [...fixed, ...found.filter(({ name }) => !names.has(name))];
    this.routes = routes.map((route) => withOthers(route, routes));
  }

  /** @throws T4aError `host_unknown`, `host_ambiguous` */
  find(name: string): ListedRoute {
    if (isPattern(name)) throw needsOneHost(name);
    const [first, ...others] = this.named(name);
    if (first === undefined)
      throw unknown(
        name,
        this.routes.map((route) => route.name),
      );
    if (others.length === 0) return first;
    const urls = [first, ...others].map(({ url }) => url).join(', ');
    throw new T4aError('host_ambiguous', `The host ${quote(name)} has several routes: ${urls}.`, {
      hint: 't4a hosts',
      field: 'host',
    });
  }

  /** More than one if it is ambiguous. */
  named(name: string): readonly ListedRoute[] {
    const listed = this.routes.filter((route) => route.name === name);
    return listed.length > 0 ? listed : this.#inFleets(name);
  }

  /** Routes of a host in fleets by its name alone: its route says if it is there. */
  #inFleets(name: string): ListedRoute[] {
    return Object.entries(this.#entries).flatMap(([glob, list]) =>
      list.flatMap((entry) => {
        const fleet = typeof entry === 'string' ? natsFleet(entry) : undefined;
        const matched = fleet === undefined || name === LOCAL ? undefined : matchedIn(glob, name);
        if (fleet === undefined || matched === undefined) return [];
        const host = fleet.pattern.replace('*', () => matched);
        return isHostOfFleet(host) ? [routeOf(name, fleet.routeOf(host), this.#places)] : [];
      }),
    );
  }
}

/** The whole of it under its pattern if nothing is known of it: the command that fails says why. */
function ofFleet(
  glob: string,
  fleet: NatsFleet,
  places: RoutePlaces,
  hosts: readonly string[] | undefined,
): ListedRoute[] {
  if (hosts === undefined)
    return [{ name: glob, url: fleet.url, carrier: { kind: 'command', argv: listing(fleet, places) } }];
  return hosts.flatMap((host) => {
    const matched = matchedIn(fleet.pattern, host);
    return matched === undefined
      ? []
      : [
          routeOf(
            glob.replace('*', () => matched),
            fleet.routeOf(host),
            places,
          ),
        ];
  });
}

/** Looked for when it is opened: there may be thousands. */
export function withOthers(route: ListedRoute, routes: readonly ListedRoute[]): ListedRoute {
  const { carrier } = route;
  if (carrier.kind !== 'socket') return route;
  const paths = (): string[] => routes.flatMap((one) => (one.carrier.kind === 'socket' ? [one.carrier.path] : []));
  return { ...route, carrier: { ...carrier, others: () => paths().filter((path) => path !== carrier.path) } };
}

function unknown(name: string, names: readonly string[]): T4aError {
  const closest = nearestWords(name, [...names, LOCAL])[0];
  return new T4aError('host_unknown', `There is no host ${quote(name)}.`, {
    hint: closest === undefined ? 't4a hosts' : `Did you mean "${closest}"?`,
    field: 'host',
    ...(closest === undefined ? {} : { closest }),
  });
}

export function routeOf(name: string, entry: RouteEntry, places: RoutePlaces): ListedRoute {
  if (typeof entry === 'string')
    return { name, url: entry, carrier: carrierOf(entry, places), written: { name, route: entry } };
  return { name, url: entry.command.join(' '), carrier: { kind: 'command', argv: entry.command } };
}

/** A `*` stands for a part of one name of the path; what it stood for takes its place in the host's name. */
function globbed(name: string, url: string): ListedRoute[] {
  const carrier = carrierOf(url);
  if (carrier.kind !== 'socket') return [];
  const below = folderOf(carrier.path);
  return matches(carrier.path).flatMap(({ path, matched }) => {
    const own = name.replace('*', () => matched);
    const isName = /^[\p{L}\p{N}_][^\s/:@\p{C}]*$/u.test(own);
    return isName && isSocket(path)
      ? [
          {
            name: own,
            url: `unix:${path}`,
            carrier: { kind: 'socket', path, below } as const,
            written: { name, route: url },
          },
        ]
      : [];
  });
}

/** Folder that has what the `*` stands for. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/', path.indexOf('*'))) || '/';
}

function matches(path: string): { path: string; matched: string }[] {
  const at = path.split('/').findIndex((part) => part.includes('*'));
  const parts = path.split('/');
  const folder = folderOf(path);
  const pattern = parts[at] ?? '';
  const [before = '', after = ''] = pattern.split('*');
  const fits = (one: string): boolean =>
    one.length >= before.length + after.length && one.startsWith(before) && one.endsWith(after);
  return namesIn(folder)
    .filter((one) => fits(one) && !(before === '' && one.startsWith('.')))
    .map((one) => ({
      path: join(folder, one, ...parts.slice(at + 1)),
      matched: one.slice(before.length, one.length - after.length),
    }));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Links are left out: they lead wherever their owner wants. */
function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket() && !lstatSync(dirname(path)).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The name of a socket's host, as vtr has it: that of the file without its ending. */
export function nameOfSocket(path: string): string {
  return basename(path).replace(/\.sock$/, '');
}
