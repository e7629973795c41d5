/**
 * The socket's name in the file system: made, replaced and removed only by the holder of the instance lock.
 *
 * It is bound under a passing name and renamed, for three reasons: it exists under its own name only once it listens, a
 * dead daemon's socket is replaced in one step, and libuv, which unlinks what it has bound when it closes, then finds
 * nothing: the name is ours to remove, after a look at whether it is still our socket.
 */
import { lstatSync, renameSync, statSync, unlinkSync, type Stats } from 'node:fs';
import { connect, type Server } from 'node:net';
import { basename, dirname, join } from 'node:path';
import type { T4aError } from '../protocol/errors.js';
import {
  checkSocketPath,
  foreignSocket,
  maxSocketPathBytes,
  NOBODYS_SOCKET,
  notASocket,
  socketsRefused,
  unusableSocketPath,
} from '../protocol/socket-path.js';
import { errnoOf } from '../base/errno.js';
import { randomHex } from './random-hex.js';

/**
 * ".t4a" and random digits: at least 4, so that the name is as long as "t4a.sock", which can then be as long as the system
 * allows; 16 if there is room, a name that no other process can have taken beforehand.
 */
const PASSING_NAME_LENGTH = 8;
const LONG_PASSING_NAME_LENGTH = 20;

const STICKY = 0o1000;

/** No file has it. */
const NO_INODE = -1;

export class SocketFile {
  readonly #path: string;
  readonly #inode: number;

  constructor(path: string, inode: number) {
    this.#path = path;
    this.#inode = inode;
  }

  /** To be called before anything else: is this a place for a socket? */
  static checkPlace(path: string): void {
    const extra = Math.max(0, PASSING_NAME_LENGTH - Buffer.byteLength(basename(path)));
    checkSocketPath(path, process.platform, maxSocketPathBytes(process.platform) - extra);
    const directory = statSync(dirname(path));
    if (!directory.isDirectory()) throw unusableSocketPath(path, 'its directory is not a directory');
    // Its owner could put another socket in the place of ours. A sticky directory is shared on purpose, and in a user
    // namespace its owner may show as `nobody`; clients look at the socket's owner anyway.
    const isOurs = directory.uid === process.getuid?.() || directory.uid === 0;
    if (!isOurs && (directory.mode & STICKY) === 0) throw foreignSocket(dirname(path), directory.uid);
    existing(path);
  }

  /** File of a socket on which this process listens already. One that has been deleted since is in place nowhere. */
  static at(path: string): SocketFile {
    return new SocketFile(path, lstatSync(path, { throwIfNoEntry: false })?.ino ?? NO_INODE);
  }

  /** Makes `server` listen. Undefined: another process answers on that path. */
  static async listen(server: Server, path: string): Promise<SocketFile | undefined> {
    if (existing(path) !== undefined && (await isAnswered(path))) return undefined;
    const passing = passingName(dirname(path));
    try {
      await bind(server, passing);
    } catch (error) {
      throw (await refusalOfSockets()) ?? error;
    }
    try {
      existing(path);
      renameSync(passing, path);
    } catch (error) {
      // Nobody waits for this: closing unlinks the passing name.
      server.close();
      throw error;
    }
    return new SocketFile(path, lstatSync(path).ino);
  }

  /** False when it was deleted, or something else stands in its place. */
  isInPlace(): boolean {
    return lstatSync(this.#path, { throwIfNoEntry: false })?.ino === this.#inode;
  }

  remove(): void {
    const stat = lstatSync(this.#path, { throwIfNoEntry: false });
    if (stat?.isSocket() && stat.ino === this.#inode) unlinkSync(this.#path);
  }
}

function passingName(directory: string): string {
  const room = maxSocketPathBytes(process.platform) - Buffer.byteLength(join(directory, '/'));
  const length = room < LONG_PASSING_NAME_LENGTH ? PASSING_NAME_LENGTH : LONG_PASSING_NAME_LENGTH;
  return join(directory, `.t4a${randomHex(8)}`.slice(0, length));
}

/** File in the place of the socket; throws if it is not a socket of ours. */
function existing(path: string): Stats | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.uid !== process.getuid?.()) throw foreignSocket(path, stat.uid);
  if (!stat.isSocket()) throw notASocket(path, stat.isSymbolicLink());
  return stat;
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => {
      const code = errnoOf(error);
      // EAGAIN: a process listens, and its queue of connections is full.
      if (code === 'EAGAIN') resolve(true);
      else if (code === 'ECONNREFUSED' || code === 'ENOENT') resolve(false);
      else reject(error);
    });
  });
}

function refusalOfSockets(): Promise<T4aError | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path: NOBODYS_SOCKET });
    socket.once('error', (error) => resolve(socketsRefused(errnoOf(error))));
  });
}

/** libuv binds within the call to `listen`, so the mask holds for the socket and for nothing else. */
function bind(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const mask = process.umask(0o177);
    try {
      server.listen({ path }, () => {
        server.off('error', reject);
        resolve();
      });
    } finally {
      process.umask(mask);
    }
  });
}
