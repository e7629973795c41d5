/** A connection to a daemon that carries the requests of one page, lowered to what pages may do before the first of them. */
import type { Duplex } from 'node:stream';
import { openSocket } from '../client/open-socket.js';
import type { ReplyBudget } from '../client/reply-budget.js';
import { ReplyReader, type Header, type Received } from '../client/reply-reader.js';
import type { Reach } from '../protocol/command.js';
import { T4aError } from '../protocol/errors.js';
import { PROTOCOL_VERSION } from '../protocol/limits.js';
import type { Way } from './daemons.js';

export interface PipeSink {
  reply(header: Header, bytes: Uint8Array | undefined): void;
  /** @param reason a sentence */
  closed(reason: string): void;
}

/** A daemon that does not answer by then is as if there were none. */
const OPEN_MS = 5000;

/** Of the route to a host: a command of it may ask another machine first. */
const ROUTE_MS = 15_000;

const PING = 't4a-web-ping';
const RESTRICT = 't4a-web-restrict';

export class DaemonPipe {
  readonly #socket: Duplex;
  #sink: PipeSink | undefined;
  #early: ((header: Header) => void) | undefined;
  #reason = 'The daemon has ended.';

  private constructor(socket: Duplex, budget?: ReplyBudget, received: Received = (header) => header) {
    this.#socket = socket;
    const cut = (reason: string): void => {
      this.#reason = reason;
      socket.destroy();
    };
    const sink = {
      reply: (header: Header, bytes: Uint8Array | undefined, lineBytes: number): void =>
        this.#early === undefined
          ? this.#sink?.reply(received(header, undefined, lineBytes), bytes)
          : this.#early(header),
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
   * @param budget for the replies of a host; the daemon of this machine is trusted
   * @throws T4aError `daemon_unreachable`, `host_unreachable`, `version_mismatch`
   */
  static async open(way: Way, reach: Reach, budget: ReplyBudget): Promise<DaemonPipe> {
    const stream = await streamOf(way);
    const pipe = 'route' in way ? new DaemonPipe(stream, budget, way.route.received) : new DaemonPipe(stream);
    try {
      await pipe.#begin('route' in way ? way.route.host : way.socketPath, reach);
      return pipe;
    } catch (error) {
      pipe.close();
      throw error;
    }
  }

  /** From now on replies go there. */
  deliver(sink: PipeSink): void {
    this.#sink = sink;
    this.#early = undefined;
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

  /** Security: nothing of a page is sent before the daemon has confirmed what it lowered. */
  async #begin(name: string, reach: Reach): Promise<void> {
    const lowered = await new Promise<Header>((resolve, reject) => {
      const late = setTimeout(() => reject(gone(name)), OPEN_MS);
      this.#socket.once('close', () => {
        clearTimeout(late);
        reject(gone(name));
      });
      this.#early = (header) => {
        if (header['req'] === PING && header['protocol'] !== PROTOCOL_VERSION) reject(otherVersion(name));
        if (header['req'] !== RESTRICT) return;
        clearTimeout(late);
        resolve(header);
      };
      this.send(JSON.stringify({ cmd: 'ping', req: PING }));
      this.send(JSON.stringify({ cmd: 'restrict', req: RESTRICT, reach }));
    });
    if (lowered['ok'] === true && reach === 'admin' && lowered['reach'] !== reach) throw tooLow(name);
    if (lowered['ok'] !== true || lowered['reach'] !== reach) throw otherVersion(name);
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
