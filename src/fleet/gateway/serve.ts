/** `t4a fleet`: one socket for the daemons of all hosts, until a signal or `shutdown`. It holds connections and no state. */
import { EventEmitter, once } from 'node:events';
import { Log } from '../../base/log.js';
import { VERSION } from '../../base/version.js';
import type { ConnectOptions } from '../../client/open-connection.js';
import { ReplyBudget } from '../../client/reply-budget.js';
import { callersHostsLately } from '../hosts.js';
import { T4aError } from '../../protocol/errors.js';
import { admit } from '../../rpc/dispatch.js';
import { RpcServer } from '../../rpc/server.js';
import { parseAddressedLine } from './addressed-line.js';
import { gatewayHandlers } from './handlers.js';
import { HostLinks } from './host-links.js';

export interface GatewayOptions {
  readonly socketPath: string;
  /** The daemon of this machine. */
  readonly local: ConnectOptions;
  readonly log: (line: string) => void;
  /** Called once requests are answered. */
  readonly onListening: () => void;
}

/** Replies of all hosts that are on their way, and those that clients have not read. */
const MOST_BYTES = 256 * 1024 * 1024;

/** @throws T4aError `socket_path`, `socket_owner`; `usage` if the list of hosts is wrong */
export async function serveGateway({ socketPath, local, log, onListening }: GatewayOptions): Promise<void> {
  const hosts = await callersHostsLately();
  const replyBudget = new ReplyBudget({
    mostBytes: MOST_BYTES,
    mostOfOne: MOST_BYTES / 4,
    alsoHeld: () => server.counts().unread_bytes,
  });
  const links = new HostLinks({
    hosts,
    local,
    replyBudget,
    ownPath: socketPath,
    instance: () => server.instance,
  });
  const ending = new EventEmitter();
  const stopped = once(ending, 'stop');
  const stop = (): void => void ending.emit('stop');
  const server: RpcServer = new RpcServer({
    handlers: gatewayHandlers({ links, version: VERSION, socketPath, instance: () => server.instance, stop }),
    log: new Log(log, 'warn'),
    admit: (line, client) => admit(parseAddressedLine(line), client),
  });
  if ((await server.listen(socketPath)) === 'taken') {
    throw new T4aError('socket_path', `Another process serves ${JSON.stringify(socketPath)}.`);
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stop);
  onListening();
  await stopped;
  await server.close();
  await links.close();
}
