/** Names of subjects. A host is addressed by the token of one connection of its agent: no clone and no reboot has that. */
import { randomBytes } from 'node:crypto';

const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;

/** One part of a subject, which no wildcard and no dot is in. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Nobody can guess it. */
export function newToken(): string {
  return randomBytes(16).toString('hex');
}

/** User without credentials, on this machine. */
export const ANYONE = 'anyone';

/** @param user public key of the credentials */
export function inboxOf(user: string = ANYONE): string {
  return `_INBOX.${user}`;
}

/**
 * Security: an agent answers nowhere else. Of a client that may not publish to a subject, an agent that may would do it, if it
 * answered to any.
 */
const REPLY = /^_INBOX\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{16,64}(?:\.[A-Za-z0-9_-]{1,64})?$/;
/**
 * Inbox of clients of NATS without an inbox of their own, as of `nats req`: one that cannot be guessed, and a short number in it.
 */
const RANDOM_REPLY = /^_INBOX\.[A-Za-z0-9]{22}\.[A-Za-z0-9_-]{1,64}$/;

export function isReplySubject(subject: string | undefined): subject is string {
  return subject !== undefined && (REPLY.test(subject) || RANDOM_REPLY.test(subject));
}

/** Inbox to which an answer to this subject goes: of one key, or of all without one. Only its owner hears there. */
export function inboxIn(replySubject: string): string {
  return replySubject.split('.', 2).join('.');
}

export class Subjects {
  readonly #fleet: string;

  constructor(fleet: string) {
    this.#fleet = `t4a.${fleet}`;
  }

  /** Links to a host. */
  link(host: string, address: string, level: string): string {
    return `${this.#fleet}.host.${host}.${address}.${level}`;
  }

  /** Single requests that read, also for clients of NATS alone. */
  host(host: string): string {
    return `${this.#fleet}.host.${host}`;
  }

  /** Each host answers with its presence. */
  get everyone(): string {
    return `${this.#fleet}.who`;
  }

  /** The one host does. */
  who(host: string): string {
    return `${this.#fleet}.who.${host}`;
  }

  /** Presence, every few seconds. */
  heartbeat(host: string): string {
    return `${this.#fleet}.hb.${host}`;
  }

  /** Events of a host, for a stream of the operator's. */
  eventsOf(host: string): string {
    return `${this.#fleet}.ev.${host}.>`;
  }

  /** @param terminal of the event; those of the whole daemon have none */
  event(host: string, terminal: unknown, type: string): string {
    const id = typeof terminal === 'string' && terminal !== '' ? partOf(terminal) : '-';
    return `${this.#fleet}.ev.${host}.${id}.${partOf(type)}`;
  }
}

/** Names of terminals may have what subjects may not. */
function partOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}_-]/gu, percent);
}

function percent(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
