/** Patterns of names of hosts, such as "gpu-*": all of them for what reads, one of them for a new terminal. */
import { T4aError, quote } from '../protocol/errors.js';

/** No name of a host has a "*". One within a route, such as "unix:/run/*.sock", is none of these. */
export function isPattern(host: string | undefined): host is string {
  return host !== undefined && host.includes('*') && !host.includes(':');
}

/**
 * Whether a host is a pattern, or a URL that stands for hosts of a fleet: without the name of one, or with a pattern in its place.
 */
export function isPatternOrFleet(on: string | undefined): on is string {
  return isPattern(on) || (on !== undefined && FLEET.test(on));
}

const FLEET = /^(?:nats|tls):\/\/[^\s/?#]+\/[\w-]+(?:\/(?:[\w-]*\*[\w*-]*)?)?(?:\?\S*)?$/;

/** A "*" stands for any characters. @throws T4aError `host_unknown` if no name fits */
export function fitting(pattern: string, names: readonly string[]): string[] {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`));
  const fits = new RegExp(`^${parts.join('.*')}$`, 'u');
  const found = [...new Set(names)].filter((name) => fits.test(name));
  if (found.length > 0) return found;
  throw new T4aError('host_unknown', `No host fits ${quote(pattern)}.`, { hint: 't4a hosts', field: 'host' });
}

/** Refusal of a request that asks one host. */
export function needsOneHost(pattern: string): T4aError {
  return new T4aError('host_ambiguous', `One host is asked, and ${quote(pattern)} is a pattern of several.`, {
    hint: 'Name the host. Patterns are for list, events, create and run.',
    field: 'host',
  });
}
