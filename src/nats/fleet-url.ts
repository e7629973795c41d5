/**
 * `nats://SERVER:PORT/FLEET` and `nats://SERVER:PORT/FLEET/HOST`, with what the connection needs in the query. Off this machine a
 * server is reached over TLS and with credentials, or not at all.
 */
import { nearestWords } from '../base/nearest.js';
import type { Reach } from '../protocol/reach.js';
import { T4aError, quote } from '../protocol/errors.js';
import { isToken } from './subjects.js';

export interface FleetUrl {
  /** `host:port`. */
  readonly server: string;
  readonly fleet: string;
  readonly host: string | undefined;
  /** Level of a client's requests. Default: the highest that the host offers. */
  readonly allow: Level | undefined;
  /** File of an nkey seed or of NATS credentials. */
  readonly creds: string | undefined;
  /** File of the certificates that sign the server's. */
  readonly ca: string | undefined;
  readonly tls: boolean;
  /** Labels that hosts must say of themselves. */
  readonly labels: Readonly<Record<string, string>>;
}

/** `admin` is missing: the daemon itself is changed by its own user. */
export const LEVELS = ['read', 'use', 'create'] as const satisfies readonly Reach[];

export type Level = (typeof LEVELS)[number];

export function isLevel(text: unknown): text is Level {
  return LEVELS.some((level) => level === text);
}

const DEFAULT_FLEET = 'main';
const DEFAULT_PORT = '4222';
const FIELDS: readonly string[] = ['allow', 'creds', 'ca', 'label'];
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** @throws T4aError `usage` */
export function parseFleetUrl(text: string): FleetUrl {
  const url = parsed(text);
  // Security: arguments of programs can be read by every user of the machine.
  if (url.username !== '' || url.password !== '') {
    throw new T4aError('usage', 'The URL of the NATS server has a name or a password in it, which others can read.', {
      hint: 'Put an nkey seed or NATS credentials into a file of mode 0600: nats://SERVER/FLEET?creds=/path/of/file',
    });
  }
  const unknown = [...url.searchParams.keys()].find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) {
    const closest = nearestWords(unknown, FIELDS)[0];
    throw wrong(
      text,
      `${quote(unknown)} is none of ${FIELDS.join(', ')}`,
      closest === undefined ? undefined : `Did you mean "${closest}"?`,
    );
  }
  const [fleet = DEFAULT_FLEET, host, ...more] = url.pathname.split('/').filter((part) => part !== '');
  if (more.length > 0 || !isToken(fleet) || (host !== undefined && !isToken(host))) {
    throw wrong(text, 'its path is no FLEET or FLEET/HOST; names have letters, digits, "_" and "-"');
  }
  const allow = url.searchParams.get('allow') ?? undefined;
  if (allow !== undefined && !isLevel(allow)) throw wrong(text, `${quote(allow)} is none of ${LEVELS.join(', ')}`);
  const isLoopback = LOOPBACK.test(url.hostname);
  const creds = url.searchParams.get('creds') ?? undefined;
  if (!isLoopback && creds === undefined) {
    throw new T4aError('usage', `${quote(url.host)} is not this machine: NATS is used there with credentials only.`, {
      hint: `Give the file of an nkey seed or of NATS credentials: nats://${url.host}/${fleet}?creds=/path/of/file. TLS is used in any case.`,
    });
  }
  return {
    server: `${url.hostname}:${url.port || DEFAULT_PORT}`,
    fleet,
    host,
    allow,
    creds,
    ca: url.searchParams.get('ca') ?? undefined,
    tls: !isLoopback || url.protocol === 'tls:',
    labels: labelsIn(text, url.searchParams.getAll('label')),
  };
}

function labelsIn(text: string, given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((label) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(label) ?? [];
      if (name !== undefined && value !== undefined) return [name, value];
      throw wrong(text, `${quote(label)} is no label`, 'label=NAME=VALUE, for each label that a host must have');
    }),
  );
}

/** A label that a host must have, and has not, as `name=value`. */
export function missingLabel(
  { labels: wanted }: Pick<FleetUrl, 'labels'>,
  { labels }: { readonly labels: Readonly<Record<string, string>> },
): string | undefined {
  const missing = Object.entries(wanted).find(
    ([name, value]) => !Object.hasOwn(labels, name) || labels[name] !== value,
  );
  return missing?.join('=');
}

function parsed(text: string): URL {
  if (!/^(?:nats|tls):\/\/[^/]/.test(text))
    throw wrong(text, 'it begins with neither "nats://SERVER" nor "tls://SERVER"');
  try {
    return new URL(text);
  } catch {
    throw wrong(text, 'it cannot be read as a URL');
  }
}

function wrong(text: string, why: string, hint = 'nats://127.0.0.1:4222/FLEET/HOST'): T4aError {
  return new T4aError('usage', `${quote(text)} is no URL of a fleet: ${why}.`, { hint });
}
