/** Addresses of the server, and the names by which it is reached: hosts and origins that are admitted, and the link. Pure. */
import { T4aError } from '../protocol/errors.js';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export interface WebPlaces {
  /** Values of the header Host. */
  readonly hosts: ReadonlySet<string>;
  /** Values of the header Origin. */
  readonly origins: ReadonlySet<string>;
  /** Origin of the link that is printed. */
  readonly origin: string;
}

/** Addresses as a URL has them; every name below "localhost" is of this machine (RFC 6761). */
const LOOPBACK = /^(127(\.\d{1,3}){3}|([^.:]+\.)*localhost\.?|::1|::ffff:7f[\da-f]{2}:[\da-f]{1,4})$/i;

/** Names under which one that listens on an address of the same list is found, too. */
const ALIASES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** @param text such as "127.0.0.1:0", "[::1]:7373", ":7373" or "7373" @throws T4aError `usage` */
export function listenAddress(text: string): ListenAddress {
  const [, bracketed, plain = '', digits = ''] = /^(?:(?:\[([\da-f:.]+)\]|([^[\]:\s]*)):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  const host = hostOf(bracketed === undefined ? plain || '127.0.0.1' : `[${bracketed}]`);
  if (digits === '' || port > 65_535 || host === undefined) {
    throw new T4aError('usage', `"--listen" is ${JSON.stringify(text)}: expected an address and a port.`, {
      hint: 'For example --listen 127.0.0.1:7373; port 0 is any free one',
    });
  }
  return { host, port };
}

/** Host as browsers write it in Host and Origin: "127.1" is 127.0.0.1. Undefined for what they would refuse. */
function hostOf(text: string): string | undefined {
  try {
    const { host, hostname } = new URL(`http://${text}`);
    return host === hostname && host !== '' ? host.replace(/^\[|\]$/g, '') : undefined;
  } catch {
    return undefined;
  }
}

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.replace(/^\[|\]$/g, ''));
}

/** Host that the system is to resolve: it may not know names below "localhost". */
export function boundHost({ host }: ListenAddress): string {
  return /localhost\.?$/i.test(host) && isLoopback(host) ? 'localhost' : host;
}

/**
 * @returns it, with the path below which a proxy serves the page, if there is one, and without a slash at the end
 * @throws T4aError `usage` for what is no origin, or one whose traffic others could read
 */
export function checkedOrigin(text: string, allowsPlainHttp: boolean): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw notAnOrigin(text);
  }
  if (!['http:', 'https:'].includes(url.protocol) || url.search + url.hash !== '') throw notAnOrigin(text);
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowsPlainHttp) throw plainHttp(`"--origin ${text}"`);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** @throws T4aError `usage` */
export function checkListen({ host }: ListenAddress, allowsPlainHttp: boolean): void {
  if (!isLoopback(host) && !allowsPlainHttp) throw plainHttp(`"--listen ${host}"`);
}

/** @param given of `--origin`, checked */
export function placesOf({ host, port }: ListenAddress, given: readonly string[]): WebPlaces {
  const shown = host.includes(':') ? `[${host}]` : host;
  // Another program may listen on another address of this machine: its pages are none of ours.
  const own = ALIASES.includes(shown) ? ALIASES : isAny(host) ? [] : [shown];
  const urls = own.map((name) => new URL(`http://${name}:${port}`));
  return {
    // With port 80 browsers leave it out.
    hosts: new Set([...urls.flatMap((url) => [url.host, `${url.hostname}:${port}`]), ...given.map(hostOfOrigin)]),
    origins: new Set([...urls.map((url) => url.origin), ...given.map((each) => new URL(each).origin)]),
    origin: given[0] ?? new URL(`http://${shown}:${port}`).origin,
  };
}

function hostOfOrigin(origin: string): string {
  return new URL(origin).host;
}

/** All addresses: no name of its own. */
export function isAny(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function notAnOrigin(text: string): T4aError {
  return new T4aError('usage', `"--origin" is ${JSON.stringify(text)}: expected a scheme and a host.`, {
    hint: 'For example --origin https://laptop.example.ts.net, with the path if a proxy serves the page below one',
  });
}

function plainHttp(what: string): T4aError {
  return new T4aError('usage', `${what} is plain HTTP beyond this machine: others could read and change it.`, {
    hint: 'Leave it out and use tailscale serve or ssh -L, or insist with --allow-plain-http',
  });
}
