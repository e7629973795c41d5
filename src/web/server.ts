/** The server of the page: HTTP for its files, WebSockets for its requests. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { ReplyBudget } from '../client/reply-budget.js';
import { T4aError } from '../protocol/errors.js';
import { CLOSED } from '../page/greeting.js';
import type { Assets } from './assets.js';
import { Crowd } from './crowd.js';
import { Films } from './films.js';
import { answerHttp, hasOwnHost, hasOwnOrigin } from './http.js';
import { PageSocket, PING_MS, type PageSocketOptions, type PageSurroundings } from './page-socket.js';
import { boundHost, isAny, isLoopback, placesOf, type ListenAddress, type WebPlaces } from './places.js';
import { UploadPlaces } from './uploads.js';

export const MAX_MESSAGE_BYTES = 64 * 1024;
/** A page has one for each daemon, of which there are at most 16: so many are eight full pages. */
export const MAX_SOCKETS = 128;
/** Share of one key: no link to a terminal takes the room of another. */
const OF_ONE_LINK = 1 / 4;
/** Share of all links: the rest is for the owner's own pages. */
const OF_ALL_LINKS = 3 / 4;
/**
 * Most pages without a key so far. One more closes the oldest of them: at 3,000 newcomers a second each has 20 ms for its first
 * words.
 */
export const MAX_STRANGERS = 64;
/** Have named a valid key, and not proved yet that they have it: strangers do not close them. */
const MAX_KNOWN = 32;
/** Closed, and still waiting for the other side to agree. */
const MAX_LEAVING = 64;
const LEAVING_MS = 1000;
/** Connections that are no socket of a page (so far), also those with half a request, or with an answer that is not read. */
export const MAX_PLAIN = 128;
/** Patience with such a connection. */
const IDLE_MS = 30_000;

/** Replies of all hosts that are on their way, and those that browsers have not taken. */
const MAX_FAR_BYTES = 128 * 1024 * 1024;

/** Milliseconds for pages to hear that the server ends. */
const ENDING_MS = 300;

const PATH = '/socket';

/** Bound of one request, headers and all. */
const MAX_HEADER_BYTES = 16 * 1024;
const REQUEST_MS = 10_000;
/** Between looks for requests that take longer: by default Node looks every 30 s. */
const REQUEST_CHECK_MS = 1000;

/** Between looks for other daemons: each reads hosts.json and the folders of patterns, while there are pages. */
const ROSTER_MS = 2000;

/** Between looks for keys that are over. Each request looks, too. */
const KEYS_MS = 1000;

export class WebServer {
  readonly #http: Server;
  /** Sockets of this machine, without compression: it would cost time and save nothing. */
  readonly #near: WebSocketServer;
  readonly #far: WebSocketServer;
  readonly #pages = new Set<PageSocket>();
  readonly #plain = new Crowd<Duplex>(MAX_PLAIN, (socket) => socket.destroy());
  readonly #strangers = new Crowd<PageSocket>(MAX_STRANGERS, (page) => this.#sendAway(page));
  readonly #known = new Crowd<PageSocket>(MAX_KNOWN, (page) => this.#sendAway(page));
  readonly #leaving = new Crowd<WebSocket>(MAX_LEAVING, (socket) => socket.terminate());
  readonly #options: PageSocketOptions;
  readonly #mostSockets: number;
  readonly #surroundings: PageSurroundings;
  readonly #pings: NodeJS.Timeout;
  readonly #rosters: NodeJS.Timeout;
  readonly #keyLooks: NodeJS.Timeout;
  #places: WebPlaces = { hosts: new Set(), origins: new Set(), origin: '' };

  constructor(assets: Assets, options: PageSocketOptions, mostSockets = MAX_SOCKETS) {
    this.#options = options;
    this.#mostSockets = mostSockets;
    this.#surroundings = {
      farReplies: new ReplyBudget({
        mostBytes: MAX_FAR_BYTES,
        mostOfOne: MAX_FAR_BYTES / 4,
        alsoHeld: () => [...this.#pages].reduce((sum, page) => sum + page.unreadBytes, 0),
      }),
      uploads: new UploadPlaces(),
      films: new Films(options.program),
      onChange: (page) => this.#changed(page),
      onRemembered: (keyId) => {
        for (const page of this.#pages) if (page.keyId === keyId && page.isAdmitted) page.lastsWhileRemembered();
      },
    };
    this.#http = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        requestTimeout: REQUEST_MS,
        headersTimeout: REQUEST_MS,
        connectionsCheckingInterval: REQUEST_CHECK_MS,
      },
      (request, response) => answerHttp(request, response, this.#places, assets),
    );
    this.#http.setTimeout(IDLE_MS);
    this.#http.on('connection', (socket) => {
      this.#plain.add(socket);
      socket.once('close', () => this.#plain.delete(socket));
    });
    // One message, or ping, of a socket in a turn of the event loop: what one page sends in one piece costs the others no more than that.
    const inTurns = { allowSynchronousEvents: false };
    const shared = { noServer: true, maxPayload: MAX_MESSAGE_BYTES, closeTimeout: LEAVING_MS, ...inTurns };
    this.#near = new WebSocketServer(shared);
    const perMessageDeflate = { concurrencyLimit: 4, zlibDeflateOptions: { level: 3 } };
    this.#far = new WebSocketServer({ ...shared, perMessageDeflate });
    this.#http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    this.#http.on('clientError', (_error, socket) => socket.destroy());
    this.#pings = setInterval(() => this.#pages.forEach((page) => page.ping()), PING_MS).unref();
    this.#rosters = setInterval(() => this.#nameDaemons(), ROSTER_MS).unref();
    this.#keyLooks = setInterval(() => this.#pages.forEach((page) => page.checkKey()), KEYS_MS).unref();
  }

  /** @param origins of `--origin`, checked @throws T4aError `usage` if the address cannot be had */
  async listen(address: ListenAddress, origins: readonly string[]): Promise<WebPlaces> {
    await new Promise<void>((resolve, reject) => {
      const failed = (error: NodeJS.ErrnoException): void => reject(cannotListen(address, error));
      this.#http.once('error', failed);
      this.#http.listen(address.port, boundHost(address), () => {
        this.#http.off('error', failed);
        resolve();
      });
    });
    const { port } = this.#http.address() as AddressInfo;
    this.#places = placesOf({ host: address.host, port }, origins);
    if (isAny(address.host) && origins.length === 0) {
      throw new T4aError('usage', `"--listen ${address.host}" has no name by which pages find it.`, {
        hint: 'Name it: --origin http://192.168.1.5:7373, or listen on that address',
      });
    }
    return this.#places;
  }

  /** Every page needs a new link. @returns the number of keys, and of sockets that had one */
  revoke(): { readonly keys: number; readonly sockets: number } {
    const keys = this.#options.keys.revoke();
    const sockets = [...this.#pages].filter((page) => page.isAdmitted).length;
    this.#pages.forEach((page) => page.revoke());
    return { keys, sockets };
  }

  /** Connections that are no socket of a page, and sockets of pages. */
  get connections(): { readonly plain: number; readonly pages: number } {
    return { plain: this.#plain.size, pages: this.#pages.size };
  }

  async close(): Promise<void> {
    clearInterval(this.#pings);
    clearInterval(this.#rosters);
    clearInterval(this.#keyLooks);
    const closed = new Promise((resolve) => this.#http.close(resolve));
    this.#pages.forEach((page) => page.close('ended', 'This t4a web has ended.'));
    // Pages that do not agree by then are cut off.
    const cut = setTimeout(() => {
      for (const { clients } of [this.#near, this.#far]) clients.forEach((client) => client.terminate());
    }, ENDING_MS);
    this.#http.closeAllConnections();
    await closed;
    clearTimeout(cut);
  }

  #nameDaemons(): void {
    const welcome = [...this.#pages].filter((page) => page.isAdmitted);
    if (welcome.length === 0) return;
    const names = [...this.#options.daemons().keys()];
    welcome.forEach((page) => page.name(names));
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (!hasOwnHost(request, this.#places)) return refuse(socket, '421 Misdirected Request');
    if (!hasOwnOrigin(request, this.#places)) return refuse(socket, '403 Forbidden');
    if (request.url !== PATH) return refuse(socket, '404 Not Found');
    const { hostname } = new URL(`http://${request.headers.host}`);
    (isLoopback(hostname) ? this.#near : this.#far).handleUpgrade(request, socket, head, (webSocket) => {
      this.#plain.delete(socket);
      if (this.#isFull()) {
        webSocket.on('error', () => webSocket.terminate());
        webSocket.close(CLOSED.tooMany, this.#full());
        return this.#sees(webSocket);
      }
      const page = new PageSocket(webSocket, this.#options, this.#surroundings);
      this.#pages.add(page);
      webSocket.on('close', () => this.#gone(page));
      this.#strangers.add(page);
    });
  }

  /** Whether pages with a key take all places: strangers take none of them. */
  #isFull(): boolean {
    return [...this.#pages].filter((page) => page.isAdmitted).length >= this.#mostSockets;
  }

  /** Closes a page of a link beyond the shares of links. */
  #shareOf(page: PageSocket, admitted: readonly PageSocket[]): void {
    const guests = admitted.filter((one) => one.isGuest);
    const ofLink = guests.filter((one) => one.keyId === page.keyId).length;
    const [most, all] = [OF_ONE_LINK, OF_ALL_LINKS].map((share) => Math.max(1, Math.floor(share * this.#mostSockets)));
    if (most !== undefined && ofLink > most)
      page.close('tooMany', `This link has ${most} sockets, its most: close a page.`);
    else if (all !== undefined && guests.length > all) {
      page.close('tooMany', `Links have ${all} sockets of this t4a web, their most: close a page.`);
    }
  }

  #full(): string {
    return `This t4a web has ${this.#mostSockets} sockets, its most: close a page.`;
  }

  /** Notes that a page has named a key, or proved that it has it. */
  #changed(page: PageSocket): void {
    this.#strangers.delete(page);
    if (!page.isAdmitted) return this.#known.add(page);
    this.#known.delete(page);
    const admitted = [...this.#pages].filter((one) => one.isAdmitted);
    if (admitted.length > this.#mostSockets) page.close('tooMany', this.#full());
    else if (page.isGuest) this.#shareOf(page, admitted);
  }

  #gone(page: PageSocket): void {
    this.#pages.delete(page);
    this.#strangers.delete(page);
    this.#known.delete(page);
  }

  #sendAway(page: PageSocket): void {
    page.close('tooMany', BUSY);
    this.#sees(page.socket);
  }

  /** Until it is closed, or others leave, too. */
  #sees(socket: WebSocket): void {
    this.#leaving.add(socket);
    socket.on('close', () => this.#leaving.delete(socket));
  }
}

const BUSY = 'Too many pages are coming in at once. This one tries again.';

function refuse(socket: Duplex, status: string): void {
  // The other side may never close its half.
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

/** Another program has the port. */
export class PortTaken extends T4aError {
  constructor(address: ListenAddress) {
    super('usage', sentence(address, 'another program has that port'), { hint: HINT });
  }
}

const HINT = 'Leave --listen out for a free port of this machine';

function cannotListen(address: ListenAddress, { code, message }: NodeJS.ErrnoException): T4aError {
  if (code === 'EADDRINUSE') return new PortTaken(address);
  return new T4aError('usage', sentence(address, code ?? message), { hint: HINT });
}

function sentence({ host, port }: ListenAddress, why: string): string {
  return `Cannot listen on ${host}:${port}: ${why}.`;
}
