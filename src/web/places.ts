/** Where the server listens, and the names by which it is reached: hosts and origins that are admitted, and the link. Pure. */
import { T4aError } from '../protocol/errors.js';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export interface Places {
  /** Values of the header Host. */
  readonly hosts: ReadonlySet<string>;
  /** Values of the header Origin. */
  readonly origins: ReadonlySet<string>;
  /** Of the link that is printed. */
  readonly origin: string;
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|::1)$/;

/** @param text such as "127.0.0.1:0", "[::1]:7373", ":7373" or "7373" @throws T4aError `usage` */
export function listenAddress(text: string): ListenAddress {
  const [, bracketed, plain, digits = ''] = /^(?:(?:\[([\da-f:.]+)\]|([^[\]:\s]*)):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535) {
    throw new T4aError('usage', `"--listen" is ${JSON.stringify(text)}: expected an address and a port.`, {
      hint: 'For example --listen 127.0.0.1:7373; port 0 is any free one',
    });
  }
  return { host: bracketed ?? (plain === undefined || plain === '' ? '127.0.0.1' : plain), port };
}

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.replace(/^\[|\]$/g, ''));
}

/** @throws T4aError `usage` for what is no origin, or one whose traffic others could read */
export function checkedOrigin(text: string, allowsPlainHttp: boolean): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw notAnOrigin(text);
  }
  if (
    !['http:', 'https:'].includes(url.protocol) ||
    !['', '/'].includes(url.pathname) ||
    url.search + url.hash !== ''
  ) {
    throw notAnOrigin(text);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowsPlainHttp) throw plainHttp(`"--origin ${text}"`);
  return url.origin;
}

/** @throws T4aError `usage` */
export function checkListen({ host }: ListenAddress, allowsPlainHttp: boolean): void {
  if (!isLoopback(host) && !allowsPlainHttp) throw plainHttp(`"--listen ${host}"`);
}

/** @param given of `--origin`, checked */
export function placesOf({ host, port }: ListenAddress, given: readonly string[]): Places {
  const shown = host.includes(':') ? `[${host}]` : host;
  const own = isLoopback(host) ? ['127.0.0.1', 'localhost', '[::1]'] : isAny(host) ? [] : [shown];
  const hosts = own.map((name) => `${name}:${port}`);
  const origins = [...hosts.map((name) => new URL(`http://${name}`).origin), ...given];
  return {
    hosts: new Set([...hosts, ...given.map((origin) => new URL(origin).host)]),
    origins: new Set(origins),
    origin: given[0] ?? `http://${shown}:${port}`,
  };
}

/** All addresses: no name of its own. */
export function isAny(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function notAnOrigin(text: string): T4aError {
  return new T4aError('usage', `"--origin" is ${JSON.stringify(text)}: expected a scheme and a host.`, {
    hint: 'For example --origin https://laptop.example.ts.net',
  });
}

function plainHttp(what: string): T4aError {
  return new T4aError('usage', `${what} is plain HTTP beyond this machine: others could read and change it.`, {
    hint: 'Leave it out and use tailscale serve or ssh -L, or insist with --allow-plain-http',
  });
}
