/**
 * One reader's bounded queue of events. When it is full the oldest event is dropped: the newest describe the present
 * state, and an `exit` must not be lost to the bells before it. One `lagged` line in place of the lost events reports
 * their exact number.
 */
import type { Disposable } from '../base/lifetime.js';
import { Ring } from '../base/ring.js';
import type { PublishedEvent, PublishedType, StreamLine } from '../protocol/events.js';

/** Longest backlog of a reader: some 300 KB for one that has stopped reading. */
export const DEFAULT_QUEUE_CAPACITY = 1024;

export interface SubscriptionFilter {
  readonly terminal: string | undefined;
  readonly types: ReadonlySet<PublishedType> | undefined;
  /** Whether a terminal is meant, by its id; undefined: all. */
  readonly isMeant?: ((terminal: string) => boolean) | undefined;
}

/** Events of the daemon as a whole belong to no terminal, even if they name one. */
export function matchesFilter(event: PublishedEvent, filter: SubscriptionFilter): boolean {
  if (filter.terminal !== undefined && !('rev' in event && event.terminal === filter.terminal)) return false;
  // Asked for each event, since what is true of a terminal changes with some.
  if (filter.isMeant !== undefined && !('rev' in event && filter.isMeant(event.terminal))) return false;
  return filter.types === undefined || filter.types.has(event.event);
}

export interface SubscriptionOptions {
  readonly filter: SubscriptionFilter;
  /** Lines before everything else; bounded by the bus's history, so they do not count against the queue. */
  readonly replay: readonly StreamLine[];
  readonly onDisposed: () => void;
  readonly onDropped?: () => void;
  readonly queueCapacity?: number;
}

export class Subscription implements Disposable {
  readonly #filter: SubscriptionFilter;
  readonly #onDisposed: () => void;
  readonly #onDropped: (() => void) | undefined;
  readonly #queue: Ring<PublishedEvent>;
  readonly #readers = new Set<() => void>();
  #replay: readonly StreamLine[];
  #replayed = 0;
  /** Lost since the last `lagged` line; all of them older than the queue's head. */
  #missed = 0;
  #fresh = false;
  #disposed = false;

  constructor({ filter, replay, onDisposed, onDropped, queueCapacity = DEFAULT_QUEUE_CAPACITY }: SubscriptionOptions) {
    this.#filter = filter;
    this.#replay = replay;
    this.#onDisposed = onDisposed;
    this.#onDropped = onDropped;
    this.#queue = new Ring(queueCapacity);
  }

  /** The next line, or undefined if there is none now. */
  next(): StreamLine | undefined {
    const replayed = this.#replay[this.#replayed];
    if (replayed !== undefined) {
      this.#replayed++;
      if (this.#replayed === this.#replay.length) this.#replay = [];
      return replayed;
    }
    if (this.#missed > 0) {
      const missed = this.#missed;
      this.#missed = 0;
      return { event: 'lagged', missed };
    }
    return this.#queue.shift();
  }

  /** Called when `next` may return a line again: after each event that passes the filter. */
  onReadable(listener: () => void): Disposable {
    this.#readers.add(listener);
    return { dispose: () => void this.#readers.delete(listener) };
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#replay = [];
    this.#missed = 0;
    this.#queue.clear();
    this.#readers.clear();
    this.#onDisposed();
  }

  /** Adds an event, for the bus only. Two steps, so that every queue holds an event before any reader acts on it. */
  push(event: PublishedEvent): void {
    if (!matchesFilter(event, this.#filter)) return;
    if (this.#queue.size === this.#queue.capacity) {
      this.#queue.shift();
      this.#missed++;
      this.#onDropped?.();
    }
    this.#queue.push(event);
    this.#fresh = true;
  }

  /** Notifies the readers of pushed events, for the bus only. */
  notify(): void {
    if (!this.#fresh) return;
    this.#fresh = false;
    for (const reader of this.#readers) reader();
  }
}
