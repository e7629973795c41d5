/**
 * The socket's name in the file system. It is bound under a passing name and takes its own only once it listens; so a client
 * never meets a socket that refuses it, and libuv, which unlinks what it has bound, leaves the name to us.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, rmSync, statSync, type Stats, unlinkSync } from 'node:fs';
import { createConnection, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { errnoOf } from '../base/errno.js';
import { T4aError } from '../protocol/errors.js';
import {
  asPlaceError,
  checkSocketPath,
  foreignSocket,
  notASocket,
  unusableSocketPath,
} from '../protocol/socket-path.js';

export class OwnSocket {
  readonly #path: string;
  readonly #inode: number;

  private constructor(path: string, inode: number) {
    this.#path = path;
    this.#inode = inode;
  }

  /**
   * Makes the server listen, for its owner only. A socket that nobody serves is replaced.
   * @throws T4aError `socket_path`, `socket_owner`
   */
  static async listen(server: Server, path: string): Promise<OwnSocket> {
    try {
      // The passing name has at most 16 characters more than the directory.
      checkSocketPath(path, process.platform);
      const passing = join(dirname(path), `.i${randomBytes(4).toString('hex')}`);
      checkSocketPath(passing, process.platform);
      if (!statSync(dirname(path)).isDirectory()) throw unusableSocketPath(path, 'its directory is not a directory');
      const stale = existing(path);
      if (stale !== undefined && (await isAnswered(path))) throw taken(path);
      await bind(server, passing);
      try {
        // No other server's: that has another inode.
        if (stale !== undefined && existing(path)?.ino === stale.ino) unlinkSync(path);
        linkSync(passing, path);
      } catch (error) {
        server.close();
        throw errnoOf(error) === 'EEXIST' ? taken(path) : error;
      } finally {
        rmSync(passing, { force: true });
      }
      return new OwnSocket(path, lstatSync(path).ino);
    } catch (error) {
      throw asPlaceError(path, error);
    }
  }

  /** False when it was removed, or something else stands there. */
  isInPlace(): boolean {
    return lstatSync(this.#path, { throwIfNoEntry: false })?.ino === this.#inode;
  }

  /** Not what another process has put in its place. */
  remove(): void {
    if (this.isInPlace()) unlinkSync(this.#path);
  }
}

/** @throws T4aError if it is no socket of ours */
function existing(path: string): Stats | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.uid !== process.getuid?.()) throw foreignSocket(path, stat.uid);
  if (!stat.isSocket()) throw notASocket(path, stat.isSymbolicLink());
  return stat;
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ path });
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

function taken(path: string): T4aError {
  return new T4aError('socket_path', `Another process serves ${JSON.stringify(path)}.`, {
    hint: 'Choose another path with --socket.',
  });
}
