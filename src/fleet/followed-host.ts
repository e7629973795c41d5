/**
 * The events of one host across cuts of the way to it. After a cut the stream goes on behind the last event that was seen, out
 * of the history of the daemon, which counts as `lagged` what it has no longer. Another daemon in its place is `restarted`, and all
 * of its events are read: those of the former one that were on their way are lost with it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../client/client.js';
import type { EventFilter } from '../client/event-stream.js';
import type { ErrorCode } from '../protocol/errors.js';
import { T4aError, isT4aError } from '../protocol/errors.js';
import type { StreamLine } from '../protocol/events.js';

/** A host that is heard from the first time or again, or not any more. */
export interface HostEvent {
  readonly event: 'host';
  readonly state: 'up' | 'down' | 'restarted';
  readonly instance?: string | undefined;
  readonly code?: ErrorCode;
  readonly error?: string;
}

export interface FollowedHost {
  /** The same client each time, or a new one. */
  readonly client: () => Promise<Client>;
  readonly filter: (client: Client) => EventFilter;
  /** Last event of a stream that was cut, and of which it was said that the host is down. */
  readonly from?: { readonly instance: string | undefined; readonly seq: number } | undefined;
  /** Aborted when nobody reads any more. */
  readonly signal: AbortSignal;
  /** Resolves once there is room for more. */
  readonly put: (line: StreamLine | HostEvent) => Promise<void>;
  readonly failureOf: (error: unknown) => { readonly code: ErrorCode; readonly error: string };
  /** Called after each attempt, once it is known whether the host answers. */
  readonly onAnswer?: ((isUp: boolean) => void) | undefined;
}

/** Between attempts to reach a host that has gone; a random part keeps many clients apart. */
const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 30_000;

/** Until the signal. */
export async function followHost(host: FollowedHost): Promise<void> {
  const { signal, put, failureOf, onAnswer } = host;
  const place = new Place(host.from);
  let retryMs = FIRST_RETRY_MS;
  let isDown = host.from !== undefined;
  while (!signal.aborted) {
    try {
      const client = await host.client();
      await client.reach({ signal });
      const { instance } = client.daemon;
      const since = place.after(instance);
      const filter = { ...host.filter(client), ...(since === undefined ? {} : { since }) };
      const stream = client.events(filter, { signal, outlives: true });
      try {
        const seq = await stream.subscribed;
        // The stream has a connection of its own: another daemon may have taken the place of this one before it was opened.
        if ((await client.call('ping', {}, { signal })).instance !== instance) throw replaced();
        const state = place.begin(instance, seq);
        isDown = false;
        retryMs = FIRST_RETRY_MS;
        // Hosts without a word of the stream are up, too.
        void put({ event: 'host', state, instance });
        onAnswer?.(true);
        for await (const line of stream) {
          place.pass(line);
          await put(line);
        }
      } finally {
        stream.close();
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isT4aError(error) && error.code === 'invalid_field') place.restart();
      if (!isDown) await put({ event: 'host', state: 'down', ...failureOf(error) });
      isDown = true;
    }
    onAnswer?.(false);
    retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
    await delay(retryMs * (0.5 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => {
      // Nobody reads any more.
    });
  }
}

function replaced(): T4aError {
  return new T4aError('connection_lost', 'Another daemon has taken the place of the one that was asked.');
}

/** The place up to which the events of a host have been read. Pure. */
export class Place {
  #known: { readonly instance: string | undefined; readonly seq: number } | undefined;
  #wasRestarted = false;
  /** Last event before the subscription, until an event is passed. */
  #subscribed: number | undefined;

  constructor(from?: FollowedHost['from']) {
    this.#known = from;
  }

  /** `since` for this daemon; undefined: what comes from now on, because nothing was promised before. */
  after(instance: string | undefined): number | undefined {
    if (this.#known === undefined) return undefined;
    return this.#isSame(instance) ? this.#known.seq : 0;
  }

  /** @param seq of the last event before the subscription */
  begin(instance: string | undefined, seq: number): 'up' | 'restarted' {
    const since = this.after(instance);
    const isAnother = this.#known !== undefined && !this.#isSame(instance);
    this.#wasRestarted = false;
    this.#known = { instance, seq: since ?? validSeq(seq) ?? 0 };
    this.#subscribed = since === undefined ? undefined : seq;
    return isAnother ? 'restarted' : 'up';
  }

  pass(line: StreamLine): void {
    if (this.#known === undefined) return;
    const { instance, seq: before } = this.#known;
    const seq = 'seq' in line ? validSeq(line.seq) : undefined;
    if (seq !== undefined) this.#known = { instance, seq: Math.max(before, seq) };
    // Without `after` only the first line of a replay counts events that are no longer kept; others are of a reader that was slow.
    else if (line.event === 'lagged' && line.error === undefined && this.#subscribed !== undefined) {
      const last = Math.min(this.#subscribed, (validSeq(line.after) ?? before) + line.missed);
      this.#known = { instance, seq: Math.max(before, last) };
    }
    this.#subscribed = undefined;
  }

  /** The daemon has not had so many events: it is no longer the one that had. */
  restart(): void {
    this.#wasRestarted = this.#known !== undefined;
  }

  /** A daemon without an instance cannot be known again. */
  #isSame(instance: string | undefined): boolean {
    return instance !== undefined && this.#known?.instance === instance && !this.#wasRestarted;
  }
}

function validSeq(seq: unknown): number | undefined {
  return Number.isSafeInteger(seq) && (seq as number) >= 0 ? (seq as number) : undefined;
}
