/** A connection to a daemon that carries the requests of one page, lowered to what pages may do before the first of them. */
import type { Socket } from 'node:net';
import { openSocket } from '../client/open-socket.js';
import { ReplyReader, type Header } from '../client/reply-reader.js';
import { T4aError } from '../protocol/errors.js';
import { PROTOCOL_VERSION } from '../protocol/limits.js';

export interface PipeSink {
  reply(header: Header, bytes: Uint8Array | undefined): void;
  closed(): void;
}

/** A daemon that does not answer by then is as if there were none. */
const OPEN_MS = 5000;

const PING = 't4a-web-ping';
const RESTRICT = 't4a-web-restrict';

export class DaemonPipe {
  readonly #socket: Socket;
  #sink: PipeSink | undefined;
  #early: ((header: Header) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const reader = new ReplyReader({
      reply: (header, bytes) => (this.#early === undefined ? this.#sink?.reply(header, bytes) : this.#early(header)),
      garbage: () => socket.destroy(),
    });
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.on('error', () => {
      // 'close' follows.
    });
    socket.on('close', () => this.#sink?.closed());
  }

  /** @throws T4aError `daemon_unreachable`, `version_mismatch` */
  static async open(socketPath: string, isReadOnly: boolean): Promise<DaemonPipe> {
    const socket = await openSocket(socketPath);
    if (socket === 'absent') throw gone(socketPath);
    const pipe = new DaemonPipe(socket);
    try {
      await pipe.#begin(socketPath, isReadOnly);
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
    if (this.#socket.destroyed) sink.closed();
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
  async #begin(socketPath: string, isReadOnly: boolean): Promise<void> {
    const lowered = await new Promise<Header>((resolve, reject) => {
      const late = setTimeout(() => reject(gone(socketPath)), OPEN_MS);
      this.#socket.once('close', () => {
        clearTimeout(late);
        reject(gone(socketPath));
      });
      this.#early = (header) => {
        if (header['req'] === PING && header['protocol'] !== PROTOCOL_VERSION) reject(otherVersion(socketPath));
        if (header['req'] !== RESTRICT) return;
        clearTimeout(late);
        resolve(header);
      };
      this.send(JSON.stringify({ cmd: 'ping', req: PING }));
      this.send(JSON.stringify({ cmd: 'restrict', req: RESTRICT, reach: isReadOnly ? 'read' : 'create' }));
    });
    if (lowered['ok'] !== true || lowered['reach'] !== (isReadOnly ? 'read' : 'create')) throw otherVersion(socketPath);
  }
}

function gone(socketPath: string): T4aError {
  return new T4aError('daemon_unreachable', `No daemon listens on ${JSON.stringify(socketPath)}.`);
}

function otherVersion(socketPath: string): T4aError {
  const message = `The daemon of ${JSON.stringify(socketPath)} is of another version than this.`;
  return new T4aError('version_mismatch', message, { hint: 't4a shutdown' });
}
