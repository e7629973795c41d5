/** The daemon beside the agent: each far request is one of a connection that is lowered before it. */
import type { Duplex } from 'node:stream';
import { openSocket, unreachable } from '../client/open-socket.js';
import { receivedError } from '../client/received-error.js';
import { firstReply, pastReplacements } from '../fleet/greeting.js';
import { isT4aError, T4aError } from '../protocol/errors.js';
import type { Level } from './fleet-url.js';

/** @param turns of whom the connection is: all of that name take turns as one @throws T4aError `daemon_unreachable`, `connection_lost` */
export function loweredConnection(socketPath: string, level: Level, turns?: string): Promise<Duplex> {
  return pastReplacements(async () => {
    const socket = await openSocket(socketPath);
    if (socket === 'absent') throw unreachable(socketPath, 'it has ended');
    socket.on('error', () => {
      // Its end is reported by 'close'.
    });
    try {
      await lower(socket, level, turns);
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  });
}

/** An older daemon refuses a field that it does not know: there each connection has turns of its own. */
async function lower(socket: Duplex, level: Level, turns: string | undefined): Promise<void> {
  const lowering = { cmd: 'restrict', reach: level, person: false };
  try {
    await daemonAnswer(socket, turns === undefined ? lowering : { ...lowering, turns });
  } catch (error) {
    if (turns === undefined || !isT4aError(error) || error.code !== 'unknown_field') throw error;
    await lower(socket, level, undefined);
  }
}

/** @throws T4aError of the daemon, or `connection_lost` */
export async function daemonAnswer(socket: Duplex, request: object): Promise<Readonly<Record<string, unknown>>> {
  const answer = await firstReply(socket, request);
  if ('garbage' in answer) throw new T4aError('connection_lost', 'The daemon closed the connection.');
  if (answer.reply['ok'] !== true) throw receivedError(answer.reply);
  return answer.reply;
}
