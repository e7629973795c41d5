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

export interface RevokedAll {
  readonly revoked: readonly Revoked[];
  /** Those that have not answered: their keys may still be valid. */
  readonly failure?: T4aError;
}

/** One that does not answer keeps no other from being heard. @throws T4aError `daemon_unreachable` if there is none */
export async function revokeAll(folder: string): Promise<RevokedAll> {
  const paths = socketsIn(folder);
  const answers = await Promise.all(paths.map((path) => revokeAt(path)));
  const revoked = answers.filter((answer) => typeof answer === 'object');
  const silent = paths.filter((_path, i) => answers[i] === 'silent');
  if (silent.length > 0) return { revoked, failure: notAnswered(silent) };
  if (revoked.length > 0) return { revoked };
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

/** @returns 'gone' if the server has ended without removing its socket */
async function revokeAt(path: string): Promise<Revoked | 'gone' | 'silent'> {
  let socket;
  try {
    socket = await openSocket(path);
  } catch {
    return 'silent';
  }
  if (socket === 'absent') {
    rmSync(path, { force: true });
    return 'gone';
  }
  socket.on('error', () => socket.destroy());
  socket.setTimeout(ANSWER_MS, () => socket.destroy());
  try {
    socket.write(WORD);
    return JSON.parse(await text(socket)) as Revoked;
  } catch {
    return 'silent';
  } finally {
    if (!socket.destroyed) {
      socket.destroy();
      await once(socket, 'close');
    }
  }
}

function notAnswered(paths: readonly string[]): T4aError {
  const names = paths.map((path) => JSON.stringify(path)).join(', ');
  return new T4aError(
    'daemon_unreachable',
    `The "t4a web" of ${names} has not answered: its keys may still be valid.`,
    {
      hint: 'End that process: its keys end with it',
    },
  );
}
