/**
 * The words by which a page and the server of `t4a web` agree on who they are, before a socket carries requests. Pure.
 *
 * A new page sends the code of its link, gets a key for it, and the socket closes. With a key, each side proves that it
 * has it, by an HMAC over a number of the other, and the key itself is not sent again: another program may have the port
 * by now.
 */

/** Name of the key in the storage of a tab, and in that of the browser. */
export const STORED = 't4a-key';

/** What the page sends first. */
export type Hello = { readonly code: string } | { readonly key_id: string; readonly nonce: string };

/** The answer to a code. */
export interface KeyGrant {
  readonly key_id: string;
  readonly key: string;
  /** Of a remembered browser: its key outlives the server, until then. */
  readonly until?: number;
}

/** The answer to a key's id: `proof` is of {@link serverWords}. */
export interface Challenge {
  readonly proof: string;
  readonly nonce: string;
}

/** What the page sends then: `proof` is of {@link pageWords}. */
export interface Admission {
  readonly proof: string;
  /** Name of the daemon that the socket is for. Absent: the first one. */
  readonly daemon?: string | undefined;
}

/** After it, each message is a request of the protocol or the reply to one. */
export interface Welcome {
  readonly ready: true;
  readonly daemon: string;
  readonly daemons: readonly string[];
  readonly read_only: boolean;
  /** Name of the person, for `as`. */
  readonly person: string;
  readonly version: string;
  /** The page may ask for `rules`, and change them. */
  readonly rules?: true;
  /** The page is of one terminal: what is of the daemon is refused to it. */
  readonly one?: true;
  /** A page may ask for a key that outlives the server: {@link Remember}. */
  readonly remembers?: true;
}

/** Sent by a welcome page, in place of a request. */
export interface Remember {
  /** Name of the browser. */
  readonly remember: string;
  readonly req: number;
}

/** The answer to it. */
export interface Remembered extends KeyGrant {
  readonly ok: true;
  /** The one by which the owner finds and ends it. */
  readonly name: string;
  /** Milliseconds since the Unix epoch. */
  readonly until: number;
}

/** Sent later, each time the daemons that the page shows are others: a new line of hosts.json needs no reload. */
export interface Roster {
  readonly daemons: readonly string[];
}

/** Codes of a closed socket, with what the page makes of them. */
export const CLOSED = {
  /** The code or the key is not valid, or no longer: a new link is needed. */
  unauthorized: 4001,
  /** No daemon answers; it may come back. */
  daemonGone: 4002,
  /** The limit on sockets is reached. */
  tooMany: 4003,
  /** The page did not keep to the rules. */
  refused: 4004,
  /** The key was valid until its owner ended it. */
  revoked: 4005,
  /** The server has ended, and its keys with it. */
  ended: 4006,
  /** The first words took too long. They may be said again. */
  late: 4007,
} as const;

export function serverWords(nonce: string): string {
  return `t4a server ${nonce}`;
}

export function pageWords(nonce: string): string {
  return `t4a page ${nonce}`;
}
