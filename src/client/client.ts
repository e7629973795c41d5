/**
 * A program's client: calls to the daemon, over one connection at a time. A call under way fails with `connection_lost`
 * when the daemon goes, and is never repeated; the next call connects anew, starting a daemon if necessary, and {@link
 * Client.onReconnect} reports it: the former daemon's terminals are gone, unless it was replaced. Over a replacement calls go on; what
 * has acted is not repeated.
 */
import { Emitter, type EmitterListener } from '../base/emitter.js';
import type { Disposable } from '../base/lifetime.js';
import { isT4aError, type ResumeRequest, T4aError } from '../protocol/errors.js';
import type { CallArguments, CallName, CallOptions, CallResult, DaemonConnection } from './connection.js';
import { daemonLock } from './daemon-lock.js';
import { whileAway } from './deleted-socket.js';
import { isWithin, type Reach } from '../protocol/reach.js';
import { envelopeFor, hasFeature, randomName } from './envelope.js';
import { EventStream, type EventFilter } from './event-stream.js';
import { withVersions, type Pong } from './handshake.js';
import type { Envelope } from '../protocol/request.js';
import { openConnection, type ConnectOptions, type OpenConnection } from './open-connection.js';
import { defaultFleetEntry, namedSocketPath } from './paths.js';
import { overReplacements } from './resume.js';
import type { Route } from './route.js';

export interface Reconnection {
  readonly before: Pong;
  /** Another `instance` than before means another daemon, without any of the former terminals. */
  readonly now: Pong;
}

export class Client {
  readonly #options: ConnectOptions;
  readonly #reconnections = new Emitter<Reconnection>();
  #open: OpenConnection;
  #opening: Promise<DaemonConnection> | undefined;
  #closed = false;
  /** Clients of the same asker that may do less. */
  readonly #within = new Map<Reach, Promise<Client>>();

  constructor(open: OpenConnection, options: ConnectOptions) {
    // The signal was for the first connection; a later one has its call's.
    this.#options = { ...options, socketPath: namedSocketPath(options.socketPath), signal: undefined };
    this.#open = open;
    this.#follow();
  }

  /** Socket path of the daemon that answers, or answered last. */
  get socketPath(): string {
    return this.#open.connection.socketPath;
  }

  /** Whether this client has started the daemon. */
  get hasStartedDaemon(): boolean {
    return this.#open.hasStarted;
  }

  /** Name of the author of its requests. */
  get as(): string | undefined {
    return this.#options.as;
  }

  /** The daemon that answers, or answered last. */
  get daemon(): Pong {
    return this.#open.daemon;
  }

  /** Whether the daemon is that of another host, which gets neither directory nor environment of this process. */
  get isFar(): boolean {
    return this.#options.route !== undefined;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /**
   * @throws T4aError with the daemon's code, or `connection_lost`
   * @throws the signal's reason, if it is aborted first
   */
  call<Name extends CallName>(cmd: Name, ...args: CallArguments<Name>): Promise<CallResult<Name>> {
    return this.goOn(this.#send(cmd, args), cmd, args);
  }

  /** @param asked the result of such a call @returns the same, over replacements of the daemon @throws as {@link call} */
  async goOn<Name extends CallName>(
    asked: Promise<CallResult<Name>>,
    cmd: Name,
    args: CallArguments<Name>,
  ): Promise<CallResult<Name>> {
    const [params = {}, options] = args;
    try {
      return await overReplacements(asked, { ...params, cmd }, (request) => this.#sendAgain(request, options));
    } catch (error) {
      throw withVersions(error, this.daemon, this.isFar);
    }
  }

  #sendAgain({ cmd, ...params }: ResumeRequest, options: CallOptions | undefined): Promise<object> {
    return this.#send(cmd as CallName, [params, options] as unknown as CallArguments<CallName>);
  }

  #send<Name extends CallName>(cmd: Name, args: CallArguments<Name>): Promise<CallResult<Name>> {
    const { connection } = this.#open;
    const isReady = connection.isOpen && this.#opening === undefined;
    // Sent at once if connected: calls reach the daemon in their order.
    return isReady
      ? connection.call(cmd, ...args)
      : this.#connected(args[1]?.signal).then((next) => next.call(cmd, ...args));
  }

  /**
   * Subscribes on a connection of its own. Events after {@link EventStream.subscribed} are never missed silently. Those of one terminal
   * end after its `removed`, unless the stream `outlives` it.
   */
  events(filter: EventFilter = {}, options: CallOptions & { readonly outlives?: boolean } = {}): EventStream {
    const path = this.socketPath;
    const envelope = (): Envelope => envelopeFor(this.#options, daemonLock(path) ?? this.daemon);
    const { route } = this.#options;
    const open = route === undefined ? undefined : async () => (await route.open({ signal: options.signal })).stream;
    const { replyBudget } = this.#options;
    const more = { received: route?.received, outlives: options.outlives };
    return new EventStream(path, filter, options.signal, envelope, open, replyBudget, more);
  }

  /** @returns disposing it removes the listener */
  onReconnect(listener: EmitterListener<Reconnection>): Disposable {
    return this.#reconnections.on(listener);
  }

  /**
   * This client, or one on a connection of its own for the same asker, of which the daemon refuses what is above that reach and
   * what a person alone may decide. It closes with this one.
   */
  within(reach: Reach): Promise<Client> {
    const { reach: own } = this.#options;
    if ((own !== undefined && isWithin(own, reach)) || !hasFeature(this.daemon, 'restrict'))
      return Promise.resolve(this);
    if (this.#closed) throw new T4aError('connection_lost', 'The client was closed.');
    const known = this.#within.get(reach);
    if (known !== undefined) return known;
    const options = { ...this.#options, reach };
    const opening = openConnection(options).then((open) => {
      const client = new Client(open, options);
      client.onReconnect((reconnection) => this.#reconnections.emit(reconnection));
      return client;
    });
    this.#within.set(reach, opening);
    // The next call tries again.
    opening.catch(() => this.#within.delete(reach));
    return opening;
  }

  /** Connects if not connected, and returns the daemon's `pong`. */
  async reach(options: CallOptions = {}): Promise<Pong> {
    await this.#connected(options.signal);
    return this.daemon;
  }

  /** Calls under way fail with `connection_lost`, and so does every later one. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#reconnections.clear();
    await this.#opening?.catch(() => {
      // The caller that asked for it has had the error.
    });
    const within = await Promise.allSettled(this.#within.values());
    for (const one of within) if (one.status === 'fulfilled') await one.value.close();
    await this.#open.connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #connected(signal: AbortSignal | undefined): Promise<DaemonConnection> {
    if (this.#open.connection.isOpen) return this.#open.connection;
    if (this.#closed) throw new T4aError('connection_lost', 'The client was closed.');
    signal?.throwIfAborted();
    // One attempt for all waiting calls; none of their signals ends it for the others.
    this.#opening ??= this.#reconnect().finally(() => {
      this.#opening = undefined;
    });
    return signal === undefined ? this.#opening : orAborted(this.#opening, signal);
  }

  /** Ends what is tied to the connection, unless the daemon that has taken over hears of its client in time. */
  #follow(): void {
    this.#open.connection.onTiedReplaced = () => {
      const back = this.#connected(undefined).then((connection) => {
        connection.tie();
        return connection.call('ping');
      });
      back.catch(() => {});
    };
  }

  async #reconnect(): Promise<DaemonConnection> {
    const before = this.daemon;
    const open = (): Promise<OpenConnection> => openConnection(this.#options);
    this.#open = await (this.#open.connection.wasReplaced ? whileAway(open) : open());
    this.#follow();
    this.#reconnections.emit({ before, now: this.daemon });
    return this.#open.connection;
  }
}

/** @throws T4aError `daemon_unreachable`, `daemon_stopped`, `socket_path`, `socket_owner`, `version_mismatch` */
export async function connect(given: ConnectOptions = {}): Promise<Client> {
  const options = withScope(given.on === undefined ? given : { ...given, route: await routeTo(given.on) });
  return new Client(await openConnection(options), options);
}

export interface Asked<Name extends CallName> {
  readonly client: Client;
  readonly result: Promise<CallResult<Name>>;
}

/**
 * Connects and sends the call in one round trip if possible. For calls that may be repeated: a daemon that is shutting
 * down may have executed it before another was started and asked.
 * @throws as {@link connect}
 */
export async function connectAndCall<Name extends CallName>(
  given: ConnectOptions,
  cmd: Name,
  ...args: CallArguments<Name>
): Promise<Asked<Name>> {
  const options = withScope(given);
  const open = await openConnection(options, (connection) => {
    const early = connection.call(cmd, ...args);
    // The result reports it, unless another daemon is asked.
    early.catch(() => {});
    return early;
  });
  const client = new Client(open, options);
  if (open.early === undefined) return { client, result: client.call(cmd, ...args) };
  const result = open.early.catch(async (error: unknown) => {
    if (open.isKept === true && (await isUndone(error, open, client))) return client.call(cmd, ...args);
    throw error;
  });
  return { client, result: client.goOn(result, cmd, args) };
}

/** Whether the daemon that was asked on a kept connection has gone with it, so that another may be asked. */
async function isUndone(error: unknown, { connection, daemon }: OpenConnection, client: Client): Promise<boolean> {
  if (!isT4aError(error) || connection.isOpen) return false;
  // By a limit that a new connection has no more.
  if (error.code === 'line_too_long') return true;
  return error.code === 'connection_lost' && (await client.reach()).instance !== daemon.instance;
}

/** The same for all connections of the client. */
function withScope(options: ConnectOptions): ConnectOptions {
  return { ...options, scope: options.scope ?? randomName() };
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** @throws T4aError `host_unknown`, `host_ambiguous`, `usage` */
export async function routeTo(on: string): Promise<Route> {
  const fleet = (await import(defaultFleetEntry())) as { readonly routeTo: (on: string) => Route };
  return fleet.routeTo(on);
}
