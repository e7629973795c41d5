/** The server of the page: HTTP for its files, WebSockets for its requests. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { T4aError } from '../protocol/errors.js';
import { CLOSED } from '../page/greeting.js';
import type { Assets } from './assets.js';
import { answerHttp, hasOwnHost, hasOwnOrigin } from './http.js';
import { PageSocket, PING_MS, type PageSocketOptions } from './page-socket.js';
import { isAny, isLoopback, placesOf, type ListenAddress, type Places } from './places.js';

export const MAX_MESSAGE_BYTES = 64 * 1024;
/** A page has one for each daemon, of which there are at most 16: so many are eight full pages. */
export const MAX_SOCKETS = 128;
/** Without a key so far. */
export const MAX_STRANGERS = 8;

const PATH = '/socket';

/** Of one request, headers and all. */
const MAX_HEADER_BYTES = 16 * 1024;
const REQUEST_MS = 10_000;

/** Between looks for other daemons: each reads hosts.json and the folders of patterns, while there are pages. */
const ROSTER_MS = 2000;

export class WebServer {
  readonly #http: Server;
  /** On this machine compression would cost time and save nothing. */
  readonly #near: WebSocketServer;
  readonly #far: WebSocketServer;
  readonly #pages = new Set<PageSocket>();
  readonly #options: PageSocketOptions;
  readonly #mostSockets: number;
  readonly #pings: NodeJS.Timeout;
  readonly #rosters: NodeJS.Timeout;
  #places: Places = { hosts: new Set(), origins: new Set(), origin: '' };

  constructor(assets: Assets, options: PageSocketOptions, mostSockets = MAX_SOCKETS) {
    this.#options = options;
    this.#mostSockets = mostSockets;
    this.#http = createServer(
      { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS },
      (request, response) => answerHttp(request, response, this.#places, assets),
    );
    const shared = { noServer: true, maxPayload: MAX_MESSAGE_BYTES };
    this.#near = new WebSocketServer(shared);
    const perMessageDeflate = { concurrencyLimit: 4, zlibDeflateOptions: { level: 3 } };
    this.#far = new WebSocketServer({ ...shared, perMessageDeflate });
    this.#http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    this.#http.on('clientError', (_error, socket) => socket.destroy());
    this.#pings = setInterval(() => this.#pages.forEach((page) => page.ping()), PING_MS).unref();
    this.#rosters = setInterval(() => this.#nameDaemons(), ROSTER_MS).unref();
  }

  /** @param origins of `--origin`, checked @throws T4aError `usage` if the address cannot be had */
  async listen(address: ListenAddress, origins: readonly string[]): Promise<Places> {
    await new Promise<void>((resolve, reject) => {
      this.#http.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(address, error)));
      this.#http.listen(address.port, address.host, resolve);
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

  async close(): Promise<void> {
    clearInterval(this.#pings);
    clearInterval(this.#rosters);
    for (const { clients } of [this.#near, this.#far]) clients.forEach((client) => client.terminate());
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
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
      const strangers = [...this.#pages].filter((page) => !page.isAdmitted).length;
      const isFull = this.#pages.size >= this.#mostSockets;
      if (isFull || strangers >= MAX_STRANGERS) {
        webSocket.on('error', () => webSocket.terminate());
        const why = isFull ? `This t4a web has ${this.#mostSockets} sockets, its most: close a page.` : BUSY;
        return webSocket.close(CLOSED.tooMany, why);
      }
      const page = new PageSocket(webSocket, this.#options);
      this.#pages.add(page);
      webSocket.on('close', () => this.#pages.delete(page));
    });
  }
}

const BUSY = 'Too many pages are coming in at once. This one tries again.';

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function cannotListen({ host, port }: ListenAddress, { code, message }: NodeJS.ErrnoException): T4aError {
  const why = code === 'EADDRINUSE' ? 'another program has that port' : (code ?? message);
  return new T4aError('usage', `Cannot listen on ${host}:${port}: ${why}.`, {
    hint: 'Leave --listen out for any free port of this machine',
  });
}
