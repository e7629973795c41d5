/**
 * `shutdown` without the handshake: it ends the daemon on the socket even if that is of another version, which every other
 * command refuses. Without a daemon there is nothing to do.
 */
import { connect } from '../../client/client.js';
import { DaemonConnection } from '../../client/connection.js';
import { findDaemon } from '../../client/find-daemon.js';
import { stoppedError } from '../../client/stopped-daemon.js';
import type { Reply } from '../../protocol/registry.js';
import type { Invocation } from '../argv/invocation.js';
import type { Host } from '../host.js';
import { noteOrphans } from '../present/kill.js';
import { replyLine } from '../present/reply.js';
import { settingOf } from '../settings.js';
import { targetOf } from '../target.js';
import type { LocalCommand } from './local-command.js';

export const shutDown: LocalCommand = async (invocation, host, bundles) => {
  const { options } = invocation;
  const { daemon } = await targetOf(invocation, host, bundles);
  if (daemon.route !== undefined) {
    await using client = await connect({ route: daemon.route });
    return ended(await client.call('shutdown', {}), invocation, host);
  }
  const given = settingOf('socket', options['socket'], host).value as string | undefined;
  const { socketPath, socket } = await findDaemon(given);
  if (socket === 'absent') {
    host.note(`No daemon listens on ${JSON.stringify(socketPath)}.\n`);
    return ended({}, invocation, host);
  }
  const stopped = stoppedError(socketPath);
  if (stopped !== undefined) throw stopped;
  const connection = new DaemonConnection(socket, socketPath);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  const reply = await connection.call('shutdown', {});
  // The socket's file is gone when the daemon closes the connection: the next command then starts a new one.
  await closed;
  return ended(reply, invocation, host);
};

function ended(reply: Reply<'shutdown'>, { options }: Invocation, host: Host): number {
  if (options['json'] === true) host.out(replyLine({ reply }));
  else noteOrphans(reply, host);
  return 0;
}
