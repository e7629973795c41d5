/** `t4a hosts`: what the list has, what is added to it and removed. */
import { readFileSync } from 'node:fs';
import { errnoOf } from '../base/errno.js';
import { nearestWords } from '../base/nearest.js';
import { callersHostsFile } from '../client/paths.js';
import { T4aError, quote } from '../protocol/errors.js';
import { nameOfSocket, type ListedRoute } from './host-list.js';
import { callersHosts } from './hosts.js';
import { checkEntry, readHosts, writeHosts, type RouteEntry } from './hosts-file.js';
import { routesOfVtr } from './vtr-config.js';

export type Edit =
  /** @property isProgram what follows the name is one, and no route */
  | { readonly do: 'add'; readonly words: readonly string[]; readonly isProgram: boolean }
  | { readonly do: 'import'; readonly path: string }
  | { readonly do: 'rm'; readonly words: readonly string[] };

/** @returns the names that were added or removed @throws T4aError `usage` */
export function editHosts(edit: Edit): string[] {
  const path = callersHostsFile();
  const hosts: Record<string, readonly RouteEntry[]> = { ...readHosts(path) };
  const changed: string[] = [];
  if (edit.do === 'rm') {
    for (const name of edit.words) {
      if (hosts[name] === undefined) throw absent(name, Object.keys(hosts));
      delete hosts[name];
      changed.push(name);
    }
  } else {
    const added = edit.do === 'add' ? [entryOf(edit.words, edit.isProgram)] : imported(edit.path);
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
  if (changed.length > 0) writeHosts(path, hosts);
  return changed;
}

/** Sockets of globs as they are now. @throws T4aError `usage`, `host_unknown` */
export function listedHosts(name?: string): readonly ListedRoute[] {
  const list = callersHosts();
  return name === undefined ? list.routes : [list.find(name)];
}

/** `NAME ROUTE`, `ROUTE` alone, or `NAME PROGRAM ARGUMENT...`, where a program alone follows a "--". */
function entryOf([first = '', ...rest]: readonly string[], isProgram: boolean): [name: string, entry: RouteEntry] {
  if (rest.length === 0) {
    const route = routeWord(first);
    if (route === undefined)
      throw new T4aError('usage', `"hosts add" needs a name and a route, not only ${quote(first)}.`);
    return [nameOf(route), route];
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

function imported(path: string): [name: string, entry: RouteEntry][] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new T4aError('usage', `${JSON.stringify(path)} cannot be read (${errnoOf(error) ?? String(error)}).`);
  }
  return routesOfVtr(text, path).map(({ name, url }) => [name, url]);
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
