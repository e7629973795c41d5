/** Listens on the socket, owns the connections and the instance lock. What requests mean is for the handlers. */
import { createServer, type Server, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { Emitter } from '../base/emitter.js';
import type { Disposable } from '../base/lifetime.js';
import type { Log } from '../base/log.js';
import { asPlaceError } from '../protocol/socket-path.js';
import { Connection } from './connection.js';
import { InstanceLock } from './instance-lock.js';
import type { Handlers } from './service.js';
import { SocketFile } from './socket-file.js';

export interface RpcServerOptions {
  readonly handlers: Handlers;
  readonly log: Log;
  /** How long {@link RpcServer.close} lets requests under way finish and clients read. Default: 2000. */
  readonly closeGraceMs?: number;
}

export class RpcServer {
  readonly #server: Server;
  readonly #options: RpcServerOptions;
  readonly #connections = new Map<Socket, Connection>();
  readonly #connectionCount = new Emitter<number>();
  #lock: InstanceLock | undefined;
  #socketFile: SocketFile | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: RpcServerOptions) {
    this.#options = options;
    // Half-open: a client may close its writing side and still wait for its reply.
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  /** Called with the number of connections whenever it has changed. */
  onConnectionCount(listener: (count: number) => void): Disposable {
    return this.#connectionCount.on(listener);
  }

  /**
   * `taken`: another daemon serves this path; nothing was touched.
   * @throws T4aError `socket_path`, `socket_owner`
   */
  async listen(socketPath: string): Promise<'listening' | 'taken'> {
    const path = resolve(socketPath);
    try {
      SocketFile.checkPlace(path);
      this.#lock = await InstanceLock.acquire(`${path}.lock`);
      if (this.#lock === undefined) return 'taken';
      this.#socketFile = await SocketFile.listen(this.#server, path);
    } catch (error) {
      this.#releaseLock();
      throw asPlaceError(path, error);
    }
    // The lock was free, and yet somebody answers: a daemon whose lock file was removed by hand, or another program.
    if (this.#socketFile === undefined) {
      this.#releaseLock();
      return 'taken';
    }
    this.#server.on('error', (error) => this.#options.log.error('accepting connections failed', error));
    return 'listening';
  }

  /**
   * Stops listening, removes the socket, then ends all connections: whoever sees its connection closed can start a new
   * daemon. Not to be awaited within a handler, whose own reply it waits for.
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    try {
      this.#socketFile?.remove();
      this.#releaseLock();
    } catch (error) {
      this.#options.log.error('removing the socket or its lock failed', error);
    }
    this.#server.close();
    const unconnected = new Promise<void>((resolve) => {
      this.#connectionCount.on((count) => count === 0 && resolve());
      if (this.connectionCount === 0) resolve();
    });
    for (const connection of this.#connections.values()) connection.close(this.#options.closeGraceMs ?? 2000);
    await unconnected;
  }

  #accept(socket: Socket): void {
    this.#connections.set(socket, new Connection(socket, this.#options));
    socket.once('close', () => {
      this.#connections.delete(socket);
      this.#connectionCount.emit(this.#connections.size);
    });
    this.#connectionCount.emit(this.#connections.size);
  }

  #releaseLock(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }
}
