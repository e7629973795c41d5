/** The route to a listed host, for a client. */
import { closeSync, constants, existsSync, fstatSync, openSync } from 'node:fs';
import { errnoOf } from '../base/errno.js';
import { daemonLock } from '../client/daemon-lock.js';
import { openSocket } from '../client/open-socket.js';
import { isOurs } from '../client/ownership.js';
import { callersPlaces, namedSocketPath } from '../client/paths.js';
import type { Route, RoutedDaemon } from '../client/route.js';
import { ownSockets } from '../client/socket-places.js';
import { versionMismatch, type Pong } from '../client/handshake.js';
import { T4aError, isT4aError, quote } from '../protocol/errors.js';
import { PROTOCOL_VERSION } from '../protocol/limits.js';
import { asPlaceError, foreignSocket, notASocket } from '../protocol/socket-path.js';
import { commandStream } from './command-stream.js';
import { farReply } from './far-reply.js';
import { greet } from './greeting.js';
import type { ListedRoute } from './host-list.js';
import { quoted } from './quoted.js';

export function hostRoute({ name, url, carrier }: ListedRoute): Route {
  return {
    host: name,
    url,
    received: (header, cmd) => farReply(name, header, cmd),
    async open({ signal }) {
      try {
        if (carrier.kind === 'command') return await openCommand(name, carrier.argv, signal);
        return await openPath(name, carrier.path, signal);
      } catch (error) {
        if (isTimeout(error)) throw unreachable(name, 'it did not answer in time');
        throw error;
      }
    },
  };
}

async function openCommand(
  name: string,
  argv: readonly string[],
  signal: AbortSignal | undefined,
): Promise<RoutedDaemon> {
  const { stream, ended } = commandStream(argv, name);
  try {
    const greeting = await greet(stream, signal);
    if ('daemon' in greeting) return checked(name, greeting.daemon, stream);
    if (greeting.garbage.trim() !== '') throw noDaemon(name, greeting.garbage);
    throw unreachable(name, await ended);
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

/** Never starts a daemon: at the path of a container that has gone it would be one of this machine. */
async function openPath(name: string, path: string, signal: AbortSignal | undefined): Promise<RoutedDaemon> {
  let socket;
  try {
    using looked = lookedAt(path);
    socket = looked === undefined ? 'absent' : await openSocket(path, signal, looked.name);
  } catch (error) {
    if (!isT4aError(error)) throw error;
    throw unreachable(name, error.message.replace(/\.$/, ''));
  }
  if (socket === 'absent') throw unreachable(name, `no daemon listens on ${JSON.stringify(path)}`);
  try {
    const greeting = await greet(socket, signal);
    if (!('daemon' in greeting)) throw noDaemon(name, greeting.garbage);
    if (isOwn(greeting.daemon)) throw alias(name, path);
    return checked(name, greeting.daemon, socket);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Linux: with O_NOFOLLOW, a descriptor of the file itself, which is not opened. */
const O_PATH = 0o10000000;

/**
 * Security: a sandbox may put a link in the place of its socket after the look at it, so the connection is to the file that
 * was looked at. Without /proc it is to the path. @returns undefined if there is no file @throws T4aError `socket_path`, `socket_owner`
 */
function lookedAt(path: string): ({ readonly name: string } & Disposable) | undefined {
  if (process.platform !== 'linux') return { name: path, [Symbol.dispose]: () => {} };
  let file;
  try {
    file = openSync(path, O_PATH | constants.O_NOFOLLOW);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw asPlaceError(path, error);
  }
  const stat = fstatSync(file);
  if (!stat.isSocket() || !isOurs(path, stat)) {
    closeSync(file);
    throw stat.isSocket() ? foreignSocket(path, stat.uid) : notASocket(path, stat.isSymbolicLink());
  }
  const own = `/proc/self/fd/${file}`;
  return { name: existsSync(own) ? own : path, [Symbol.dispose]: () => closeSync(file) };
}

function checked(name: string, daemon: Pong, stream: RoutedDaemon['stream']): RoutedDaemon {
  if (daemon.protocol === PROTOCOL_VERSION) return { stream, daemon };
  const { message } = versionMismatch(daemon);
  throw new T4aError('version_mismatch', `${name}: ${message}`, { hint: `Install the same t4a here and on ${name}.` });
}

/** Security: a sandbox can put a link, or a socket, to a daemon of this machine in the place of its own. */
function isOwn({ instance }: Pong): boolean {
  if (instance === undefined) return false;
  const named = namedSocketPath();
  const sockets = [...(named === undefined ? [] : [named]), ...ownSockets(callersPlaces())];
  return sockets.some((path) => daemonLock(path)?.['nonce'] === instance);
}

function alias(name: string, path: string): T4aError {
  const message = `The route of ${quote(name)}, ${JSON.stringify(path)}, leads to a daemon of yours on this machine.`;
  return new T4aError('host_alias', message, {
    hint: `Use the terminals of "local", or: t4a hosts rm ${name}`,
    field: 'host',
  });
}

function noDaemon(name: string, garbage: string): T4aError {
  const says = garbage.trim() === '' ? 'it closed the connection' : `it says ${quoted(garbage)}`;
  return unreachable(name, `no daemon of t4a answers: ${says}`);
}

export function unreachable(name: string, reason: string): T4aError {
  return new T4aError('host_unreachable', `The host ${quote(name)} cannot be reached: ${reason}.`, {
    hint: `t4a hosts resolve ${name}`,
    field: 'host',
  });
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
