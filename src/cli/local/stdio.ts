/** `t4a stdio`: the wire of the socket over standard input and output, for ssh and containers. */
import type { Duplex } from 'node:stream';
import { connect } from '../../client/client.js';
import { openSocket, unreachable } from '../../client/open-socket.js';
import { receivedError } from '../../client/received-error.js';
import { firstReply } from '../../fleet/greeting.js';
import { T4aError } from '../../protocol/errors.js';
import { targetOf } from '../target.js';
import type { LocalCommand } from './local-command.js';

export const stdio: LocalCommand = async (invocation, host, bundles) => {
  const { daemon } = await targetOf(invocation, host, bundles);
  const { allow } = invocation.options as { allow?: string };
  const stream = daemon.route === undefined ? await openLocal(daemon.socketPath) : (await daemon.route.open({})).stream;
  if (allow !== undefined) await restrict(stream, allow);
  await carry(stream);
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
async function restrict(stream: Duplex, allow: string): Promise<void> {
  const answer = await firstReply(stream, { cmd: 'restrict', reach: allow, person: false });
  if ('garbage' in answer) throw new T4aError('connection_lost', 'The daemon closed the connection.');
  if (answer.reply['ok'] !== true) throw receivedError(answer.reply);
}

/** Until the daemon closes, or nobody reads any more. After the end of input what was asked is still answered. */
function carry(stream: Duplex): Promise<void> {
  const { stdin, stdout } = process;
  return new Promise((resolve) => {
    const end = (): void => {
      stream.destroy();
      resolve();
    };
    stdout.on('error', end);
    stream.on('error', end);
    stream.once('end', () => stdout.write('', end));
    stream.once('close', end);
    stream.pipe(stdout, { end: false });
    stdin.pipe(stream);
  });
}
