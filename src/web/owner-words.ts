/** Requests of the owner to every running `t4a web` of this user: to end its keys, or for a link. */
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openSocket } from '../client/open-socket.js';
import { T4aError, type ErrorCode } from '../protocol/errors.js';
import { LINK, REVOKE, type LinkAnswer, type Revoked, type WantedLink } from './owner-socket.js';
import { markRevoked } from './revocation-mark.js';

/** One that is stopped answers never. */
const ANSWER_MS = 5000;

export interface RevokedAll {
  readonly revoked: readonly Revoked[];
  /** Sockets of those that have not answered, and end their keys before they do anything more. */
  readonly later: readonly string[];
  /** Servers that have not answered: their keys may still be valid. */
  readonly failure?: T4aError;
  /** There is no server. */
  readonly none?: T4aError;
}

/** One that does not answer keeps no other from being heard. */
export async function revokeAll(folder: string): Promise<RevokedAll> {
  // Order: what has a mark has ended, whatever becomes of the word, or of who says it.
  const marked = socketsIn(folder).filter((path) => markRevoked(path));
  const { answers: revoked, silent } = await askAll<Revoked>(folder, REVOKE);
  const later = silent.filter((path) => marked.includes(path));
  const unheard = silent.filter((path) => !marked.includes(path));
  if (unheard.length > 0) return { revoked, later, failure: notAnswered(unheard) };
  if (revoked.length + later.length > 0) return { revoked, later };
  return { revoked, later, none: noneRuns(folder, 'Its keys ended with it.') };
}

/** @returns a link of each that has what is wanted @throws T4aError if none has */
export async function linkAll(folder: string, wanted: WantedLink): Promise<readonly string[]> {
  const { answers, silent } = await askAll<LinkAnswer>(folder, `${LINK}${JSON.stringify(wanted)}\n`);
  const links = answers.flatMap((answer) => ('link' in answer ? [answer.link] : []));
  if (links.length > 0) return links;
  const [refusal] = answers.flatMap((answer) => ('error' in answer ? [answer] : []));
  if (refusal !== undefined) {
    const { code, error, hint } = refusal;
    throw new T4aError(code as ErrorCode, error, hint === undefined ? {} : { hint });
  }
  if (silent.length > 0) throw notLinked(silent);
  throw noneRuns(folder, 'Start it: t4a web.');
}

interface Asked<Answer> {
  readonly answers: readonly Answer[];
  /** Sockets of those that have said nothing. */
  readonly silent: readonly string[];
}

async function askAll<Answer extends object>(folder: string, word: string): Promise<Asked<Answer>> {
  const paths = socketsIn(folder);
  const said = await Promise.all(paths.map((path) => askAt<Answer>(path, word)));
  return {
    answers: said.filter((answer) => typeof answer === 'object'),
    silent: paths.filter((_path, i) => said[i] === 'silent'),
  };
}

function noneRuns(folder: string, what: string): T4aError {
  return new T4aError('daemon_unreachable', `No running "t4a web" has its socket in ${JSON.stringify(folder)}.`, {
    hint: `${what} One with another $XDG_RUNTIME_DIR is not seen from here`,
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
async function askAt<Answer>(path: string, word: string): Promise<Answer | 'gone' | 'silent'> {
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
    socket.write(word);
    return JSON.parse(await text(socket)) as Answer;
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

/** One that was started by an older version does not know the word. */
function notLinked(paths: readonly string[]): T4aError {
  const names = paths.map((path) => JSON.stringify(path)).join(', ');
  return new T4aError('daemon_unreachable', `The "t4a web" of ${names} has given no link.`, {
    hint: 'Start it anew if it is of an older version; Enter in its terminal prints a link, too',
  });
}
