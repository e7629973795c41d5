/**
 * Numbers every event and delivers it. One bus and one `seq` counter for the whole daemon.
 *
 * Publishing neither waits nor fails: a subscriber has a bounded queue, and an error of a listener inside the daemon is
 * logged. The bus knows no socket: connections pull their lines from a {@link Subscription}.
 */
import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/lifetime.js';
import { type Log, silentLog } from '../base/log.js';
import { T4aError } from '../protocol/errors.js';
import type {
  DaemonEventBody,
  EventBody,
  PublishedEvent,
  PublishedType,
  StreamLine,
  TerminalEvent,
} from '../protocol/events.js';
import { KeptEvents } from './kept-events.js';
import { type SubscriptionFilter, Subscription, matchesFilter } from './subscription.js';

/** Events kept for `since`: at some 300 bytes each about 1 MB, and minutes of a busy daemon. */
export const DEFAULT_HISTORY_CAPACITY = 4096;

export interface EventBusOptions {
  readonly clock: Clock;
  readonly historyCapacity?: number;
  readonly log?: Log;
}

export interface SubscribeOptions {
  readonly terminal?: string | undefined;
  readonly types?: readonly PublishedType[] | undefined;
  /** Only of terminals for which this is true, by id. */
  readonly isMeant?: ((terminal: string) => boolean) | undefined;
  /** Start with events published after this `seq`. */
  readonly since?: number | undefined;
  readonly queueCapacity?: number | undefined;
}

/** All that {@link SubscribeOptions.since} can reach. */
export interface FrozenBus {
  readonly events: readonly PublishedEvent[];
  readonly lastSeq: number;
}

export type EventListener = (event: PublishedEvent) => void;

export class EventBus {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #history: KeptEvents;
  readonly #subscriptions = new Set<Subscription>();
  readonly #listeners = new Set<EventListener>();
  /** Published and not yet passed to the listeners: more than one only while a listener publishes. */
  readonly #unreported: PublishedEvent[] = [];
  readonly #causes = new WeakMap<PublishedEvent, object>();
  #telling = false;
  #lastSeq = 0;
  #dropped = 0;
  /** Since {@link hold}. */
  #held: PublishedEvent[] | undefined;

  constructor({ clock, historyCapacity = DEFAULT_HISTORY_CAPACITY, log = silentLog }: EventBusOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#history = new KeptEvents(historyCapacity);
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Nobody gets an event until {@link release}. */
  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) this.#hand(event);
  }

  freeze(): FrozenBus {
    return { events: [...this.#history], lastSeq: this.#lastSeq };
  }

  /** To be called before the first event. */
  restore({ events, lastSeq }: FrozenBus): void {
    for (const event of events) this.#history.push(event);
    this.#lastSeq = lastSeq;
  }

  get subscriptionCount(): number {
    return this.#subscriptions.size;
  }

  /** Events dropped since the start, for subscribers that did not read. */
  get dropped(): number {
    return this.#dropped;
  }

  /** @param rev the terminal's screen revision once the cause of the event was parsed */
  publish(body: EventBody, rev: number): TerminalEvent {
    const { event: type, terminal, ...own } = body;
    const seq = ++this.#lastSeq;
    const event = { event: type, terminal, ...own, seq, ts: this.#clock.wallNow(), rev } as TerminalEvent;
    this.#hand(event);
    return event;
  }

  /**
   * Publishes an event of the daemon as a whole.
   * @param cause for the daemon's own parts, as {@link causeOf}
   */
  announce(body: DaemonEventBody, cause?: object): void {
    const event = { ...body, seq: ++this.#lastSeq, ts: this.#clock.wallNow() };
    if (cause !== undefined) this.#causes.set(event, cause);
    this.#hand(event);
  }

  causeOf(event: PublishedEvent): object | undefined {
    return this.#causes.get(event);
  }

  /** @throws T4aError `invalid_field` if `since` lies in the future */
  subscribe({ terminal, types, isMeant, since, queueCapacity }: SubscribeOptions = {}): Subscription {
    const filter: SubscriptionFilter = { terminal, types: types === undefined ? undefined : new Set(types), isMeant };
    const subscription = new Subscription({
      filter,
      replay: since === undefined ? [] : this.#replay(filter, since),
      onDisposed: () => this.#subscriptions.delete(subscription),
      onDropped: () => void this.#dropped++,
      ...(queueCapacity === undefined ? {} : { queueCapacity }),
    });
    this.#subscriptions.add(subscription);
    return subscription;
  }

  /** Listens for the daemon's own parts: called synchronously, in the order of `seq`, after all queues have the event. */
  on(listener: EventListener): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#listeners.clear();
  }

  #hand(event: PublishedEvent): void {
    if (this.#held !== undefined) {
      this.#held.push(event);
      return;
    }
    this.#history.push(event);
    for (const subscription of this.#subscriptions) subscription.push(event);
    this.#unreported.push(event);
    this.#notifyListeners();
  }

  /** A listener that publishes must not show its event to later listeners before the one that it responds to. */
  #notifyListeners(): void {
    if (this.#telling) return;
    this.#telling = true;
    for (let event = this.#unreported.shift(); event !== undefined; event = this.#unreported.shift()) {
      for (const subscription of this.#subscriptions) this.#guard(() => subscription.notify());
      for (const listener of this.#listeners) {
        const published = event;
        this.#guard(() => listener(published));
      }
    }
    this.#telling = false;
  }

  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#log.error('an event listener failed', error);
    }
  }

  /**
   * Each gap counts all its events as lost, since the filter cannot be applied to them any more. Of a terminal none is lost from its
   * oldest kept one on.
   */
  #replay(filter: SubscriptionFilter, since: number): StreamLine[] {
    if (since > this.#lastSeq) {
      throw new T4aError('invalid_field', `"since" is ${since}, but the last event is ${this.#lastSeq}.`, {
        field: 'since',
        hint: 'Use the "seq" of an event, or of the reply to "events" with "ack".',
      });
    }
    const oldest = filter.terminal === undefined ? undefined : this.#history.oldestOf(filter.terminal);
    const lines: StreamLine[] = [];
    let after = since;
    const count = (next: number): void => {
      const missed = next - after - 1;
      if (missed > 0 && (oldest === undefined || after < oldest)) lines.push({ event: 'lagged', missed, after });
    };
    for (const event of this.#history) {
      if (event.seq <= since) continue;
      count(event.seq);
      if (matchesFilter(event, filter)) lines.push(event);
      after = event.seq;
    }
    if (this.#history.size === 0) count(this.#lastSeq + 1);
    return lines;
  }
}
