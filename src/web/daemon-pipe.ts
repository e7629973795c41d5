/** A connection to a daemon that carries the requests of one page, lowered to what pages may do before the first of them. */
import type { Duplex } from 'node:stream';
import { openSocket } from '../client/open-socket.js';
import { hasFeature } from '../client/envelope.js';
import type { ReplyBudget } from '../client/reply-budget.js';
import { ReplyReader, type Header, type Received } from '../client/reply-reader.js';
import type { Reach } from '../protocol/reach.js';
import { T4aError } from '../protocol/errors.js';
import { PROTOCOL_VERSION } from '../protocol/limits.js';
import type { RightFile } from '../protocol/vocabulary.js';
import type { Way } from './daemons.js';
import { randomText } from './secrets.js';

export interface PipeSink {
  reply(header: Header, bytes: Uint8Array | undefined): void;
  /** @param reason a sentence */
  closed(reason: string): void;
}

/** A daemon that does not answer by then is as if there were none. */
const OPEN_MS = 5000;

/** Milliseconds for the route to a host: a command of it may ask another machine first. */
const ROUTE_MS = 15_000;

const PING = 't4a-web-ping';
const RESTRICT = 't4a-web-restrict';
const TURNS = 't4a-web-turns';
/** Followed by a random text: a page may have sent requests by then. */
const WHILE = 't4a-web-while-';
const LIST = 't4a-web-list';

export interface PipeOptions {
  /** Room for the replies of a host; the daemon of this machine is trusted. */
  readonly budget: ReplyBudget;
  /** Name of pages whose requests take turns with others as one. */
  readonly turns?: string | undefined;
  /** Files that say whether the page may still ask: the daemon looks itself, also while this process stands still. */
  readonly rights?: readonly RightFile[];
}

export class DaemonPipe {
  readonly #socket: Duplex;
  #sink: PipeSink | undefined;
  readonly #name: string;
  /** Answers that the server itself waits for, by the number of their requests. */
  readonly #own = new Map<string, (header: Header) => void>();
  #knowsRights = false;
  #reason = 'The daemon has ended.';

  private constructor(name: string, socket: Duplex, budget?: ReplyBudget, received: Received = (header) => header) {
    this.#name = name;
    this.#socket = socket;
    const cut = (reason: string): void => {
      this.#reason = reason;
      socket.destroy();
    };
    const sink = {
      reply: (header: Header, bytes: Uint8Array | undefined, lineBytes: number): void => {
        const own = this.#own.size > 0 ? this.#own.get(String(header['req'])) : undefined;
        if (own !== undefined) own(header);
        else this.#sink?.reply(received(header, undefined, lineBytes), bytes);
      },
      garbage: (): void => cut('What answers is no daemon of t4a.'),
      noRoom: (): void => cut('The host has sent more than there is room for, and was cut off.'),
    };
    const reader = new ReplyReader(sink, budget);
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.on('error', () => {
      // 'close' follows.
    });
    socket.on('close', () => {
      reader.dispose();
      this.#sink?.closed(this.#reason);
    });
    socket.resume();
  }

  /**
   * @throws T4aError `daemon_unreachable`, `host_unreachable`, `version_mismatch`
   */
  static async open(way: Way, reach: Reach, { budget, turns, rights = [] }: PipeOptions): Promise<DaemonPipe> {
    const stream = await streamOf(way);
    const pipe =
      'route' in way
        ? new DaemonPipe(way.route.host, stream, budget, way.route.received)
        : new DaemonPipe(way.socketPath, stream);
    try {
      if (turns !== undefined) pipe.#shareTurns(turns);
      await pipe.#begin(reach);
      // Pages that only look type nothing.
      if (reach !== 'read' && rights.length > 0) await pipe.lastsWhile(rights);
      return pipe;
    } catch (error) {
      pipe.close();
      throw error;
    }
  }

  /**
   * Before {@link deliver}, once for a pipe.
   * @returns when the terminal was created; undefined if there is none of that name
   * @throws T4aError `daemon_unreachable`
   */
  async createdAt(id: string): Promise<number | undefined> {
    const listed = await this.#answer(LIST, { cmd: 'list', where: { id: [id] } });
    const [terminal] = (listed['terminals'] ?? []) as readonly { readonly id: string; readonly created_at: number }[];
    return terminal?.id === id ? terminal.created_at : undefined;
  }

  /** Sends replies to another sink from now on. */
  deliver(sink: PipeSink): void {
    this.#sink = sink;
    if (this.#socket.destroyed) sink.closed(this.#reason);
  }

  /** @returns false if the daemon reads too slowly: wait for {@link drained} */
  send(line: string): boolean {
    return this.#socket.write(`${line}\n`);
  }

  drained(callback: () => void): void {
    this.#socket.once('drain', callback);
  }

  /** While the page reads too slowly. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.destroy();
  }

  /**
   * The daemon carries out nothing more, and types no further key, once one of the files says otherwise. A daemon of another machine does not
   * have them, and refuses: requests to it end with this connection.
   */
  async lastsWhile(rights: readonly RightFile[]): Promise<void> {
    if (!this.#knowsRights) return;
    await this.#answer(`${WHILE}${randomText()}`, { cmd: 'restrict', reach: 'admin', as_long_as: rights }).catch(() => {
      // The daemon is gone: what is asked next says so.
    });
  }

  /** Before anything else. An older daemon refuses it, and pages have turns of their own there. */
  #shareTurns(turns: string): void {
    void this.#answer(TURNS, { cmd: 'restrict', reach: 'admin', turns }).catch(() => {
      // The daemon is gone: what is asked next says so.
    });
  }

  /** Security: nothing of a page is sent before the daemon has confirmed what it lowered. */
  async #begin(reach: Reach): Promise<void> {
    const ping = this.#answer(PING, { cmd: 'ping' });
    const lowering = this.#answer(RESTRICT, { cmd: 'restrict', reach });
    const [pong, lowered] = await Promise.all([ping, lowering]);
    const { protocol } = pong;
    this.#knowsRights = hasFeature(pong, 'as_long_as');
    if (protocol !== PROTOCOL_VERSION) throw otherVersion(this.#name);
    if (lowered['ok'] === true && reach === 'admin' && lowered['reach'] !== reach) throw tooLow(this.#name);
    if (lowered['ok'] !== true || lowered['reach'] !== reach) throw otherVersion(this.#name);
  }

  /** Answer to a request of the server itself. */
  #answer(req: string, fields: object): Promise<Header> {
    return new Promise<Header>((resolve, reject) => {
      const fail = (): void => {
        clearTimeout(late);
        reject(gone(this.#name));
      };
      const late = setTimeout(fail, OPEN_MS);
      this.#socket.once('close', fail);
      this.#own.set(req, (header) => {
        clearTimeout(late);
        this.#socket.off('close', fail);
        this.#own.delete(req);
        resolve(header);
      });
      this.send(JSON.stringify({ ...fields, req }));
    });
  }
}

async function streamOf(way: Way): Promise<Duplex> {
  if ('route' in way) return (await way.route.open({ signal: AbortSignal.timeout(ROUTE_MS) })).stream;
  const socket = await openSocket(way.socketPath);
  if (socket === 'absent') throw gone(way.socketPath);
  return socket;
}

/** @param name its socket, or its host */
function gone(name: string): T4aError {
  return new T4aError('daemon_unreachable', `No daemon listens on ${JSON.stringify(name)}.`);
}

/** A gateway, or a route, that lets nobody administer. */
function tooLow(name: string): T4aError {
  return new T4aError('not_allowed', `The way to ${JSON.stringify(name)} does not let rules be changed.`);
}

function otherVersion(name: string): T4aError {
  const message = `The daemon of ${JSON.stringify(name)} is of another version than this.`;
  return new T4aError('version_mismatch', message, { hint: 't4a shutdown' });
}
