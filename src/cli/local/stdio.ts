/** `t4a stdio`: the wire of the socket over standard input and output, for ssh and containers. */
import type { Duplex } from 'node:stream';
import { connect } from '../../client/client.js';
import { openSocket, unreachable } from '../../client/open-socket.js';
import { receivedError } from '../../client/received-error.js';
import type { Received } from '../../client/reply-reader.js';
import { firstReply } from '../../fleet/greeting.js';
import { T4aError } from '../../protocol/errors.js';
import { targetOf } from '../target.js';
import { carry, carryFar } from './carry.js';
import type { LocalCommand } from './local-command.js';

export const stdio: LocalCommand = async (invocation, host, bundles) => {
  const { daemon } = await targetOf(invocation, host, bundles);
  const { allow } = invocation.options as { allow?: string };
  const { route } = daemon;
  const stream = route === undefined ? await openLocal(daemon.socketPath) : (await route.open({})).stream;
  if (allow !== undefined) await restrict(stream, allow, route?.received);
  await (route?.received === undefined ? carry(stream) : carryFar(stream, route.received));
  return 0;
};

/** Starts the daemon if none runs. */
async function openLocal(given: string | undefined): Promise<Duplex> {
  const { socketPath, close } = await reach(given);
  const socket = await openSocket(socketPath);
  await close();
  if (socket === 'absent') throw unreachable(socketPath, 'it has just ended');
  return socket;
}

async function reach(socketPath: string | undefined): Promise<{ socketPath: string; close: () => Promise<void> }> {
  const client = await connect({ socketPath });
  return { socketPath: client.socketPath, close: () => client.close() };
}

/** Whoever is behind these pipes is no person, who alone may decide some things. */
async function restrict(stream: Duplex, allow: string, received: Received = (header) => header): Promise<void> {
  const answer = await firstReply(stream, { cmd: 'restrict', reach: allow, person: false });
  if ('garbage' in answer) throw new T4aError('connection_lost', 'The daemon closed the connection.');
  if (answer.reply['ok'] !== true) throw receivedError(received(answer.reply));
}
