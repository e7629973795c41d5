/**
 * What makes a path unfit for the socket, in the same words in the daemon and in clients. Looks at no file: the
 * caller has looked.
 */
import { errnoOf } from '../base/errno.js';
import { T4aError } from './errors.js';

/** The shared path: the default place of a daemon, unless another user has it. */
export const DEFAULT_SOCKET_PATH = '/tmp/t4a.sock';

/**
 * `sun_path` is 108 bytes on Linux and 104 on macOS, the last of them a NUL. Node cuts a longer path silently and would
 * bind or connect to another one.
 */
export function maxSocketPathBytes(platform: string): number {
  return platform === 'linux' ? 107 : 103;
}

export function checkSocketPath(path: string, platform: string, maxBytes = maxSocketPathBytes(platform)): void {
  if (path.includes('\0')) throw unusableSocketPath(path, 'it contains a NUL');
  const length = new TextEncoder().encode(path).length;
  if (length > maxBytes)
    throw unusableSocketPath(path, `it has ${length} bytes, and a socket's path at most ${maxBytes}`);
}

/** The file that names who serves the socket. */
export function lockPath(socketPath: string): string {
  return `${socketPath}.lock`;
}

/** Log of a daemon that a client has started. */
export function logPath(socketPath: string): string {
  return `${socketPath}.log`;
}

/** @param reason the rest of the sentence after "because" */
export function unusableSocketPath(path: string, reason: string): T4aError {
  return new T4aError('socket_path', `The socket path ${JSON.stringify(path)} cannot be used: ${reason}.`, {
    hint: 'Set T4A_SOCKET to a short path in a directory of your own.',
  });
}

/** @param isLink a dangling one, too */
export function notASocket(path: string, isLink: boolean): T4aError {
  const what = isLink ? 'a symbolic link is there, which is not followed' : 'something that is not a socket is there';
  return unusableSocketPath(path, what);
}

export function foreignSocket(path: string, uid: number): T4aError {
  return new T4aError('socket_owner', `${JSON.stringify(path)} belongs to another user (uid ${uid}).`, {
    hint: 'Set T4A_SOCKET to a path in a directory of your own.',
  });
}

/** Answers of the system if a directory or file system cannot take a socket. */
const UNUSABLE: Readonly<Record<string, string>> = {
  ENOENT: 'its directory does not exist',
  ENOTDIR: 'its directory is not a directory',
  EACCES: 'its directory may not be written',
  EPERM: 'its directory may not be written',
  EROFS: 'its directory is on a read-only file system',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its directory is a loop of symbolic links',
  ENOSPC: 'its file system is full',
  EDQUOT: 'the quota on its file system is used up',
  EFBIG: 'the limit on the size of files (ulimit -f) leaves no room for what lies beside it',
  EISDIR: 'it is a directory',
  EOPNOTSUPP: 'its file system holds no sockets',
};

/** An error of the system, met on the way to a socket or to a file beside it, as the caller is to see it. */
export function asPlaceError(path: string, error: unknown): unknown {
  const reason = placeReason(error);
  return reason === undefined ? error : unusableSocketPath(path, reason);
}

/** The rest of a sentence after "because"; undefined where the error is of another kind. */
export function placeReason(error: unknown): string | undefined {
  return UNUSABLE[errnoOf(error) ?? ''];
}

/** Answers of a system that makes no Unix socket at all: seccomp filters choose one of them. */
const REFUSALS: readonly (string | undefined)[] = ['EPERM', 'EACCES', 'EAFNOSUPPORT', 'ENOSYS', 'EPROTONOSUPPORT'];

/** @param errno of an attempt to connect to {@link NOBODYS_SOCKET}. @returns undefined where that was not refused */
export function socketsRefused(errno: string | undefined): T4aError | undefined {
  if (!REFUSALS.includes(errno)) return undefined;
  const message = `No daemon can be started or reached: a sandbox refuses Unix sockets here (${errno}).`;
  return new T4aError('daemon_unreachable', message, { hint: SANDBOX_HINT });
}

export const SANDBOX_HINT = 'Allow Unix sockets (AF_UNIX) in the settings of the sandbox, or use t4a outside of it.';

/** Path at which no socket can be: a system that makes sockets answers ENOTDIR. */
export const NOBODYS_SOCKET = '/dev/null/t4a.sock';
