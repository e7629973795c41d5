/**
 * Links to the daemon of this host, as many as it takes of each asker: by the inbox that answers go to, and by level. What all of
 * them hold is bounded, too: beyond it the one that holds most is ended.
 */
import type { Duplex } from 'node:stream';
import { HeldBytes, type Holder } from '../base/held-bytes.js';
import type { Level } from './fleet-url.js';
import type { NatsLink } from './link.js';
import { inboxIn } from './subjects.js';

export const MAX_LINKS = 256;
/** Most links of one inbox at one level: no key keeps all others out. */
const MAX_OF_INBOX = MAX_LINKS / 2;
/** Most links of the lowest level, which most keys have. */
const MAX_OF_READERS = (3 * MAX_LINKS) / 4;

/** Bound of all links but the one that holds most. */
const MOST_HELD_BYTES = 40 * 1024 * 1024;

export interface Carried {
  /** Bytes that it holds beside its own window. */
  readonly heldBytes: number;
}

interface Entry extends Holder {
  readonly link: NatsLink;
  readonly level: Level;
  readonly inbox: string;
  carried: Carried | undefined;
}

export class Links {
  /** Links by their own subjects. */
  readonly #bySubject = new Map<string, Entry>();
  /** Links by the subjects of the askers, and levels; the oldest first. */
  readonly #byKey = new Map<string, Entry>();
  readonly #held = new HeldBytes({ mostBytes: () => MOST_HELD_BYTES, sparesOne: true });

  /** Links are known by the subject of the asker and the level: what is sent to a lower one gets into none of a higher one. */
  find(level: Level, reply: string): NatsLink | undefined {
    return this.#byKey.get(`${level} ${reply}`)?.link;
  }

  at(subject: string): NatsLink | undefined {
    return this.#bySubject.get(subject)?.link;
  }

  /** Why there is no room for one more. One that has asked nothing yet gives way. */
  refusal(level: Level, reply: string): string | undefined {
    const inbox = inboxIn(reply);
    const all = [...this.#byKey.values()];
    for (const { of, most, says } of [
      {
        of: all.filter((one) => one.inbox === inbox && one.level === level),
        most: MAX_OF_INBOX,
        says: `of level ${level} of this inbox`,
      },
      {
        of: level === 'read' ? all.filter((one) => one.level === level) : [],
        most: MAX_OF_READERS,
        says: 'of level read',
      },
      { of: all, most: MAX_LINKS, says: '' },
    ]) {
      if (of.length < most) continue;
      const silent = of.find(({ link }) => !link.hasReceived);
      if (silent === undefined) return `the host has ${most} links ${says}`.trimEnd().concat(' already');
      silent.link.leave('others ask, and this link has asked nothing yet');
    }
    return undefined;
  }

  add(level: Level, { to, from, link }: { readonly to: string; readonly from: string; readonly link: NatsLink }): void {
    const key = `${level} ${to}`;
    const entry: Entry = {
      link,
      level,
      inbox: inboxIn(to),
      carried: undefined,
      get heldBytes() {
        return link.readableLength + link.writableLength + (this.carried?.heldBytes ?? 0);
      },
      cutOff: () => link.leave('there is no more room for what links hold: this one holds most'),
    };
    this.#byKey.set(key, entry);
    this.#bySubject.set(from, entry);
    link.once('close', () => {
      this.#held.forget(entry);
      if (this.#byKey.get(key) === entry) this.#byKey.delete(key);
      this.#bySubject.delete(from);
    });
  }

  carry(from: string, carried: Carried): void {
    const entry = this.#bySubject.get(from);
    if (entry !== undefined) entry.carried = carried;
  }

  /** Call it when what a link holds may have changed. */
  note(from: string): void {
    const entry = this.#bySubject.get(from);
    if (entry !== undefined) this.#held.note(entry);
  }

  endAll(end: (link: NatsLink) => void): void {
    for (const { link } of this.#bySubject.values()) end(link);
  }
}

export function heldBy(parts: readonly Carried[], socket: Duplex): Carried {
  return {
    get heldBytes() {
      return parts.reduce((sum, { heldBytes }) => sum + heldBytes, socket.writableLength + socket.readableLength);
    },
  };
}
