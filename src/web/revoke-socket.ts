/** The socket by which `t4a web --revoke` reaches a running `t4a web`: one word in, one line of JSON out. Of the user alone. */
import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Disposable } from '../base/lifetime.js';
import { isOurs } from '../client/ownership.js';
import { checkSocketPath, foreignSocket } from '../protocol/socket-path.js';

export interface Revoked {
  /** Of the page. */
  readonly origin: string;
  readonly keys: number;
  readonly sockets: number;
}

export const WORD = 'revoke\n';

/** Of who connects and says nothing. */
const IDLE_MS = 2000;
const MAX_CONNECTIONS = 8;
const GROUP_AND_OTHERS = 0o077;

export class RevokeSocket implements Disposable {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param folder is made if there is none @throws T4aError, or an error of the system */
  static async open(folder: string, revoke: () => Revoked): Promise<RevokeSocket> {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const stat = lstatSync(folder);
    if (!stat.isDirectory() || !isOurs(folder, stat)) throw foreignSocket(folder, stat.uid);
    // Security: who can connect here can put out all pages.
    if ((stat.mode & GROUP_AND_OTHERS) !== 0) chmodSync(folder, 0o700);
    // Not the pid: containers that share the folder have the same ones.
    const path = join(folder, `${randomBytes(4).toString('hex')}.sock`);
    checkSocketPath(path, process.platform);
    const server = createServer((socket) => answer(socket, revoke));
    server.maxConnections = MAX_CONNECTIONS;
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
    server.unref();
    return new RevokeSocket(server);
  }

  /** Removes the socket. */
  dispose(): void {
    this.#server.close();
  }
}

function answer(socket: Socket, revoke: () => Revoked): void {
  let said = '';
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said === WORD) socket.end(`${JSON.stringify(revoke())}\n`);
    else if (!WORD.startsWith(said)) socket.destroy();
  });
}
