/** `t4a grpc`: vtr's API on a socket of its own, until a signal. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  loadPackageDefinition,
  type Metadata,
  Server,
  ServerCredentials,
  type ServiceClientConstructor,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { OwnSocket } from '../client/own-socket.js';
import type { ConnectOptions } from '../client/open-connection.js';
import { SessionDaemon } from './daemon.js';
import type { Request, SubscribeEvent } from './messages.js';
import { METHODS, type Method, type MethodContext, type MethodOptions } from './methods.js';
import { saidBy } from './said.js';
import { grpcError } from './status.js';
import { subscribe } from './subscribe.js';

export interface GrpcOptions extends MethodOptions {
  readonly daemon: ConnectOptions;
  readonly socketPath: string;
  /** Called once requests are answered. */
  readonly onListening: () => void;
}

/** Each may have streams; more clients than these on one machine are a mistake. */
const MAX_CONNECTIONS = 256;

/** vtr's bound of input is 1 MB, which the daemon checks. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** @throws T4aError `socket_path`, `socket_owner`, or as `connect` */
export async function serveGrpc(options: GrpcOptions): Promise<void> {
  const daemon = await SessionDaemon.reach(options.daemon);
  const server = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE_BYTES });
  server.addService(vtrService(), implementation(daemon, options));
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const sockets = new Set<Socket>();
  // A socket of our own, since that of the library is open to all users at first.
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    injector.injectConnection(socket);
  });
  listener.maxConnections = MAX_CONNECTIONS;
  let file: OwnSocket | undefined;
  try {
    file = await OwnSocket.listen(listener, options.socketPath);
    options.onListening();
    await signalled();
  } finally {
    file?.remove();
    listener.close();
    injector.destroy();
    server.forceShutdown();
    for (const socket of sockets) socket.destroy();
    await daemon.close();
  }
}

/** The file is a part of the package. */
function vtrService(): ServiceClientConstructor['service'] {
  const path = fileURLToPath(new URL('../docs/vtr.proto', import.meta.url));
  const definition = loadSync(path, { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true });
  const { vtr } = loadPackageDefinition(definition) as unknown as { vtr: { VTR: ServiceClientConstructor } };
  return vtr.VTR.service;
}

function implementation(daemon: SessionDaemon, options: MethodOptions): UntypedServiceImplementation {
  const contextOf: ContextOf = (name, metadata, signal) => {
    const { as, ...force } = saidBy(metadata, name);
    return { daemon, ask: daemon.asker(as), force, options, signal };
  };
  const unary = Object.entries(METHODS).map(([name, method]) => [name, unaryOf(name, method, contextOf)] as const);
  return { ...Object.fromEntries(unary), Subscribe: streamOf('Subscribe', contextOf) };
}

/** @throws GrpcError */
type ContextOf = (name: string, metadata: Metadata, signal: AbortSignal) => MethodContext;

function unaryOf(name: string, method: Method, contextOf: ContextOf): handleUnaryCall<Request, object> {
  const answer = async (request: Request, metadata: Metadata, signal: AbortSignal): Promise<object> =>
    method(request, contextOf(name, metadata, signal));
  return (call, reply) => {
    const gone = new AbortController();
    call.once('cancelled', () => gone.abort());
    answer(call.request, call.metadata, gone.signal).then(
      (given) => reply(null, given),
      (error: unknown) => reply(grpcError(error), null),
    );
  };
}

function streamOf(name: string, contextOf: ContextOf): handleServerStreamingCall<Request, SubscribeEvent> {
  return (call) => {
    const gone = new AbortController();
    call.once('cancelled', () => gone.abort());
    const emit = async (event: SubscribeEvent): Promise<void> => {
      if (!call.write(event)) await once(call, 'drain', { signal: gone.signal });
    };
    const answer = async (): Promise<void> =>
      subscribe(call.request, contextOf(name, call.metadata, gone.signal), emit);
    answer().then(
      () => call.end(),
      (error: unknown) => {
        // Makes the status of the stream.
        if (!gone.signal.aborted) call.emit('error', grpcError(error));
      },
    );
  };
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
  });
}
