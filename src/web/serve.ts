/** `t4a web`: serves the page until a signal, and prints the links by which browsers get in. */
import { systemClock } from '../base/clock.js';
import { VERSION } from '../base/version.js';
import { openConnection, type ConnectOptions } from '../client/open-connection.js';
import type { HostList } from '../fleet/host-list.js';
import { callersHosts } from '../fleet/hosts.js';
import { Assets } from './assets.js';
import { daemonsOf, isPattern, type Way } from './daemons.js';
import { FloodWarnings } from './flood-warnings.js';
import { CODE_MS, Keys } from './keys.js';
import { checkedOrigin, checkListen, listenAddress, type ListenAddress, type Places } from './places.js';
import { qrLines } from './qr.js';
import { type Revoked, RevokeSocket } from './revoke-socket.js';
import { PortTaken, WebServer } from './server.js';

export interface WebOptions {
  /** Sockets of daemons, and patterns of them. Empty: the one that `daemon` finds, and the listed hosts. */
  readonly sockets: readonly string[];
  readonly daemon: ConnectOptions;
  /** Show `daemon`, which may be of another host, and no listed one beside it. */
  readonly isAlone: boolean;
  /** Undefined for the port that can be bookmarked, or the next that is free. */
  readonly listen: string | undefined;
  readonly origins: readonly string[];
  readonly isReadOnly: boolean;
  /** Pages may send raw bytes to programs. */
  readonly allowsRaw: boolean;
  readonly allowsRules: boolean;
  readonly allowsPlainHttp: boolean;
  /** Name of the person in front of the pages. */
  readonly person: string;
  /** Of the package. */
  readonly root: URL;
  readonly drawsCode: boolean;
  /** Where `t4a web --revoke` finds this server. @throws T4aError if another user has it */
  readonly folder: () => string;
  readonly out: (text: string) => void;
  readonly note: (text: string) => void;
  /** Calls back for each Enter of the person; undefined without a terminal. */
  readonly onEnter?: ((callback: () => void) => void) | undefined;
}

export { revokeAll } from './revoke.js';

/** Resolves once the server is closed. @throws T4aError */
export async function serveWeb(options: WebOptions): Promise<void> {
  const { isReadOnly, allowsRaw, allowsRules, allowsPlainHttp, person } = options;
  const address = listenAddress(options.listen ?? DEFAULT_LISTEN);
  checkListen(address, allowsPlainHttp);
  const origins = options.origins.map((origin) => checkedOrigin(origin, allowsPlainHttp));
  const shown = await shownDaemons(options);
  const keys = new Keys(systemClock);
  const warnings = new FloodWarnings(systemClock, person);
  const server = new WebServer(new Assets(options.root), {
    keys,
    daemons: shown,
    isReadOnly,
    allowsRaw,
    allowsRules,
    person,
    version: VERSION,
    onFlood: (way) => warnings.slowed(way),
  });
  const ended = endOfProcess();
  let revokes: RevokeSocket | undefined;
  try {
    const { origin } = await listening(server, address, origins, options);
    revokes = await openedForRevoking(options, () => ({ origin, ...server.revoke() }));
    const printLink = (): void => {
      const link = `${origin}/#${keys.newCode()}`;
      options.out(`${link}\n`);
      if (options.drawsCode) options.out(`\n${qrLines(link).join('\n')}\n\n`);
    };
    printLink();
    options.onEnter?.(printLink);
    const renewal = options.onEnter === undefined ? '' : ' Enter prints another.';
    options.note(`The link opens one browser, within ${CODE_MS / 1000} s.${renewal} Ctrl+C ends the page.\n`);
    await ended.reached;
  } finally {
    ended.dispose();
    revokes?.dispose();
    await server.close();
  }
}

const DEFAULT_LISTEN = '127.0.0.1:8080';
/** Ports after it that are tried; then any free one is taken. */
const NEXT_PORTS = 20;

/** Where it was told to listen; without that, on the next free port. @throws T4aError */
async function listening(
  server: WebServer,
  address: ListenAddress,
  origins: readonly string[],
  { listen, note }: WebOptions,
): Promise<Places> {
  if (listen !== undefined) return server.listen(address, origins);
  const { host, port: first } = address;
  for (const port of [...Array.from({ length: NEXT_PORTS }, (_, i) => first + i), 0]) {
    try {
      const places = await server.listen({ host, port }, origins);
      if (port !== first) note(`Port ${first} is another program's: this page has the next free one.\n`);
      return places;
    } catch (error) {
      if (!(error instanceof PortTaken)) throw error;
    }
  }
  throw new PortTaken(address);
}

/** Without it the page works all the same: Ctrl+C ends its keys. */
async function openedForRevoking(
  { folder, note }: WebOptions,
  revoke: () => Revoked,
): Promise<RevokeSocket | undefined> {
  try {
    return await RevokeSocket.open(folder(), revoke);
  } catch (error) {
    note(`t4a web --revoke cannot reach this page: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}

/** @throws T4aError if one that was named cannot be reached, or the list of hosts is wrong */
async function shownDaemons(options: WebOptions): Promise<() => ReadonlyMap<string, Way>> {
  const { route } = options.daemon;
  if (route !== undefined) {
    const { connection } = await openConnection({ route });
    await connection.close();
    return () => new Map([[route.host, { route }]]);
  }
  const hosts = options.sockets.length === 0 && !options.isAlone ? listedHosts() : () => undefined;
  const sockets = await startedSockets(options);
  return () => daemonsOf(sockets, hosts());
}

/** As they are now; as they were, once the file is wrong. @throws T4aError `usage` if it is wrong at the beginning */
function listedHosts(): () => HostList {
  let last = callersHosts();
  return () => {
    try {
      last = callersHosts();
    } catch {
      // `t4a hosts` reports it.
    }
    return last;
  };
}

/** Daemons that are named, and not running, are started, as by every other command. */
async function startedSockets({ sockets, daemon, isReadOnly }: WebOptions): Promise<readonly string[]> {
  const named = sockets.filter((path) => !isPattern(path));
  const asked = sockets.length === 0 ? [undefined] : named;
  const found: string[] = [];
  for (const socketPath of asked) {
    const { connection } = await openConnection({ ...daemon, socketPath, autoStart: !isReadOnly });
    found.push(connection.socketPath);
    await connection.close();
  }
  return [...found, ...sockets.filter(isPattern)];
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function endOfProcess(): { readonly reached: Promise<void>; readonly dispose: () => void } {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  return {
    reached: new Promise((resolve) => ended.signal.addEventListener('abort', () => resolve())),
    dispose: () => SIGNALS.forEach((signal) => process.off(signal, end)),
  };
}
