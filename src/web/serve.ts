/** `t4a web`: serves the page until a signal, and prints the links by which browsers get in. */
import { fileURLToPath } from 'node:url';
import { systemClock } from '../base/clock.js';
import { VERSION } from '../base/version.js';
import { openConnection, type ConnectOptions } from '../client/open-connection.js';
import type { HostList } from '../fleet/host-list.js';
import { callersHosts } from '../fleet/hosts.js';
import { ReplyBudget } from '../client/reply-budget.js';
import { T4aError } from '../protocol/errors.js';
import { Assets } from './assets.js';
import { forgetBrowsers, readBrowsers, RememberedBrowsers } from './browsers.js';
import { daemonsOf, isDaemonPattern, type Way } from './daemons.js';
import { DaemonPipe } from './daemon-pipe.js';
import { FloodWarnings } from './flood-warnings.js';
import { CODE_MS, Keys } from './keys.js';
import { LOOK, WHOLE, type LinkScope, type OneTerminal } from './link-scope.js';
import { type Owner, OwnerSocket, type WantedLink } from './owner-socket.js';
import { checkedOrigin, checkListen, listenAddress, type ListenAddress, type WebPlaces } from './places.js';
import { qrLines } from './qr.js';
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
  /** Root of the package. */
  readonly root: URL;
  /** File with the browsers that are remembered; undefined: none is. */
  readonly browsers?: string | undefined;
  readonly drawsCode: boolean;
  /** Folder in which `t4a web --revoke` finds this server. @throws T4aError if another user has it */
  readonly folder: () => string;
  readonly out: (text: string) => void;
  readonly note: (text: string) => void;
  /** Calls back for each Enter of the person; undefined without a terminal. */
  readonly onEnter?: ((callback: () => void) => void) | undefined;
}

export { forgetBrowser, forgetBrowsers, readBrowsers, stillValid } from './browsers.js';
export { linkAll, revokeAll } from './owner-words.js';

/** Resolves once the server is closed. @throws T4aError */
export async function serveWeb(options: WebOptions): Promise<void> {
  const { isReadOnly, allowsRaw, allowsRules, allowsPlainHttp, person } = options;
  const address = listenAddress(options.listen ?? DEFAULT_LISTEN);
  checkListen(address, allowsPlainHttp);
  const origins = options.origins.map((origin) => checkedOrigin(origin, allowsPlainHttp));
  const keys = new Keys(systemClock, rememberedBrowsers(options, address));
  const shown = await shownDaemons(options);
  const warnings = new FloodWarnings(systemClock, person);
  const server = new WebServer(new Assets(options.root), {
    keys,
    daemons: shown,
    isReadOnly,
    allowsRaw,
    allowsRules,
    person,
    version: VERSION,
    program: fileURLToPath(new URL('dist/cli.cjs', options.root)),
    onFlood: (way) => warnings.slowed(way),
  });
  const ended = endOfProcess();
  let ownerSocket: OwnerSocket | undefined;
  try {
    const { origin } = await listening(server, address, origins, options);
    const ending = new Ending(server, options.browsers);
    ownerSocket = await openedForOwner(options, {
      revoke: () => {
        ownerSocket?.mark.isNew();
        return { origin, ...ending.said() };
      },
      link: async (wanted) => ({ link: `${origin}/#${keys.newCode(await scopeOf(wanted, shown()))}` }),
    });
    keys.lookBefore(
      () => {
        if (ownerSocket?.mark.isNew() === true) ending.endAll();
      },
      () => ownerSocket?.mark.right,
    );
    const printLink = (): void => options.out(linkText(`${origin}/#${keys.newCode()}`, options.drawsCode));
    printLink();
    options.onEnter?.(printLink);
    const renewal = options.onEnter === undefined ? '' : ' Enter prints another.';
    options.note(`The link opens one browser, within ${CODE_MS / 1000} s.${renewal} Ctrl+C ends the page.\n`);
    await ended.reached;
  } finally {
    ended.dispose();
    ownerSocket?.dispose();
    await server.close();
  }
}

const DEFAULT_LISTEN = '127.0.0.1:8080';
/** A list of one terminal, of a host. */
const MAX_LIST_BYTES = 1024 * 1024;
/** Ports after it that are tried; then any free one is taken. */
const NEXT_PORTS = 20;

/** All keys end by the owner's mark or word, whichever is seen first: what both have ended is said once. */
class Ending {
  readonly #server: WebServer;
  readonly #browsers: string | undefined;
  #unsaid = { keys: 0, sockets: 0, forgotten: 0 };

  constructor(server: WebServer, browsers: string | undefined) {
    this.#server = server;
    this.#browsers = browsers;
  }

  endAll(): void {
    const { keys, sockets } = this.#server.revoke();
    const { keys: before, sockets: closed, forgotten: gone } = this.#unsaid;
    const all = gone + forgotten(this.#browsers);
    this.#unsaid = { keys: before + keys, sockets: closed + sockets, forgotten: all };
  }

  /** Ends what is left. @returns how many of each have ended since it was said last */
  said(): { readonly keys: number; readonly sockets: number; readonly forgotten: number } {
    this.endAll();
    const said = this.#unsaid;
    this.#unsaid = { keys: 0, sockets: 0, forgotten: 0 };
    return said;
  }
}

/**
 * Security: who asked may have given up, and emptied the file: what was remembered between that and the word is in it again.
 * @returns how many there were
 */
function forgotten(browsers: string | undefined): number {
  if (browsers === undefined) return 0;
  try {
    return forgetBrowsers(browsers);
  } catch {
    // The command reports what is wrong with the file.
    return 0;
  }
}

/** @throws T4aError `usage` if the next page could be at another port, or the file is wrong */
function rememberedBrowsers({ browsers, listen }: WebOptions, address: ListenAddress): RememberedBrowsers | undefined {
  if (browsers === undefined) return undefined;
  if (listen === undefined || address.port === 0) {
    throw new T4aError('usage', '"--remember" is for a page that comes back at the same port.', {
      hint: 'For example: t4a web --remember --listen 127.0.0.1:7373',
    });
  }
  readBrowsers(browsers);
  return new RememberedBrowsers(browsers, `${address.host}:${address.port}`, systemClock);
}

/** Server that listens at the given place; without one, on the next free port. @throws T4aError */
async function listening(
  server: WebServer,
  address: ListenAddress,
  origins: readonly string[],
  { listen, note }: WebOptions,
): Promise<WebPlaces> {
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

/** Socket for the owner. If there is none, the page works all the same: Ctrl+C ends its keys. */
async function openedForOwner({ folder, note }: WebOptions, owner: Owner): Promise<OwnerSocket | undefined> {
  try {
    return await OwnerSocket.open(folder(), owner);
  } catch (error) {
    note(
      `t4a web --revoke and --link cannot reach this page: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return undefined;
  }
}

/** Link with its QR code, for a person. */
export function linkText(link: string, drawsCode: boolean): string {
  return drawsCode ? `${link}\n\n${qrLines(link).join('\n')}\n\n` : `${link}\n`;
}

/** @throws T4aError `terminal_not_found`, `usage` if several daemons have it */
async function scopeOf(
  { isReadOnly, terminal: id, daemon }: WantedLink,
  daemons: ReadonlyMap<string, Way>,
): Promise<LinkScope> {
  if (id === undefined) return isReadOnly ? LOOK : WHOLE;
  const asked = [...daemons].filter(([name]) => daemon === undefined || name === daemon);
  const found = (await Promise.all(asked.map(([name, way]) => terminalOf(name, way, id)))).filter(
    (terminal) => terminal !== undefined,
  );
  const [terminal, ...others] = found;
  if (terminal === undefined) {
    throw new T4aError('terminal_not_found', `No daemon of this page has a terminal ${JSON.stringify(id)}.`);
  }
  if (others.length > 0) {
    throw new T4aError('usage', `Several daemons of this page have a terminal ${JSON.stringify(id)}.`, {
      hint: `Name one: --on ${found.map((one) => one.daemon).join(', or --on ')}`,
    });
  }
  return { isReadOnly: true, terminal };
}

function listBudget(): ReplyBudget {
  return new ReplyBudget({ mostBytes: MAX_LIST_BYTES, mostOfOne: MAX_LIST_BYTES, alsoHeld: () => 0 });
}

/** Undefined if there is none, or the daemon does not answer. */
async function terminalOf(daemon: string, way: Way, id: string): Promise<OneTerminal | undefined> {
  try {
    const pipe = await DaemonPipe.open(way, 'read', { budget: listBudget() });
    try {
      const createdAt = await pipe.createdAt(id);
      return createdAt === undefined ? undefined : { daemon, id, createdAt };
    } finally {
      pipe.close();
    }
  } catch {
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

/**
 * Hosts of the file as they are now; as they were, once the file is wrong. @throws T4aError `usage` if it is wrong at the beginning
 */
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
  const named = sockets.filter((path) => !isDaemonPattern(path));
  const asked = sockets.length === 0 ? [undefined] : named;
  const found: string[] = [];
  for (const socketPath of asked) {
    const { connection } = await openConnection({ ...daemon, socketPath, autoStart: !isReadOnly });
    found.push(connection.socketPath);
    await connection.close();
  }
  return [...found, ...sockets.filter(isDaemonPattern)];
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
