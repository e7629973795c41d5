/**
 * Connects; if no daemon listens, starts one and retries until `ping` is answered. Never removes files of the daemon:
 * every other problem is an error.
 */
import type { Reach } from '../protocol/reach.js';
import { T4aError } from '../protocol/errors.js';
import { PROTOCOL_VERSION } from '../protocol/limits.js';
import { DaemonConnection } from './connection.js';
import { daemonLock, servedProtocol } from './daemon-lock.js';
import { whileAway } from './deleted-socket.js';
import { Deadline } from './deadline.js';
import { envelopeFor, hasFeature, type Asker } from './envelope.js';
import { checkedPong, isReplaceable, versionMismatch, type Pong } from './handshake.js';
import { openSocket, unreachable } from './open-socket.js';
import type { KeptConnection, LentConnections } from './kept-connections.js';
import { ReplyBudget } from './reply-budget.js';
import { isAnother } from './resume.js';
import type { Route } from './route.js';
import { callersPlaces, defaultDaemonEntry, namedSocketPath } from './paths.js';
import { makeOwnDirectory, ownSockets, placeToStart } from './socket-places.js';
import { DaemonStart } from './start-daemon.js';
import { StartClaim } from './start-claim.js';
import { stoppedError } from './stopped-daemon.js';

export interface ConnectOptions extends Asker {
  /**
   * Default: `$T4A_SOCKET`, else `socket` in the configuration file, else `/tmp/t4a.sock`, or if another user has that,
   * a path of the caller's own.
   */
  readonly socketPath?: string | undefined;
  /** Another host, in place of a socket: its name in the list of `t4a hosts`, or a route such as `ssh://me@web1`. */
  readonly on?: string | undefined;
  /** The same, opened by the caller. */
  readonly route?: Route | undefined;
  /**
   * Most that requests may do, without what a person alone may decide; the daemon refuses the rest with `not_allowed`. A
   * daemon that does not announce `restrict` refuses nothing. Default: all.
   */
  readonly reach?: Reach | undefined;
  /** Start the daemon if none runs. Default: true. */
  readonly autoStart?: boolean | undefined;
  /** A daemon that this call starts exits after this time without terminals and clients. Default: never. */
  readonly idleTimeoutMs?: number | undefined;
  /** Longest wait for an answer of the daemon, its start included. Default: 15000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether a request is one that every version of the protocol has. */
  readonly anyProtocol?: boolean;
  /** The connection goes on over replacements of its daemon. */
  readonly isLasting?: boolean;
  /** Shared with other connections. Default: none; of a route, 64 MiB. */
  readonly replyBudget?: ReplyBudget | undefined;
  /** Connections for this caller, of a process that works for several. */
  readonly kept?: LentConnections | undefined;
  /** The daemon's program, if it is not beside this library. */
  readonly daemonEntry?: string | undefined;
}

export interface OpenConnection<Early = unknown> {
  readonly connection: DaemonConnection;
  /** Whether this call has started the daemon. */
  readonly hasStarted: boolean;
  /** The daemon's `pong`; of a kept connection the first. */
  readonly daemon: Pong;
  /** Whether others have used it before, and the daemon has not answered since. */
  readonly isKept?: true;
  /** The early call's result; undefined if the daemon had to be identified first. */
  readonly early?: Early | undefined;
}

/**
 * Sends a call on a connection whose daemon is not identified yet, but whose lock names this version of the protocol:
 * that saves a round trip. May be called again if that daemon was just shutting down.
 */
export type AskEarly<Early> = (connection: DaemonConnection) => Early;

const DEFAULT_TIMEOUT_MS = 15_000;

/**
 * Between attempts to find a starting daemon: an attempt costs 5 µs, or 50 µs while another client has the claim. So
 * those delays grow, and so does the delay after a second: what listens by then, and ends each connection, is no daemon.
 */
const FIRST_DELAY_MS = 3;
const LAST_DELAY_MS = 40;
const PROMPT_MS = 1000;

/**
 * Delay before the next start, doubled each time, after a daemon that made way for another which never answered,
 * because it was shutting down itself.
 */
const FIRST_RESTART_DELAY_MS = 200;

/** @throws T4aError `daemon_unreachable`, `daemon_stopped`, `socket_path`, `socket_owner`, `version_mismatch` */
export async function openConnection<Early = unknown>(
  options: ConnectOptions = {},
  askEarly?: AskEarly<Early>,
  places = callersPlaces(),
): Promise<OpenConnection<Early>> {
  const opened = await openOnce(options, askEarly, places);
  if (options.isLasting === true) opened.connection.renew = () => successorOf(opened, options);
  return opened;
}

/** @throws T4aError `connection_lost` if another daemon answers there */
async function successorOf({ connection, daemon }: OpenConnection, options: ConnectOptions): Promise<DaemonConnection> {
  const { socketPath } = connection;
  const there = { ...options, socketPath, autoStart: false, isLasting: false, signal: undefined };
  const next = await whileAway(() => openConnection(there));
  if (!isAnother(daemon, next.daemon)) return next.connection;
  void next.connection.close();
  throw new T4aError('connection_lost', 'The daemon has gone, and another one answers.', { hint: 't4a ping' });
}

async function openOnce<Early>(
  options: ConnectOptions,
  askEarly: AskEarly<Early> | undefined,
  places: ReturnType<typeof callersPlaces>,
): Promise<OpenConnection<Early>> {
  if (options.route !== undefined) return openRoute(options.route, options, askEarly);
  const named = namedSocketPath(options.socketPath);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const deadline = new Deadline(timeoutMs);
  let socketPath = named ?? places.shared;
  try {
    const attempt = (): Promise<OpenConnection<Early> | undefined> =>
      connectOnce(socketPath, options, deadline, askEarly);
    for (socketPath of named === undefined ? ownSockets(places) : [named]) {
      const kept = options.kept?.take(socketPath);
      const opened = (kept && (await askKept(kept, options, deadline, askEarly))) ?? (await attempt());
      if (opened !== undefined) return opened;
    }
    for (;;) {
      socketPath = named ?? placeToStart(places);
      try {
        if (named === undefined && options.autoStart !== false) makeOwnDirectory(socketPath, places);
        return await startAndConnect(socketPath, options, deadline, attempt);
      } catch (error) {
        // Another user may have taken a place that was free when it was chosen.
        const isLost = named === undefined && !deadline.passed && placeToStart(places) !== socketPath;
        if (!isLost) throw error;
      }
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    const isSilent = deadline.passed || (error instanceof T4aError && error.code === 'daemon_unreachable');
    const stopped = isSilent ? stoppedError(socketPath) : undefined;
    if (stopped !== undefined) throw stopped;
    if (!deadline.passed) throw error;
    throw unreachable(socketPath, `it did not answer within ${timeoutMs} ms`);
  } finally {
    deadline.dispose();
  }
}

/** Bound of a reply of another host. The daemon of this machine is trusted. */
const FAR_BYTES = 64 * 1024 * 1024;
const alsoHeld = (): number => 0;

/** The far daemon has answered already: nothing is started, replaced or asked twice. */
async function openRoute<Early>(
  route: Route,
  options: ConnectOptions,
  askEarly: AskEarly<Early> | undefined,
): Promise<OpenConnection<Early>> {
  const deadline = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
  const { stream, daemon } = await route.open({ signal });
  const budget = options.replyBudget ?? new ReplyBudget({ mostBytes: FAR_BYTES, mostOfOne: FAR_BYTES, alsoHeld });
  const connection = new DaemonConnection(stream, route.url, budget, route.received);
  await agree(connection, options, daemon);
  return { connection, hasStarted: false, daemon, early: askEarly?.(connection) };
}

/** Agrees on features: those that the daemon announces are used from now on, and those that the caller renounces are not. */
async function agree(connection: DaemonConnection, options: ConnectOptions, pong: Pong): Promise<void> {
  connection.envelope = envelopeFor(options, pong);
  connection.canCancel = hasFeature(pong, 'cancel');
  connection.canTrace = hasFeature(pong, 'traceparent');
  if (options.reach === undefined || !hasFeature(pong, 'restrict')) return;
  await connection.call('restrict', { reach: options.reach, person: false }, { signal: options.signal });
}

/** Undefined if the daemon has gone meanwhile, and was not asked anything. */
async function askKept<Early>(
  { connection, daemon }: KeptConnection,
  options: ConnectOptions,
  deadline: Deadline,
  askEarly: AskEarly<Early> | undefined,
): Promise<OpenConnection<Early> | undefined> {
  await agree(connection, options, daemon);
  const opened = { connection, hasStarted: false, daemon };
  if (askEarly !== undefined) return { ...opened, early: askEarly(connection), isKept: true };
  deadline.stop(() => void connection.close());
  try {
    await connection.call('ping', {}, { signal: options.signal });
    return opened;
  } catch (error) {
    if (deadline.passed || !isLeaving(error)) throw error;
    await connection.close();
    return undefined;
  } finally {
    deadline.stop(undefined);
  }
}

/** Undefined if no daemon listens, or it is shutting down. */
async function connectOnce<Early>(
  path: string,
  options: ConnectOptions,
  deadline: Deadline,
  askEarly: AskEarly<Early> | undefined,
): Promise<OpenConnection<Early> | undefined> {
  const { signal, kept } = options;
  const place = kept?.placeOf(path);
  const socket = await openSocket(path, signal);
  if (socket === 'absent') return undefined;
  // Before anything is sent: a stopped daemon would execute it when it is continued, after its client has given up.
  const lock = daemonLock(path);
  const stopped = stoppedError(path, lock);
  if (stopped !== undefined) {
    socket.destroy();
    throw stopped;
  }
  const connection = new DaemonConnection(socket, path, options.replyBudget);
  try {
    // Both requests go out in one piece, and what is not needed for them is done while the daemon answers.
    socket.cork();
    const asked = connection.call('ping', {}, { signal });
    connection.envelope = envelopeFor(options, lock);
    const early = servedProtocol(path, lock) === PROTOCOL_VERSION ? askEarly?.(connection) : undefined;
    socket.uncork();
    deadline.stop(() => void connection.close());
    const pong = checkedPong(await asked, path);
    if (pong.protocol === PROTOCOL_VERSION || options.anyProtocol === true) {
      await agree(connection, options, pong);
      if (place !== undefined) kept?.opened({ connection, stream: socket, daemon: pong, lock, place });
      return { connection, hasStarted: false, daemon: pong, early };
    }
    if (options.autoStart === false || !isReplaceable(pong)) throw versionMismatch(pong);
    await connection.call('shutdown', {}, { signal });
  } catch (error) {
    if (deadline.passed) throw error;
    if (!isLeaving(error)) {
      void connection.close();
      throw error;
    }
    // Another one serves the socket.
    if (isReplaced(error)) {
      deadline.stop(undefined);
      await connection.close();
      const again = (): ReturnType<typeof connectOnce<Early>> => connectOnce(path, options, deadline, askEarly);
      if (options.autoStart !== false) return again();
      return whileAway(async () => (await again()) ?? Promise.reject(nobodyListens(path)));
    }
  } finally {
    deadline.stop(undefined);
  }
  await connection.close();
  return undefined;
}

/** The daemon was asked nothing that it has done. */
function isLeaving(error: unknown): boolean {
  const isLost = error instanceof T4aError && ['connection_lost', 'shutting_down'].includes(error.code);
  return isLost || isReplaced(error);
}

function isReplaced(error: unknown): boolean {
  return error instanceof T4aError && error.code === 'replaced';
}

async function startAndConnect<Early>(
  path: string,
  options: ConnectOptions,
  deadline: Deadline,
  attempt: () => Promise<OpenConnection<Early> | undefined>,
): Promise<OpenConnection<Early>> {
  if (options.autoStart === false) throw nobodyListens(path);
  const program = {
    socketPath: path,
    entry: options.daemonEntry ?? defaultDaemonEntry(),
    idleTimeoutMs: options.idleTimeoutMs,
  };
  deadline.begin();
  let claim: StartClaim | undefined;
  let start: DaemonStart | undefined;
  let nextStartAt = 0;
  let restartDelayMs = FIRST_RESTART_DELAY_MS;
  const promptUntil = performance.now() + PROMPT_MS;
  try {
    for (let waitMs = FIRST_DELAY_MS; ; waitMs *= 1.5) {
      claim ??= StartClaim.take(path);
      // After the claim was taken: its former owner may have just finished.
      const opened = await attempt();
      if (opened !== undefined) return { ...opened, hasStarted: start?.state === 'running' };
      if (deadline.passed) throw unreachable(path, 'it does not listen yet');
      if (start?.state === 'failed') throw await start.failure();
      const mayStart = start === undefined || (start.state === 'left' && performance.now() >= nextStartAt);
      if (claim !== undefined && mayStart) {
        start = new DaemonStart(program);
        nextStartAt = performance.now() + restartDelayMs;
        restartDelayMs *= 2;
      }
      const isPrompt = claim !== undefined && performance.now() < promptUntil;
      const mostMs = isPrompt ? FIRST_DELAY_MS : LAST_DELAY_MS;
      // Loaded only here: most commands find a daemon at once.
      await process
        .getBuiltinModule('node:timers/promises')
        .setTimeout(
          Math.min(waitMs, mostMs),
          undefined,
          options.signal === undefined ? {} : { signal: options.signal },
        );
    }
  } finally {
    claim?.release();
    start?.release();
  }
}

function nobodyListens(path: string): T4aError {
  const message = `No daemon listens on ${JSON.stringify(path)}.`;
  return new T4aError('daemon_unreachable', message, { hint: 't4a daemon' });
}
