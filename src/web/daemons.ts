/** The daemons that the page shows: sockets by name, and patterns of them, looked up anew for each page. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** More are not shown: each is a socket of every page. */
const MAX_DAEMONS = 16;

export function isPattern(path: string): boolean {
  return /[*?]/.test(path);
}

/** By their names on the page, in the order given. @param sockets paths; `*` and `?` stand for characters of a file's name */
export function daemonsOf(sockets: readonly string[]): Map<string, string> {
  const paths = new Set(sockets.flatMap((path) => (isPattern(path) ? matching(path) : [resolve(path)])));
  const daemons = new Map<string, string>();
  for (const path of [...paths].slice(0, MAX_DAEMONS)) daemons.set(freeName(nameOf(path), daemons), path);
  return daemons;
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

function freeName(name: string, taken: ReadonlyMap<string, string>): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name} ${n}`;
    if (!taken.has(free)) return free;
  }
}
