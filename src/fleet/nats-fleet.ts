/**
 * Hosts of a fleet over NATS, which come and go: `nats://SERVER/FLEET` and `nats://SERVER/FLEET/gpu-*` stand for those that are
 * there. Who is there a program says that is run for it, like one that carries a route: the library of NATS is not loaded here.
 */
import { execFile } from 'node:child_process';
import { callersEnvironment } from '../client/paths.js';
import type { RoutePlaces } from './route-url.js';

export interface NatsFleet {
  /** URL with the query: `nats://SERVER/FLEET?label=gpu=a100`. */
  readonly url: string;
  /** Names of hosts. */
  readonly pattern: string;
  /** Route to one of them. */
  readonly routeOf: (host: string) => string;
}

const FLEET = /^((?:nats|tls):\/\/[^\s/?#@]+\/[\w-]+)(?:\/([\w*-]*))?(\?\S*)?$/;
const HOST = /^[\w-]{1,64}$/;

/** Undefined for the route of one host, and for anything else. */
export function natsFleet(url: string): NatsFleet | undefined {
  const [, fleet = '', given = '', query = ''] = FLEET.exec(url) ?? [];
  const pattern = given === '' ? '*' : given;
  if (fleet === '' || !pattern.includes('*')) return undefined;
  return { url: `${fleet}${query}`, pattern, routeOf: (host) => `${fleet}/${host}${query}` };
}

/** Text for which the one `*` of a pattern stands in a name; undefined if the name does not fit. */
export function matchedIn(pattern: string, name: string): string | undefined {
  const [before = '', after = '', ...more] = pattern.split('*');
  const fits = name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
  return fits && more.length === 0 ? name.slice(before.length, name.length - after.length) : undefined;
}

export function isHostOfFleet(name: string): boolean {
  return HOST.test(name);
}

/** The command that lists it, for people; if it fails, with the reason. */
export function listing({ url }: Pick<NatsFleet, 'url'>, { program }: RoutePlaces): readonly [string, ...string[]] {
  const [own, ...words] = program?.() ?? (['t4a'] as const);
  return [own, ...words, 'join', '--list', '--', url];
}

const MAX_BYTES = 64 * 1024 * 1024;
const ANSWER_MS = 12_000;
/** Most hosts, as many as a list of hosts has. */
const MAX_HOSTS = 10_000;

/** Names of the hosts that are there; undefined if it cannot be said. */
export function hostsThere(fleet: Pick<NatsFleet, 'url'>, places: RoutePlaces): Promise<readonly string[] | undefined> {
  const [program, ...args] = listing(fleet, places);
  args.splice(args.indexOf('--'), 0, '--json');
  const options = { env: callersEnvironment(), maxBuffer: MAX_BYTES, timeout: ANSWER_MS };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout) => resolve(error === null ? namesIn(stdout) : undefined));
  });
}

function namesIn(reply: string): readonly string[] | undefined {
  try {
    const { hosts } = JSON.parse(reply) as { readonly hosts: readonly { readonly host: string }[] };
    const names = hosts.map(({ host }) => host).filter((name) => isHostOfFleet(name));
    return [...new Set(names)].slice(0, MAX_HOSTS);
  } catch {
    return undefined;
  }
}

/** Fleets for a process that stays: what was there lately, asked for anew in the background while it is used. */
export class FleetsSeen {
  readonly #places: RoutePlaces;
  readonly #seen = new Map<string, { names: readonly string[] | undefined; atMs: number; asking?: Promise<void> }>();

  constructor(places: RoutePlaces) {
    this.#places = places;
  }

  /** Resolves once each of them has answered, or has not. */
  async ask(fleets: readonly NatsFleet[]): Promise<void> {
    await Promise.all(fleets.map((fleet) => this.#ask(fleet)));
  }

  readonly there = (fleet: NatsFleet): readonly string[] | undefined => {
    const seen = this.#seen.get(fleet.url);
    if (seen === undefined || performance.now() - seen.atMs > SEEN_MS) void this.#ask(fleet);
    return seen === undefined ? [] : seen.names;
  };

  #ask(fleet: NatsFleet): Promise<void> {
    const seen = this.#seen.get(fleet.url) ?? { names: [], atMs: 0 };
    this.#seen.set(fleet.url, seen);
    seen.asking ??= (async () => {
      seen.names = await hostsThere(fleet, this.#places);
      seen.atMs = performance.now();
      delete seen.asking;
    })();
    return seen.asking;
  }
}

/** Signs of life of hosts are as frequent. */
const SEEN_MS = 5000;
