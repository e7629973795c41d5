/** `t4a hosts`: what the list has, what is added to it and removed. */
import { errnoOf } from '../base/errno.js';
import { readGivenFile, RefusedFile } from '../base/settings-file.js';
import { nearestWords } from '../base/nearest.js';
import { callersHostsFile } from '../client/paths.js';
import { T4aError, quote } from '../protocol/errors.js';
import { HostList, nameOfSocket, type ListedRoute } from './host-list.js';
import { hostsOfFile, PLACES } from './hosts.js';
import { natsFleet } from './nats-fleet.js';
import { checkEntry, changeHosts, type HostEntries, readHosts, type RouteEntry } from './hosts-file.js';
import { type JsonDefault, jsonByDefault } from './json-default.js';
import { readVtrConfig, type VtrConfig } from './vtr-config.js';

export type Edit =
  /** @property isProgram what follows the name is one, and no route */
  | { readonly do: 'add'; readonly words: readonly string[]; readonly isProgram: boolean }
  | { readonly do: 'import'; readonly path: string }
  | { readonly do: 'rm'; readonly words: readonly string[] };

export interface Edited {
  /** Names that were added or removed. */
  readonly names: string[];
  /** Field of an import whose output is JSON. */
  readonly json?: JsonDefault;
  /** Removed names that still lead somewhere by a pattern of the list. */
  readonly still: readonly Still[];
}

export interface Still {
  readonly name: string;
  readonly route: string;
}

/** @throws T4aError `usage` */
export function editHosts(edit: Edit): Edited {
  const vtr = edit.do === 'import' ? imported(edit.path) : undefined;
  // Before anything is written.
  const setJson = vtr?.printsJson === true ? jsonByDefault() : undefined;
  const { names, left } = editList(edit, vtr);
  const still = edit.do === 'rm' ? names.flatMap((name) => routesOf(name, left)) : [];
  return { names, still, ...(setJson === undefined ? {} : { json: setJson() }) };
}

/** The file is not read again: what has been done does not fail. */
function routesOf(name: string, left: HostEntries): Still[] {
  const list = new HostList(left, PLACES, () => undefined);
  return list.named(name).map(({ url }) => ({ name, route: url }));
}

function editList(edit: Edit, vtr: VtrConfig | undefined): { readonly names: string[]; readonly left: HostEntries } {
  let changed: string[] = [];
  let left: HostEntries = {};
  const make = (before: HostEntries): HostEntries | undefined => {
    const hosts: Record<string, readonly RouteEntry[]> = { ...before };
    changed = changedIn(hosts, edit, vtr);
    left = hosts;
    return changed.length > 0 ? hosts : undefined;
  };
  changeHosts(callersHostsFile(), make, { endsRights: edit.do === 'rm' });
  return { names: changed, left };
}

/** @returns names that were added to the list, or removed from it */
function changedIn(hosts: Record<string, readonly RouteEntry[]>, edit: Edit, vtr: VtrConfig | undefined): string[] {
  const changed: string[] = [];
  if (edit.do === 'rm') {
    for (const word of edit.words) changed.push(...removed(word, hosts));
  } else {
    const imports = (vtr?.routes ?? []).map(({ name, url }) => [name, url] as const);
    const added = edit.do === 'add' ? [entryOf(edit.words, edit.isProgram)] : imports;
    for (const [name, entry] of added) {
      checkEntry(name, entry);
      const before = hosts[name] ?? [];
      const isThere = before.some((one) => JSON.stringify(one) === JSON.stringify(entry));
      if (isThere) continue;
      // Globs add up. A second route under a fixed name would make it ambiguous.
      if (before.length > 0 && !name.includes('*')) throw taken(name);
      hosts[name] = [...before, entry];
      changed.push(name);
    }
  }
  return changed;
}

/** Names that a word takes out: a host, or a route, which takes out no other one of that name. @returns the names */
function removed(word: string, hosts: Record<string, readonly RouteEntry[]>): string[] {
  if (hosts[word] !== undefined) {
    delete hosts[word];
    return [word];
  }
  const route = routeWord(word);
  const names = Object.keys(hosts).filter((name) => route !== undefined && hosts[name]?.includes(route));
  if (names.length === 0) throw absent(word, Object.keys(hosts));
  for (const name of names) {
    const others = (hosts[name] ?? []).filter((entry) => entry !== route);
    if (others.length === 0) delete hosts[name];
    else hosts[name] = others;
  }
  return names;
}

/** Globs of the list that no socket fits now. */
export function emptyGlobs(): string[] {
  const { routes } = hostsOfFile();
  const entries = Object.entries(readHosts(callersHostsFile()));
  return routes.length > 0 ? [] : entries.flatMap(([, list]) => list.filter((entry) => typeof entry === 'string'));
}

/** Sockets of globs as they are now. @throws T4aError `usage`, `host_unknown` */
export function listedHosts(name?: string): readonly ListedRoute[] {
  const list = hostsOfFile();
  return name === undefined ? list.routes : [list.find(name)];
}

/** `NAME ROUTE`, `ROUTE` alone, or `NAME PROGRAM ARGUMENT...`, where a program alone follows a "--". */
function entryOf([first = '', ...rest]: readonly string[], isProgram: boolean): [name: string, entry: RouteEntry] {
  if (rest.length === 0) {
    const route = routeWord(first);
    if (route === undefined)
      throw new T4aError('usage', `"hosts add" needs a name and a route, not only ${quote(first)}.`);
    return [natsFleet(route)?.pattern ?? nameOf(route), route];
  }
  const route = rest.length === 1 && !isProgram ? routeWord(rest[0] ?? '') : undefined;
  return [first, route ?? { command: rest }];
}

/** A path is that of a socket. */
function routeWord(word: string): string | undefined {
  if (word.startsWith('/')) return `unix:${word}`;
  return /^[a-z]+:/.test(word) ? word : undefined;
}

function nameOf(url: string): string {
  if (url.startsWith('unix:')) return nameOfSocket(url.slice('unix:'.length));
  const last = url.replace(/\?.*$/s, '').replace(/\/$/, '').split('/').at(-1) ?? '';
  return last.replace(/^[^@]*@/, '').replace(/:\d+$/, '');
}

function imported(path: string): VtrConfig {
  let text: string;
  try {
    text = readGivenFile(path);
  } catch (error) {
    if (error instanceof RefusedFile) throw new T4aError('usage', `${JSON.stringify(path)} ${error.message}.`);
    throw new T4aError('usage', `${JSON.stringify(path)} cannot be read (${errnoOf(error) ?? String(error)}).`);
  }
  return readVtrConfig(text, path);
}

function taken(name: string): T4aError {
  return new T4aError('usage', `There is a host ${quote(name)} already.`, { hint: `t4a hosts rm ${name}` });
}

function absent(name: string, names: readonly string[]): T4aError {
  const closest = nearestWords(name, names)[0];
  return new T4aError('host_unknown', `The list has no host ${quote(name)}.`, {
    hint: closest === undefined ? 't4a hosts' : `Did you mean "${closest}"?`,
    ...(closest === undefined ? {} : { closest }),
  });
}
