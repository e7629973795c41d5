/** The route to a listed host, for a client. */
import type { Socket } from 'node:net';
import { grpcWords } from '../client/foreign-server.js';
import { openHeldSocket } from '../client/open-socket.js';
import type { Route, RoutedDaemon } from '../client/route.js';
import { versionMismatch, type Pong } from '../client/handshake.js';
import { T4aError, isT4aError, quote } from '../protocol/errors.js';
import { PROTOCOL_VERSION } from '../protocol/limits.js';
import { daemonBehind, otherNameOf, ownDaemonBehind } from './aliases.js';
import { commandStream } from './command-stream.js';
import { farReply } from './far-reply.js';
import { greet, pastReplacements } from './greeting.js';
import { type HeldSocket, holdSocket } from './held-socket.js';
import type { ListedRoute } from './host-list.js';
import { quoted } from './quoted.js';
import type { SocketCarrier } from './route-url.js';

/** @param also sockets of this machine to which it must not lead */
export function hostRoute({ name, url, carrier }: ListedRoute, also: readonly string[] = []): Route {
  return {
    host: name,
    url,
    received: (header, cmd, lineBytes) => farReply(name, header, cmd, lineBytes),
    async open({ signal }) {
      try {
        if (carrier.kind === 'command')
          return await pastReplacements(() => openCommand(name, carrier.argv, also, signal));
        const others = (): string[] => [...also, ...(carrier.others?.() ?? [])];
        return await pastReplacements(() => openPath(name, { ...carrier, others }, signal));
      } catch (error) {
        if (isTimeout(error)) throw hostUnreachable(name, 'it did not answer in time');
        throw error;
      }
    },
  };
}

async function openCommand(
  name: string,
  argv: readonly string[],
  also: readonly string[],
  signal: AbortSignal | undefined,
): Promise<RoutedDaemon> {
  const { stream, ended } = commandStream(argv, name);
  try {
    const greeting = await greet(stream, signal);
    if ('daemon' in greeting) {
      const own = ownDaemonBehind(greeting.daemon, also);
      if (own !== undefined) throw alias(name, argv.join(' '), own);
      return checked(name, greeting.daemon, stream);
    }
    if (greeting.garbage.trim() !== '') throw noDaemon(name, greeting.garbage);
    throw hostUnreachable(name, await ended);
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

/** Never starts a daemon: at the path of a container that has gone it would be one of this machine. */
async function openPath(
  name: string,
  { path, below, others = () => [] }: SocketCarrier,
  signal: AbortSignal | undefined,
): Promise<RoutedDaemon> {
  const socket = await connected(name, { path, below, others: others() }, signal);
  try {
    const greeting = await greet(socket, signal);
    if (!('daemon' in greeting)) throw noDaemon(name, greeting.garbage);
    // Security: nothing else is sent before it is known who answers.
    const behind = daemonBehind(greeting.daemon, path, others());
    if (behind !== undefined) throw alias(name, path, behind);
    return checked(name, greeting.daemon, socket);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

interface Place {
  readonly path: string;
  readonly below: string | undefined;
  readonly others: readonly string[];
}

/** To the very socket that was looked at. */
async function connected(name: string, { path, below, others }: Place, signal?: AbortSignal): Promise<Socket> {
  let held: HeldSocket | undefined;
  try {
    held = holdSocket(path, below);
    const other = held === undefined ? undefined : otherNameOf(held.stat, path, others);
    if (other !== undefined) throw alias(name, path, other);
    const socket = held === undefined ? 'absent' : await openHeldSocket(held.path, path, signal);
    if (socket === 'absent') {
      const reason = `no daemon listens on ${JSON.stringify(path)}`;
      // A path without a socket may be that of a folder that is not mounted now.
      throw held === undefined ? hostUnreachable(name, reason) : new NoDaemonThere(name, reason);
    }
    return socket;
  } catch (error) {
    const isOfPlace = isT4aError(error) && !error.code.startsWith('host_');
    throw isOfPlace ? hostUnreachable(name, error.message.replace(/\.$/, '')) : error;
  } finally {
    held?.dispose();
  }
}

function checked(name: string, daemon: Pong, stream: RoutedDaemon['stream']): RoutedDaemon {
  if (daemon.protocol === PROTOCOL_VERSION) return { stream, daemon };
  const { message } = versionMismatch(daemon);
  throw new T4aError('version_mismatch', `${name}: ${message}`, { hint: `Install the same t4a here and on ${name}.` });
}

function alias(name: string, route: string, other: string): T4aError {
  const message = `The route of ${quote(name)}, ${quote(route)}, leads to another daemon of this machine, ${quote(other)}.`;
  return new T4aError('host_alias', message, {
    hint: `Use the terminals of that one, or: t4a hosts rm ${name}`,
    field: 'host',
  });
}

function noDaemon(name: string, garbage: string): T4aError {
  const grpc = grpcWords(garbage);
  if (grpc !== undefined) return new NoDaemonThere(name, `its socket ${grpc}`);
  const says = garbage.trim() === '' ? 'it closed the connection' : `it says ${quoted(garbage)}`;
  return hostUnreachable(name, `no daemon of t4a answers: ${says}`);
}

export function hostUnreachable(name: string, reason: string): T4aError {
  return new T4aError(...unreachableError(name, reason));
}

/** Certain: a socket without a listener, or with one that is no daemon. The host has no terminals. */
export class NoDaemonThere extends T4aError {
  constructor(name: string, reason: string) {
    super(...unreachableError(name, reason));
  }
}

function unreachableError(name: string, reason: string): ConstructorParameters<typeof T4aError> {
  return [
    'host_unreachable',
    `The host ${quote(name)} cannot be reached: ${reason}.`,
    { hint: `t4a hosts resolve ${name}`, field: 'host' },
  ];
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
