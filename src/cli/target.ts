/** Which daemon a command line means: that of this machine, or by `--on` and `host/terminal` that of another host. */
import type { ConnectOptions } from '../client/open-connection.js';
import { hasHostsFile } from '../client/paths.js';
import { type Address, LOCAL, parseAddress } from '../fleet/address.js';
import { isT4aError, quote, T4aError } from '../protocol/errors.js';
import type { Fields, Invocation } from './argv/invocation.js';
import type { CommandSyntax } from './argv/syntax.js';
import { askerOf } from './asker.js';
import type { Host } from './host.js';
import type { LazyBundles } from './lazy-bundles.js';
import { settingOf } from './settings.js';

export interface Target {
  /** With ids as that daemon has them; `on` among its options is the far host, and absent for this machine. */
  readonly invocation: Invocation;
  readonly daemon: Pick<ConnectOptions, 'socketPath' | 'route'>;
}

/** Fields that name terminals. */
const NAMING = ['id', 'terminal'] as const;

/** @throws T4aError `usage`, `host_unknown`, `host_ambiguous` */
export async function targetOf(given: Invocation, host: Host, bundles: LazyBundles): Promise<Target> {
  const { on, ...options } = given.options as Fields & { readonly on?: string };
  const target = given.command.local === true ? options : given.params;
  const named = NAMING.flatMap((field) => (target[field] === undefined ? [] : [[field, target[field]] as const]));
  const addresses = named.flatMap(([, value]) => [value].flat()).map(addressOf);
  const hosts = new Set([...(on === undefined ? [] : [on]), ...addresses.flatMap((address) => address.host ?? [])]);
  const isMixed = hosts.size === 1 && on === undefined && addresses.some((address) => address.host === undefined);
  if (hosts.size > 1 || isMixed) throw severalHosts([...hosts, ...(isMixed ? [LOCAL] : [])]);
  const [name] = hosts;
  const socketPath = settingOf('socket', options['socket'], host).value as string | undefined;
  if (name === undefined) return { invocation: given, daemon: { socketPath } };
  const bare = (value: unknown): unknown =>
    Array.isArray(value) ? value.map((id) => addressOf(id).id) : addressOf(value).id;
  const ids = Object.fromEntries(named.map(([field, value]) => [field, bare(value)]));
  const isLocalCommand = given.command.local === true;
  const invocation = (far: Fields): Invocation => ({
    ...given,
    params: isLocalCommand ? given.params : { ...given.params, ...ids },
    options: { ...options, ...(isLocalCommand ? ids : {}), ...far },
  });
  if (name === LOCAL) return { invocation: invocation({}), daemon: { socketPath } };
  if (options['socket'] !== undefined && on !== undefined) {
    throw new T4aError('usage', '"--on" and "--socket" name two daemons.');
  }
  // Perhaps the socket of a gateway, which has a list of its own.
  if (on === undefined && socketPath !== undefined && !hasHosts()) return { invocation: given, daemon: { socketPath } };
  const route = (await bundles.fleet()).routeTo(name);
  return { invocation: invocation({ on: name }), daemon: { route } };
}

function addressOf(id: unknown): Address {
  return typeof id === 'string' ? parseAddress(id) : { host: undefined, id: '' };
}

function severalHosts(hosts: readonly string[]): T4aError {
  return new T4aError('usage', `One command asks one host, not ${hosts.map(quote).join(' and ')}.`);
}

/** Longest wait for the list of one host, once a name is looked for on all of them. */
const SEARCH_MS = 1000;

/**
 * The same for the one host that has a terminal of that name, where this machine has none. Only a request that reads is sent there: an
 * act reaches what was named, and its error names the address. Generated names and "@" are not looked for: every host has them.
 * @throws T4aError `terminal_ambiguous`; of an act `terminal_not_found`
 */
export async function elsewhere(
  error: unknown,
  { params, options, ...given }: Invocation,
  host: Host,
  bundles: LazyBundles,
): Promise<Invocation | undefined> {
  const [id, ...others] = [params['id'] ?? params['terminal']].flat();
  const isMissing = isT4aError(error) && error.code === 'terminal_not_found' && options['on'] === undefined;
  if (!isMissing || typeof id !== 'string' || others.length > 0 || GENERATED.test(id) || !hasHosts()) return undefined;
  const { callersHosts, hostOfTerminal } = await bundles.fleet();
  const socketPath = settingOf('socket', options['socket'], host).value as string | undefined;
  const asker = { ...askerOf(options, host), socketPath, timeoutMs: SEARCH_MS };
  const hosts = callersHosts();
  const isRead = onlyReads(given.command, params);
  let on: string | undefined;
  try {
    on = await hostOfTerminal(id, hosts, asker);
  } catch (failure) {
    // An act is not for them in any case.
    if (isRead) throw failure;
  }
  if (on === undefined || on === LOCAL) return undefined;
  if (!isRead) throw actElsewhere(error, on, id);
  host.note(`t4a: ${on}/${id}\n`);
  const { socket: _socket, ...rest } = options;
  return { ...given, params, options: { ...rest, on } };
}

function actElsewhere({ code, message, details }: T4aError, on: string, id: string): T4aError {
  const { closest: _closest, ...kept } = details;
  const told = `${message} The host "${on}" has one; acts reach another host by its address alone.`;
  return new T4aError(code, told, { ...kept, hint: `Name its host: ${on}/${id}` });
}

/** With these fields it changes nothing. */
export function onlyReads({ reads, acting = [] }: CommandSyntax, params: Fields): boolean {
  return reads === true && acting.every((field) => params[field] === undefined);
}

const GENERATED = /^t\d+$|^@|[/:]/;

/** Without the file no other host is thought of. */
export function hasHosts(): boolean {
  return hasHostsFile();
}
