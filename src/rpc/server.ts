/** Listens on the socket, owns the connections and the instance lock. What requests mean is for the handlers. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { Emitter } from '../base/emitter.js';
import type { Disposable } from '../base/lifetime.js';
import type { Log } from '../base/log.js';
import { asPlaceError, lockPath } from '../protocol/socket-path.js';
import { DEFAULT_CONFIG, type Config } from '../protocol/commands/config.js';
import { T4aError } from '../protocol/errors.js';
import { ReadTurns } from './read-turns.js';
import { RequestSchedule } from './request-schedule.js';
import { Connection, type ConnectionLimits, type ConnectionOptions } from './connection.js';
import { Held } from './held.js';
import { InstanceLock } from './instance-lock.js';
import { removeLeftovers } from './leftovers.js';
import type { Handlers } from './service.js';
import { SocketFile } from './socket-file.js';

export type RpcLimits = ConnectionLimits & Pick<Config, 'max_connections'>;

/** Counts of what its connections are at, together. */
export interface ConnectionCounts {
  readonly open: number;
  readonly refused: number;
  readonly requests: number;
  readonly in_flight: number;
  readonly waiting: number;
  readonly unread_bytes: number;
}

export interface RpcServerOptions {
  readonly handlers: Handlers;
  readonly log: Log;
  /** Admission of a server for several hosts. Default: a request for any host is refused. */
  readonly admit?: ConnectionOptions['admit'];
  /** Called for each new connection. Default: the default configuration. */
  readonly limits?: () => RpcLimits;
  /** Bound of what clients have sent, and of what they have not read: see {@link Held}. Default: 64 MiB. */
  readonly mostHeldBytes?: () => number;
  readonly onRequest?: ConnectionOptions['onRequest'];
  /** Called with the bytes that a connection has held that is cut off for them. */
  readonly onCutOff?: (bytes: number) => void;
  /** Called each second while another daemon has the socket. */
  readonly onUnreachable?: () => void;
  /** Milliseconds for which {@link RpcServer.close} lets requests under way finish and clients read. Default: 2000. */
  readonly closeGraceMs?: number;
}

/** Milliseconds for which a deleted socket stays away. A look costs some microseconds. */
const SOCKET_WATCH_MS = 1000;

const MOST_HELD_BYTES = 64 * 1024 * 1024;

const UNREACHABLE = `this one (pid ${process.pid}) cannot be reached until that one has ended`;

export class RpcServer {
  #server: Server;
  readonly #options: RpcServerOptions;
  readonly #schedule = new RequestSchedule();
  readonly #reads = new ReadTurns();
  readonly #held: Held;
  readonly #connections = new Map<Socket, Connection>();
  readonly #connectionCount = new Emitter<number>();
  #refused = 0;
  #requestsOfClosed = 0;
  #lock: InstanceLock | undefined;
  #socketFile: SocketFile | undefined;
  #socketPath: string | undefined;
  /** One look at a time: a second one would make a second socket. */
  #isLooking = false;
  #reported: string | undefined;
  #socketWatch: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;
  /** Connected since {@link hold}. */
  #newcomers: Socket[] | undefined;

  constructor(options: RpcServerOptions) {
    this.#options = options;
    this.#held = new Held(options.mostHeldBytes ?? (() => MOST_HELD_BYTES), options.onCutOff);
    this.#server = this.#makeServer();
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  /** Pid of the daemon before on this socket, if it died without giving up its lock. */
  get predecessorPid(): number | undefined {
    return this.#lock?.deadOwnerPid;
  }

  /** Nonce of the lock: no other daemon has it, and none that was started before or after. */
  get instance(): string | undefined {
    return this.#lock?.nonce;
  }

  counts(): ConnectionCounts {
    const open = [...this.#connections.values()];
    const sum = (of: (connection: Connection) => number): number => open.reduce((total, one) => total + of(one), 0);
    return {
      open: open.length,
      refused: this.#refused,
      requests: this.#requestsOfClosed + sum((connection) => connection.requests),
      in_flight: sum((connection) => connection.inFlight),
      waiting: sum((connection) => connection.waiting),
      unread_bytes: sum((connection) => connection.unreadBytes),
    };
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
      this.#lock = await InstanceLock.acquire(lockPath(path));
      if (this.#lock === undefined) return 'taken';
      removeLeftovers(path);
      this.#socketFile = await SocketFile.listen(this.#server, path);
    } catch (error) {
      this.#releaseLock();
      throw asPlaceError(path, error);
    }
    // The lock was free, and yet a process answers: a daemon whose lock file was removed by hand, or another program.
    if (this.#socketFile === undefined) {
      this.#releaseLock();
      return 'taken';
    }
    this.#watch(path);
    return 'listening';
  }

  #watch(path: string): void {
    this.#socketPath = path;
    this.#socketWatch = setInterval(() => void this.#keepReachable(path), SOCKET_WATCH_MS).unref();
  }

  /** Takes the place of the process that had this lock and the descriptor of its listening socket. */
  async adopt(fd: number, socketPath: string, nonce: string): Promise<void> {
    this.#lock = new InstanceLock(lockPath(socketPath), nonce);
    this.#socketFile = SocketFile.at(socketPath);
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ fd }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#watch(socketPath);
  }

  /** Descriptor of the listening socket; undefined where it has none. */
  get listenerFd(): number | undefined {
    const { _handle: handle } = this.#server as unknown as { readonly _handle?: { readonly fd?: number } | null };
    return handle?.fd;
  }

  /** No request begins and no connection is taken, until {@link release} or {@link handOver}. */
  hold(): void {
    this.#schedule.hold();
    this.#newcomers ??= [];
    for (const connection of this.#connections.values()) connection.hold(true);
  }

  release(): void {
    const newcomers = this.#newcomers ?? [];
    this.#newcomers = undefined;
    this.#schedule.release();
    for (const connection of this.#connections.values()) connection.hold(false);
    for (const socket of newcomers) this.#accept(socket);
  }

  /**
   * The process `pid` serves the socket from here on. Clients that have connected since {@link hold} are led to it. All others are told
   * by {@link leave}.
   */
  handOver(pid: number): void {
    this.#lock?.handTo(pid);
    clearInterval(this.#socketWatch);
    this.#lock = undefined;
    this.#socketFile = undefined;
    this.#closed = Promise.resolve();
    this.#server.close();
  }

  /** Ends all connections with that error. @returns once they are closed, and those that were led on have ended */
  async leave(reason: T4aError, graceMs: number): Promise<void> {
    const silent = [...this.#connections.values()].flatMap((connection) => connection.leave(reason, graceMs) ?? []);
    const led = [...(this.#newcomers ?? []), ...silent].map((socket) => leadOn(socket, this.#socketPath ?? ''));
    this.#newcomers = undefined;
    this.#schedule.release();
    await this.#unconnected();
    await Promise.all(led);
  }

  /**
   * Stops listening, removes the socket, then ends all connections: a client that sees its connection closed can start a new
   * daemon. Not to be awaited within a handler, whose own reply it waits for.
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #makeServer(): Server {
    // Half-open: a client may close its writing side and still wait for its reply.
    const server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
    server.once('listening', () => {
      server.on('error', (error) => this.#options.log.error('accepting connections failed', error));
    });
    return server;
  }

  /**
   * Without its socket a daemon cannot be found, and without its lock another one takes its place. The lock comes first: with it no
   * daemon can be starting here, and without it the path is another daemon's.
   */
  async #keepReachable(path: string): Promise<void> {
    // What has got the listening socket would not have another one.
    if (this.#closed !== undefined || this.#isLooking || this.#newcomers !== undefined) return;
    this.#isLooking = true;
    try {
      const kept = this.#lock?.keep();
      if (kept === undefined || kept === 'changing') return;
      if (typeof kept === 'object') {
        this.#report(`another daemon (${kept.holder}) has the socket ${path}: ${UNREACHABLE}`);
        this.#options.onUnreachable?.();
        return;
      }
      if (kept === 'restored') this.#report(`the lock of ${path} was gone: it is there again`);
      if (this.#socketFile?.isInPlace() !== false) return;
      await this.#restoreSocket(path);
    } catch (error) {
      this.#report(`the socket ${path} is gone, and there is no other: ${String(error)}`);
    } finally {
      this.#isLooking = false;
    }
  }

  async #restoreSocket(path: string): Promise<void> {
    const server = this.#makeServer();
    const file = await SocketFile.listen(server, path);
    if (file === undefined) {
      this.#report(`another process answers on ${path}: ${UNREACHABLE}`);
      return;
    }
    this.#server.close();
    this.#server = server;
    this.#socketFile = file;
    this.#report(`the socket ${path} was gone: it is there again`);
    if (this.#closed !== undefined) this.#stopListening();
  }

  /** The same words again are no news, each second. */
  #report(words: string): void {
    if (words === this.#reported && !words.endsWith('again')) return;
    this.#reported = words;
    this.#options.log.warn(words);
  }

  #stopListening(): void {
    this.#socketFile?.remove();
    this.#server.close();
  }

  async #close(): Promise<void> {
    clearInterval(this.#socketWatch);
    try {
      if (this.#socketPath !== undefined) removeLeftovers(this.#socketPath);
      this.#socketFile?.remove();
      this.#releaseLock();
    } catch (error) {
      this.#options.log.error('removing the socket or its lock failed', error);
    }
    this.#server.close();
    for (const connection of this.#connections.values()) connection.close(this.#options.closeGraceMs ?? 2000);
    await this.#unconnected();
  }

  #unconnected(): Promise<void> {
    return new Promise((resolve) => {
      this.#connectionCount.on((count) => count === 0 && resolve());
      if (this.connectionCount === 0) resolve();
    });
  }

  #accept(socket: Socket): void {
    if (this.#newcomers !== undefined) {
      this.#newcomers.push(socket);
      return;
    }
    const { handlers, log } = this.#options;
    const limits = this.#options.limits?.() ?? DEFAULT_CONFIG;
    const connection = new Connection(socket, {
      handlers,
      log,
      limits,
      admit: this.#options.admit,
      schedule: this.#schedule,
      reads: this.#reads,
      held: this.#held,
      onRequest: this.#options.onRequest,
    });
    const isOneTooMany = this.#connections.size >= limits.max_connections;
    this.#connections.set(socket, connection);
    log.debug(`a client connects: ${this.#connections.size} connections`);
    socket.once('close', () => {
      this.#connections.delete(socket);
      this.#requestsOfClosed += connection.requests;
      log.debug(`a client has gone: ${this.#connections.size} connections`);
      this.#connectionCount.emit(this.#connections.size);
    });
    this.#connectionCount.emit(this.#connections.size);
    if (!isOneTooMany) return;
    this.#refused++;
    connection.refuse(tooManyConnections(limits.max_connections));
  }

  #releaseLock(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }
}

/** @returns once both ways have ended */
function leadOn(socket: Socket, path: string): Promise<void> {
  const way = connect({ path, allowHalfOpen: true });
  socket.pipe(way);
  way.pipe(socket);
  return new Promise((resolve) => {
    for (const [one, other] of [
      [socket, way],
      [way, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => (other.destroyed ? resolve() : other.end()));
    }
  });
}

function tooManyConnections(most: number): T4aError {
  return new T4aError('too_many_connections', `${most} connections are open, which is the limit.`, {
    hint: 'Close some, or raise "max_connections" with "config".',
  });
}
