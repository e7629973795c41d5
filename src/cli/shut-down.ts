/**
 * `shutdown` without the handshake: whoever answers on the socket is to end, also a daemon of another version, which every
 * other command refuses. That nobody answers is what was wanted.
 */
import { DaemonConnection } from '../client/connection.js';
import { findDaemon } from '../client/find-daemon.js';
import { stoppedError } from '../client/stopped-daemon.js';
import { noteSurvivors } from './present/survivors.js';
import type { Surroundings } from './host.js';

export async function shutDown(given: string | undefined, surroundings: Surroundings): Promise<number> {
  const { socketPath, socket } = await findDaemon(given);
  if (socket === 'absent') {
    surroundings.note(`No daemon listens on ${JSON.stringify(socketPath)}.\n`);
    return 0;
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
  noteSurvivors(reply, surroundings);
  return 0;
}
