/**
 * hosts.json: names of hosts, each with its routes. Commands in it are run, so a file or a folder that others can write is
 * refused.
 */
import { statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { openSettingsFile, RefusedFile } from '../base/settings-file.js';
import { whyUnsafe } from '../base/ownership.js';
import { configFileError, readConfigFile, type ConfigFile } from '../protocol/config-file.js';
import { T4aError, quote } from '../protocol/errors.js';
import { LOCAL } from './address.js';
import { natsFleet } from './nats-fleet.js';
import { carrierOf } from './route-url.js';
import { type ChangeOptions, changeWhole } from './whole-file.js';

/** A URL, or a command whose pipes carry the wire. */
export type RouteEntry = string | { readonly command: readonly string[] };

/** Routes by name. A name with a `*` belongs to a URL with one. */
export type HostEntries = Readonly<Record<string, readonly RouteEntry[]>>;

/** Name of a host, written as the name of a terminal, with a `*` for what the one in its URL stands for. */
const HOST_NAME = /^[\p{L}\p{N}_*][^\s/:@\p{C}]*$/u;
const MAX_NAME_LENGTH = 64;
const MAX_HOSTS = 10_000;
/** Some 400 for each host. */
const MAX_HOSTS_BYTES = 4 * 1024 * 1024;

/** @returns no entries where there is no file @throws T4aError `usage` that names the file, and the line */
export function readHosts(path: string): HostEntries {
  const file = readConfigFile(path, readChecked);
  if (file === undefined) return {};
  const unknown = Object.keys(file.fields).find((field) => field !== 'hosts');
  if (unknown !== undefined) throw configFileError(file, unknown, `There is no field ${quote(unknown)}, only "hosts".`);
  const { hosts } = file.fields;
  if (typeof hosts !== 'object' || hosts === null || Array.isArray(hosts)) {
    throw configFileError(file, 'hosts', '"hosts" is not an object of names, each with its route.');
  }
  const entries = Object.entries(hosts as Record<string, unknown>);
  if (entries.length > MAX_HOSTS) throw configFileError(file, 'hosts', `There are more than ${MAX_HOSTS} hosts.`);
  return Object.fromEntries(entries.map(([name, value]) => [name, entriesOf(file, name, value)]));
}

function entriesOf(file: ConfigFile, name: string, value: unknown): RouteEntry[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  try {
    if (list.length === 0) throw new T4aError('usage', `${quote(name)} has no route.`);
    for (const entry of list) checkEntry(name, entry);
  } catch (error) {
    if (!(error instanceof T4aError)) throw error;
    throw configFileError(file, `hosts.${name}`, error.message, error.details);
  }
  return list as RouteEntry[];
}

/** @throws T4aError `usage` */
export function checkEntry(name: string, entry: unknown): asserts entry is RouteEntry {
  if (!HOST_NAME.test(name) || name.length > MAX_NAME_LENGTH) {
    throw new T4aError('usage', `${quote(name)} cannot be the name of a host.`, {
      hint: 'It begins with a letter, a digit or "_", and holds no "/", ":", "@" and no blanks.',
    });
  }
  if (name === LOCAL) throw new T4aError('usage', `"${LOCAL}" is the daemon of this machine.`);
  if (typeof entry === 'string') {
    const fleet = natsFleet(entry);
    const carrier = fleet === undefined ? carrierOf(entry) : undefined;
    const isGlob = fleet !== undefined || (carrier?.kind === 'socket' && carrier.path.includes('*'));
    const isOne = fleet === undefined || [name, fleet.pattern].every((text) => text.split('*').length === 2);
    if (isGlob === name.includes('*') && isOne) return;
    throw new T4aError(
      'usage',
      `The name ${quote(name)} and the route ${quote(entry)} do not fit: a "*" of the name is what the one in the path of a socket or in the name of a host stands for.`,
    );
  }
  const { command } = (entry ?? {}) as { readonly command?: unknown };
  const isCommand = Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === 'string');
  if (!isCommand || Object.keys(entry as object).length !== 1) {
    throw new T4aError(
      'usage',
      `The route of ${quote(name)} is ${quote(entry)}: expected a URL, or {"command": ["program", "argument"]}.`,
    );
  }
  if (name.includes('*')) throw new T4aError('usage', `${quote(name)} has a "*", and its route is a command.`);
}

/**
 * @param edit undefined: nothing is to be changed. It is called twice
 * @param options as of {@link changeWhole}
 * @throws T4aError `usage`; what `edit` throws
 */
export function changeHosts(
  path: string,
  edit: (hosts: HostEntries) => HostEntries | undefined,
  options: ChangeOptions = {},
): void {
  // Before a folder or a claim is made.
  if (edit(readHosts(path)) === undefined) return;
  const make = (): object | undefined => {
    const hosts = edit(readHosts(path));
    if (hosts === undefined) return undefined;
    const short = Object.entries(hosts).map(([name, list]) => [name, list.length === 1 ? list[0] : list]);
    return { hosts: Object.fromEntries(short) };
  };
  changeWhole(path, make, options);
  checkFolder(path);
}

/** @throws T4aError `usage`; the error of the system */
function readChecked(path: string): string {
  try {
    const { text, stat } = openSettingsFile(path, MAX_HOSTS_BYTES);
    checkSafe(path, stat);
    checkFolder(path);
    return text;
  } catch (error) {
    if (error instanceof RefusedFile && error.isOthers) throw unsafe(path, error.message);
    throw error;
  }
}

/** A folder that is a link is what it leads to: the bits of a link say that everybody may write. */
function checkFolder(path: string): void {
  checkSafe(dirname(path), statSync(dirname(path)));
}

function checkSafe(path: string, stat: Stats): void {
  const says = whyUnsafe(path, stat);
  if (says !== undefined) throw unsafe(path, says);
}

function unsafe(path: string, says: string): T4aError {
  return new T4aError(
    'usage',
    `${JSON.stringify(path)} ${says}, and the routes of hosts are commands: it is not used.`,
    {
      hint: `chmod go-w ${JSON.stringify(path)}`,
    },
  );
}
