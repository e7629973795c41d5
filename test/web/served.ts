/** `t4a web` as a process of the test's, and sockets to it as a browser opens them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { connect, type Client } from '../../src/client/client.js';
import type { Admission, Challenge, KeyGrant, Welcome } from '../../src/page/greeting.js';
import { systemClock } from '../../src/base/clock.js';
import { Assets } from '../../src/web/assets.js';
import type { Way } from '../../src/web/daemons.js';
import { Keys } from '../../src/web/keys.js';
import { WebServer } from '../../src/web/server.js';
import { pageWords, serverWords } from '../../src/page/greeting.js';
import { hmac } from '../../src/page/sha256.js';
import { CLI, streamCli, type CliStream } from '../support/cli.js';
import { startDaemon, cacheHome } from '../support/daemon.js';
import { clientOfOwnDaemon } from '../support/launch.js';
import type { AtEnd } from '../support/of-file.js';
import { tempDir } from '../support/temp-dir.js';

export type Message = Record<string, unknown>;

export interface Served {
  readonly client: Client;
  readonly cli: CliStream;
  readonly origin: string;
  readonly code: string;
  readonly link: string;
}

export async function served(...flags: readonly string[]): Promise<Served> {
  const client = await clientOfOwnDaemon();
  return { client, ...(await servedFor(['--socket', client.socketPath, ...flags])) };
}

export async function servedFor(
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<Omit<Served, 'client'>> {
  const listen = flags.includes('--listen') ? [] : ['--listen', '127.0.0.1:0'];
  const cli = streamCli(['web', ...listen, ...flags], {
    env: { USER: 'ada', XDG_RUNTIME_DIR: tempDir(atEnd).path, ...env },
    atEnd,
  });
  const link = await cli.line();
  const { origin, hash } = new URL(link);
  return { cli, link, origin, code: hash.slice(1) };
}

/** Of this machine. Nothing listens there. */
export async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

/** Of a file of tests that leave the server as it was. Terminals end with each test. */
export interface SharedServer {
  readonly client: Client;
  readonly origin: string;
  readonly grant: KeyGrant;
  readonly code: string;
}

/** To be called once in a file. @returns the server of all its tests, started by the first */
export function servedForFile(): () => Promise<SharedServer> {
  let shared: Promise<SharedServer & { stop(): Promise<void> }> | undefined;
  afterAll(async () => (await shared)?.stop());
  return async () => {
    shared ??= startShared();
    const { client } = await shared;
    onTestFinished(async () => {
      const { terminals } = await client.call('list');
      for (const { id } of terminals) await client.call('kill', { id, force: true });
    });
    return shared;
  };
}

export async function startShared(): Promise<SharedServer & { stop(): Promise<void> }> {
  const daemon = await startDaemon();
  const client = await connect({ socketPath: daemon.socketPath, autoStart: false });
  const web = spawn(process.execPath, [CLI, '--socket', daemon.socketPath, 'web', '--listen', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      HOME: daemon.dir,
      XDG_RUNTIME_DIR: daemon.dir,
      XDG_CONFIG_HOME: '/nonexistent',
      XDG_CACHE_HOME: cacheHome,
      USER: 'ada',
    },
  });
  const [link] = (await once(createInterface({ input: web.stdout }), 'line')) as [string];
  const { origin, hash } = new URL(link);
  const code = hash.slice(1);
  return {
    client,
    origin,
    code,
    grant: await trade(origin, code),
    async stop() {
      const ended = once(web, 'exit');
      web.kill('SIGTERM');
      await ended;
      await client.close();
      await daemon.stop();
    },
  };
}

/** Under the clock of the test. @param shown its daemons, or the socket of the only one */
export async function serverInProcess(
  shown?: string | ReadonlyMap<string, Way>,
  mostSockets?: number,
  onFlood = (): void => {},
  keys = new Keys(systemClock),
): Promise<{ server: WebServer; origin: string; keys: Keys }> {
  const sockets = typeof shown === 'string' ? [['local', { socketPath: shown }] as const] : [];
  const daemons: ReadonlyMap<string, Way> = typeof shown === 'object' ? shown : new Map(sockets);
  const options = { keys, daemons: () => daemons, isReadOnly: true, person: 'ada', version: '0', onFlood };
  const server = new WebServer(new Assets(new URL('../../', import.meta.url)), options, mostSockets);
  const { origin } = await server.listen({ host: '127.0.0.1', port: 0 }, []);
  onTestFinished(() => server.close());
  return { server, origin, keys };
}

/** A WebSocket whose messages are read one by one. */
export class TestSocket {
  readonly socket: WebSocket;
  readonly #messages: Message[] = [];
  #wake: () => void = () => {};
  #closed: { readonly code: number; readonly reason: string } | undefined;

  constructor(
    origin: string,
    headers: { readonly origin?: string; readonly host?: string } = {},
    { answersPings = true }: { readonly answersPings?: boolean } = {},
  ) {
    this.socket = new WebSocket(`${origin.replace('http', 'ws')}/socket`, {
      autoPong: answersPings,
      headers: { ...(headers.host === undefined ? {} : { Host: headers.host }), Origin: headers.origin ?? origin },
    });
    this.socket.on('message', (data: Buffer, isBinary: boolean) => {
      // The bytes that a reply has announced: no test of a raw socket reads them.
      if (isBinary) return;
      this.#messages.push(JSON.parse(data.toString()) as Message);
      this.#wake();
    });
    this.socket.on('error', () => {
      // 'close' follows.
    });
    this.socket.on('close', (code, reason) => {
      this.#closed = { code, reason: reason.toString() };
      this.#wake();
    });
    onTestFinished(() => this.socket.terminate());
  }

  async say(message: object | string | Uint8Array): Promise<void> {
    if (this.socket.readyState === WebSocket.CONNECTING) await once(this.socket, 'open');
    const isRaw = typeof message === 'string' || message instanceof Uint8Array;
    this.socket.send(isRaw ? message : JSON.stringify(message));
  }

  /** The next message. */
  async next<Shape = Message>(): Promise<Shape> {
    for (;;) {
      const message = this.#messages.shift();
      if (message !== undefined) return message as Shape;
      if (this.#closed !== undefined) throw new Error(`closed with ${this.#closed.code} ${this.#closed.reason}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async closed(): Promise<{ readonly code: number; readonly reason: string }> {
    while (this.#closed === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#closed;
  }

  /** The answer to a request. */
  async ask(cmd: string, fields: object = {}): Promise<Message> {
    await this.say({ cmd, req: 'q', ...fields });
    for (;;) {
      const message = await this.next();
      if (message['req'] === 'q') return message;
    }
  }
}

export async function trade(origin: string, code: string): Promise<KeyGrant> {
  const socket = new TestSocket(origin);
  await socket.say({ code });
  return socket.next<KeyGrant>();
}

/** The proof of the server, as the page checks it, and the words that answer its own question. */
export async function challenged(socket: TestSocket, { key_id, key }: KeyGrant): Promise<Admission> {
  await socket.say({ key_id, nonce: 'n1' });
  const { proof, nonce } = await socket.next<Challenge>();
  if (proof !== hmac(key, serverWords('n1'))) throw new Error('the server has not proved that it has the key');
  return { proof: hmac(key, pageWords(nonce)) };
}

export async function enter(
  origin: string,
  grant: KeyGrant,
  daemon?: string,
  socket = new TestSocket(origin),
): Promise<[TestSocket, Welcome]> {
  const admission = await challenged(socket, grant);
  await socket.say({ ...admission, ...(daemon === undefined ? {} : { daemon }) });
  return [socket, await socket.next<Welcome>()];
}

/** @returns a socket that carries requests */
export async function admitted({ origin, grant }: Pick<SharedServer, 'origin' | 'grant'>): Promise<TestSocket> {
  const [socket] = await enter(origin, grant);
  return socket;
}

export interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export function get(
  origin: string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    request({ host: hostname.replaceAll(/[[\]]/g, ''), port, path, headers, method }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    })
      .on('error', reject)
      .end();
  });
}
