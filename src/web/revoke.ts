/** `t4a web --revoke`: asks every running `t4a web` of this user to end its keys. */
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openSocket } from '../client/open-socket.js';
import { T4aError } from '../protocol/errors.js';
import { WORD, type Revoked } from './revoke-socket.js';

/** One that is stopped answers never. */
const ANSWER_MS = 5000;

/** @throws T4aError `daemon_unreachable` if there is none, or one has not answered: its keys may still be valid */
export async function revokeAll(folder: string): Promise<readonly Revoked[]> {
  const answers = await Promise.all(socketsIn(folder).map((path) => revokeAt(path)));
  const revoked = answers.filter((answer) => answer !== undefined);
  if (revoked.length > 0) return revoked;
  throw new T4aError('daemon_unreachable', `No running "t4a web" has its socket in ${JSON.stringify(folder)}.`, {
    hint: 'Its keys ended with it. One with another $XDG_RUNTIME_DIR is not seen from here',
  });
}

function socketsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.sock'))
      .map((name) => join(folder, name));
  } catch {
    // No `t4a web` has run yet.
    return [];
  }
}

/** Undefined if the server has gone without removing its socket. */
async function revokeAt(path: string): Promise<Revoked | undefined> {
  const socket = await openSocket(path);
  if (socket === 'absent') {
    rmSync(path, { force: true });
    return undefined;
  }
  socket.on('error', () => socket.destroy());
  socket.setTimeout(ANSWER_MS, () => socket.destroy());
  try {
    socket.write(WORD);
    return JSON.parse(await text(socket)) as Revoked;
  } catch {
    throw new T4aError('daemon_unreachable', `The "t4a web" of ${JSON.stringify(path)} has not answered.`, {
      hint: 'End that process: its keys end with it',
    });
  } finally {
    if (!socket.destroyed) {
      socket.destroy();
      await once(socket, 'close');
    }
  }
}
