/**
 * Default place of a user's daemon: /tmp/t4a.sock if that is free or the user's own, else a place of the user's own.
 * Inspects files and decides; connects to nothing. docs/protocol.md states the rule for clients in other languages.
 */
import { accessSync, constants, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '../base/errno.js';
import { isOthersToWrite, isOurs } from '../base/ownership.js';
import { T4aError } from '../protocol/errors.js';
import {
  asPlaceError,
  checkSocketPath,
  foreignSocket,
  lockPath,
  logPath,
  unusableSocketPath,
} from '../protocol/socket-path.js';
import { isSocketPresent } from './open-socket.js';
import { StartClaim } from './start-claim.js';

export interface SocketPlaces {
  /** The one path that all users of the machine share. */
  readonly shared: string;
  /** In a directory of the user's, beside the shared one. Created on demand. */
  readonly own: string;
  /**
   * In directories that the system creates for the user. They come last: a daemon outlives the login session that
   * removes such a directory, and cron has none.
   */
  readonly runtime: readonly string[];
}

export interface PlacesOptions {
  readonly uid: number;
  /** `$XDG_RUNTIME_DIR`; sudo passes on that of another user. */
  readonly runtimeDirectory: string | undefined;
  readonly tmp: string;
  readonly run: string;
}

const NAME = 't4a.sock';

export function socketPlaces({ uid, runtimeDirectory, tmp, run }: PlacesOptions): SocketPlaces {
  // https://specifications.freedesktop.org/basedir-spec/latest/: a path that is not absolute must be ignored.
  const given = runtimeDirectory?.startsWith('/') === true ? [join(runtimeDirectory, NAME)] : [];
  return {
    shared: join(tmp, NAME),
    own: join(tmp, `t4a-${uid}`, NAME),
    runtime: [...new Set([join(run, String(uid), NAME), ...given])],
  };
}

/**
 * Sockets of this user in the order of the search for a daemon. One at a place of the user's own goes first: it was
 * created since the shared one was taken, and has terminals by the time that the shared one is free again.
 */
export function ownSockets({ shared, own, runtime }: SocketPlaces): string[] {
  const inOwnDirectory = [own, ...runtime].filter((path) => isOwn(dirname(path), isSafeDirectory));
  return [...inOwnDirectory, shared].filter((path) => isOwn(path, (stat) => stat.isSocket()));
}

/**
 * Place for a new daemon. Follows other clients that start one at the same time, since a free place may be taken
 * meanwhile.
 * @throws T4aError with the problem of each place
 */
export function placeToStart(places: SocketPlaces): string {
  const all = [places.shared, places.own, ...places.runtime];
  const problems = all.map((path) => problemOf(path, places));
  const usable = all.filter((_path, i) => problems[i] === undefined);
  const chosen = usable.find((path) => StartClaim.isTaken(path)) ?? usable[0];
  if (chosen !== undefined) return chosen;
  const says = problems.flatMap((problem) => (problem === undefined ? [] : [clause(problem)]));
  throw new T4aError(problems[0]?.code ?? 'socket_path', `There is no place for the socket: ${says.join('; ')}.`, {
    hint: 'Name a path in a directory that you may write to, with --socket or: export T4A_SOCKET="$PWD/t4a.sock"',
  });
}

function clause({ message }: T4aError): string {
  return message.replace(/^The socket path /, '').replace(/\.$/, '');
}

/** Why no daemon can be started at the shared place; undefined if one can. */
export function problemOfShared(places: SocketPlaces): string | undefined {
  return problemOf(places.shared, places)?.message;
}

/** @throws T4aError if another user was faster */
export function makeOwnDirectory(path: string, { own }: SocketPlaces): void {
  if (path !== own) return;
  try {
    mkdirSync(dirname(own), { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw asPlaceError(own, error);
    checkDirectory(own);
  }
}

/** Every command checks this: absent files create no errors. */
function isOwn(path: string, isFit: (stat: Stats) => boolean): boolean {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat !== undefined && isOurs(path, stat) && isFit(stat);
  } catch {
    // EACCES, ELOOP: another user's.
    return false;
  }
}

function isSafeDirectory(stat: Stats): boolean {
  return stat.isDirectory() && !isOthersToWrite(stat);
}

function problemOf(path: string, { shared, own }: SocketPlaces): T4aError | undefined {
  if (path === shared) return errorOf(path, () => checkShared(path));
  return errorOf(path, () => checkOwn(path, path === own));
}

/** A daemon and its starter write only where nothing of another user's is in the way. */
function checkShared(path: string): void {
  checkWritable(dirname(path));
  for (const name of [lockPath(path), logPath(path)]) {
    const stat = lstatSync(name, { throwIfNoEntry: false });
    if (stat !== undefined && stat.uid !== process.getuid?.()) throw foreignSocket(name, stat.uid);
  }
  isSocketPresent(path);
}

function checkOwn(path: string, mayBeMade: boolean): void {
  checkSocketPath(path, process.platform);
  const directory = dirname(path);
  if (mayBeMade && lstatSync(directory, { throwIfNoEntry: false }) === undefined) {
    checkWritable(dirname(directory));
    return;
  }
  checkDirectory(path);
  checkWritable(directory);
  isSocketPresent(path);
}

/**
 * Security: a user who may write to a directory, or owns a link in its place, can swap the socket between check and
 * use.
 */
function checkDirectory(path: string): void {
  const directory = dirname(path);
  const stat = lstatSync(directory, { throwIfNoEntry: false });
  if (stat === undefined) throw unusableSocketPath(path, 'its directory does not exist');
  if (!isOurs(directory, stat)) throw foreignSocket(directory, stat.uid);
  if (!stat.isDirectory()) throw unusableSocketPath(path, 'its directory is not a directory');
  if (!isSafeDirectory(stat)) throw unusableSocketPath(path, 'others may write to its directory');
}

function checkWritable(directory: string): void {
  accessSync(directory, constants.W_OK | constants.X_OK);
}

function errorOf(path: string, check: () => void): T4aError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    const problem = asPlaceError(path, error);
    if (problem instanceof T4aError) return problem;
    throw problem;
  }
}
