/**
 * The events that are kept for `since`, within one bound for all. Each owner has a share: a terminal, the daemon, the clients that publish
 * events of their own. When all is full, the oldest event of the owner with the most of them goes, so that a flood pushes out its own
 * alone. Each step costs the same, however many are kept.
 */
import type { PublishedEvent } from '../protocol/events.js';

interface Kept {
  readonly event: PublishedEvent;
  /** The next one of the same owner. */
  next: Kept | undefined;
}

interface Share {
  readonly owner: string;
  count: number;
  oldest: Kept | undefined;
  newest: Kept | undefined;
  /** Neighbours among those of the same count, who has come first at the front. */
  before: Share | undefined;
  after: Share | undefined;
}

/** Shares with the same count. */
interface Level {
  first: Share | undefined;
  last: Share | undefined;
}

export class KeptEvents {
  readonly #capacity: number;
  /** Events by `seq`, the oldest first. */
  readonly #events = new Map<number, PublishedEvent>();
  readonly #shares = new Map<string, Share>();
  /** Levels by count. */
  readonly #levels: Level[] = [];
  #most = 0;

  /** @param capacity at least 1 */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#events.size;
  }

  /** @param event with a higher `seq` than all before */
  push(event: PublishedEvent): void {
    this.#events.set(event.seq, event);
    const share = this.#shareOf(ownerOf(event));
    const kept: Kept = { event, next: undefined };
    if (share.newest === undefined) share.oldest = kept;
    else share.newest.next = kept;
    share.newest = kept;
    this.#move(share, share.count + 1);
    if (this.#events.size > this.#capacity) this.#dropOne();
  }

  /** `seq` of the oldest one of a terminal. */
  oldestOf(terminal: string): number | undefined {
    return this.#shares.get(terminal)?.oldest?.event.seq;
  }

  /** Oldest first. */
  [Symbol.iterator](): IterableIterator<PublishedEvent> {
    return this.#events.values();
  }

  #dropOne(): void {
    const share = this.#levels[this.#most]?.first;
    const kept = share?.oldest;
    if (share === undefined || kept === undefined) return;
    this.#events.delete(kept.event.seq);
    share.oldest = kept.next;
    if (kept.next === undefined) share.newest = undefined;
    this.#move(share, share.count - 1);
    if (share.count === 0) this.#shares.delete(share.owner);
  }

  #shareOf(owner: string): Share {
    const known = this.#shares.get(owner);
    if (known !== undefined) return known;
    const share = { owner, count: 0, oldest: undefined, newest: undefined, before: undefined, after: undefined };
    this.#shares.set(owner, share);
    return share;
  }

  /** A share of nothing is on no level. */
  #move(share: Share, count: number): void {
    if (share.count > 0) this.#take(share);
    share.count = count;
    if (count > 0) this.#append(share);
    // One that has shrunk is now on the level below.
    if (count > this.#most) this.#most = count;
    else if (this.#levels[this.#most]?.first === undefined) this.#most--;
  }

  #take(share: Share): void {
    const level = this.#level(share.count);
    const { before, after } = share;
    if (before === undefined) level.first = after;
    else before.after = after;
    if (after === undefined) level.last = before;
    else after.before = before;
    share.before = undefined;
    share.after = undefined;
  }

  #append(share: Share): void {
    const level = this.#level(share.count);
    share.before = level.last;
    if (level.last === undefined) level.first = share;
    else level.last.after = share;
    level.last = share;
  }

  #level(count: number): Level {
    return (this.#levels[count] ??= { first: undefined, last: undefined });
  }
}

/** Events of the daemon as a whole belong to no terminal, even if they name one. No terminal has an empty id, or one with a blank. */
function ownerOf(event: PublishedEvent): string {
  if ('rev' in event) return event.terminal;
  return event.event === 'published' ? ' published' : '';
}
