/** The socket by which the owner reaches a running `t4a web`: one line in, one line of JSON out. Of the user alone. */
import { chmodSync, lstatSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Disposable } from '../base/lifetime.js';
import { makeFolder } from '../base/make-folder.js';
import { isOurs } from '../base/ownership.js';
import { isT4aError, T4aError } from '../protocol/errors.js';
import { checkSocketPath, foreignSocket } from '../protocol/socket-path.js';
import { newSocketName, RevocationMark } from './revocation-mark.js';

export interface Revoked {
  /** Origin of the page. */
  readonly origin: string;
  readonly keys: number;
  readonly sockets: number;
  /** Remembered browsers. Absent of an older server. */
  readonly forgotten?: number;
}

export interface WantedLink {
  readonly isReadOnly: boolean;
  /** Terminal to which a link is bound. */
  readonly terminal?: string;
  /** The daemon that has it. Absent: any that the page shows. */
  readonly daemon?: string;
}

export type LinkAnswer =
  | { readonly link: string }
  | { readonly code: string; readonly error: string; readonly hint?: string };

/** Requests that the owner may make to a running server. */
export interface Owner {
  revoke(): Revoked;
  /** @throws T4aError if there is no such terminal */
  link(wanted: WantedLink): Promise<{ readonly link: string }>;
}

export const REVOKE = 'revoke\n';
/** Then {@link WantedLink} in JSON, and a line break. */
export const LINK = 'link ';
const MAX_WORDS = 1024;

/** Patience with a client that connects and says nothing. */
const IDLE_MS = 2000;
const MAX_CONNECTIONS = 8;
const GROUP_AND_OTHERS = 0o077;

export class OwnerSocket implements Disposable {
  /** Mark of an owner who has ended all keys, also if no word of it is heard here. */
  readonly mark: RevocationMark;
  readonly #server: Server;

  private constructor(server: Server, path: string) {
    this.#server = server;
    this.mark = new RevocationMark(path);
  }

  /** @param folder is made if there is none @throws T4aError, or an error of the system */
  static async open(folder: string, owner: Owner): Promise<OwnerSocket> {
    makeFolder(folder, 0o700);
    const stat = lstatSync(folder);
    if (!stat.isDirectory() || !isOurs(folder, stat)) throw foreignSocket(folder, stat.uid);
    // Security: who can connect here can put out all pages, and get in.
    if ((stat.mode & GROUP_AND_OTHERS) !== 0) chmodSync(folder, 0o700);
    const path = join(folder, newSocketName());
    checkSocketPath(path, process.platform);
    const server = createServer((socket) => answer(socket, owner));
    server.maxConnections = MAX_CONNECTIONS;
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
    server.unref();
    return new OwnerSocket(server, path);
  }

  /** Removes the socket. */
  dispose(): void {
    this.#server.close();
  }
}

function answer(socket: Socket, owner: Owner): void {
  let said = '';
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  const end = (reply: object): void => void socket.end(`${JSON.stringify(reply)}\n`);
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said === REVOKE) return end(owner.revoke());
    if (said.startsWith(LINK) && said.endsWith('\n') && said.length <= MAX_WORDS) {
      socket.setTimeout(0);
      void linked(owner, said.slice(LINK.length)).then(end);
    } else if (![REVOKE, LINK].some((word) => said.startsWith(word) || word.startsWith(said))) socket.destroy();
    else if (said.length > MAX_WORDS) socket.destroy();
  });
}

async function linked(owner: Owner, words: string): Promise<LinkAnswer> {
  try {
    return await owner.link(JSON.parse(words) as WantedLink);
  } catch (error) {
    const { code, message, details } = isT4aError(error) ? error : new T4aError('internal', String(error));
    return { code, error: message, ...(details.hint === undefined ? {} : { hint: details.hint }) };
  }
}
