/**
 * The file of a socket, held by a descriptor, so that the very file that was looked at is connected to: a sandbox may swap
 * its socket for a link at any instant (647 of 4,000 connections reached another daemon, measured). Below a folder that is
 * named by a pattern no link is followed, not for folders either.
 *
 * Where there is no O_PATH or no /proc (macOS) the path is looked at and then connected to, as well as that goes.
 */
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import type { Disposable } from '../base/lifetime.js';
import { errnoOf } from '../base/errno.js';
import { isOurs } from '../base/ownership.js';
import { asPlaceError, foreignSocket, notASocket } from '../protocol/socket-path.js';

/** Flag of Linux on these machines; Node has no constant for it. */
const O_PATH = 0o10000000;
const ARCHITECTURES: readonly string[] = ['x64', 'arm64'];
const OWN_FILES = '/proc/self/fd';

export interface HeldSocket extends Disposable {
  /** To connect to. */
  readonly path: string;
  readonly stat: Stats;
}

const isHoldable = (): boolean =>
  process.platform === 'linux' && ARCHITECTURES.includes(process.arch) && existsSync(OWN_FILES);

/**
 * @param below folder under which others may have put links. Default: that of the socket
 * @returns undefined if there is none
 * @throws T4aError `socket_path`, `socket_owner`
 */
export function holdSocket(path: string, below = dirname(path), canHold = isHoldable()): HeldSocket | undefined {
  try {
    if (canHold) return checked(path, held(below, relative(below, path).split(sep)));
    const stat = lstatSync(path);
    return checked(path, { path, stat, dispose: () => {} });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    // A folder that is a link: of a directory the system says that it is none.
    if (['ELOOP', 'ENOTDIR'].includes(errnoOf(error) ?? '')) throw notASocket(path, true);
    throw asPlaceError(path, error);
  }
}

function held(folder: string, parts: readonly string[]): HeldSocket {
  let file = openSync(folder, O_PATH | constants.O_DIRECTORY);
  try {
    for (const [i, part] of parts.entries()) {
      const kind = i === parts.length - 1 ? 0 : constants.O_DIRECTORY;
      const next = openSync(`${OWN_FILES}/${file}/${part}`, O_PATH | constants.O_NOFOLLOW | kind);
      closeSync(file);
      file = next;
    }
    const last = file;
    return { path: `${OWN_FILES}/${last}`, stat: fstatSync(last), dispose: () => closeSync(last) };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function checked(path: string, socket: HeldSocket): HeldSocket {
  const { stat } = socket;
  const refusal = !stat.isSocket()
    ? notASocket(path, stat.isSymbolicLink())
    : isOurs(path, stat)
      ? undefined
      : foreignSocket(path, stat.uid);
  if (refusal === undefined) return socket;
  socket.dispose();
  throw refusal;
}

/** Two names of one file: a hard link. */
export function isSameFile(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}
