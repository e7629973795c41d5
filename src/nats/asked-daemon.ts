/** The daemon beside the agent: each far request is one of a connection that is lowered before it. */
import type { Duplex } from 'node:stream';
import { openSocket, unreachable } from '../client/open-socket.js';
import { receivedError } from '../client/received-error.js';
import { firstReply } from '../fleet/greeting.js';
import { T4aError } from '../protocol/errors.js';
import type { Level } from './fleet-url.js';

/** @throws T4aError `daemon_unreachable`, `connection_lost` */
export async function loweredConnection(socketPath: string, level: Level): Promise<Duplex> {
  const socket = await openSocket(socketPath);
  if (socket === 'absent') throw unreachable(socketPath, 'it has ended');
  socket.on('error', () => {
    // Its end is reported by 'close'.
  });
  try {
    await answerOf(socket, { cmd: 'restrict', reach: level, person: false });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** @throws T4aError of the daemon, or `connection_lost` */
export async function answerOf(socket: Duplex, request: object): Promise<Readonly<Record<string, unknown>>> {
  const answer = await firstReply(socket, request);
  if ('garbage' in answer) throw new T4aError('connection_lost', 'The daemon closed the connection.');
  if (answer.reply['ok'] !== true) throw receivedError(answer.reply);
  return answer.reply;
}
