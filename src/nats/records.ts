/**
 * Events as a stream has them, and out of it again: in place of those that the daemon keeps no longer. Each number of the range
 * comes once, or is counted by `lagged`. Pure.
 */
import type { Msg } from '@nats-io/transport-node';

type Event = Readonly<Record<string, unknown>>;

/** Security: what was copied is in no recording. */
export function isRecorded({ event }: Event): boolean {
  return event !== 'clipboard';
}

/** Security: nor are command lines, which may have secrets. */
export function encodeRecord(event: Event): Uint8Array {
  return new TextEncoder().encode(JSON.stringify('command' in event ? { ...event, command: null } : event));
}

/** The server leaves out what it has of this name already. */
export function idOf(instance: string, seq: number): string {
  return `${instance}:${seq}`;
}

/** Number of an event of that daemon; undefined for anything else. */
export function numberIn({ headers }: Pick<Msg, 'headers'>, instance: string): number | undefined {
  const id = headers?.get('Nats-Msg-Id') ?? '';
  if (!id.startsWith(`${instance}:`)) return undefined;
  const seq = Number(id.slice(instance.length + 1));
  return Number.isSafeInteger(seq) && seq > 0 ? seq : undefined;
}

export interface Wanted {
  readonly terminal?: string | undefined;
  readonly types?: readonly unknown[] | undefined;
}

export class Range {
  readonly #wanted: Wanted;
  readonly #to: number;
  #last: number;
  #missed = 0;

  /** @param after and @param to numbers of events: behind the first one, up to the second one */
  constructor(wanted: Wanted, after: number, to: number) {
    this.#wanted = wanted;
    this.#last = after;
    this.#to = to;
  }

  /** Lines that an event leads to: numbers that are missing before it count whether they would be wanted or not. */
  take(seq: number, message: Pick<Msg, 'data'>): Event[] {
    if (seq <= this.#last || seq > this.#to) return [];
    const event = eventIn(message.data, seq);
    if (event === undefined) return [];
    this.#missed += seq - this.#last - 1;
    this.#last = seq;
    return this.#isWanted(event) ? [...this.#lagged(), event] : [];
  }

  /** Nothing that is wanted follows. */
  get isFull(): boolean {
    return this.#last >= this.#to;
  }

  end(): Event[] {
    this.#missed += this.#to - this.#last;
    this.#last = this.#to;
    return this.#lagged();
  }

  #lagged(): Event[] {
    const missed = this.#missed;
    this.#missed = 0;
    return missed === 0 ? [] : [{ event: 'lagged', missed }];
  }

  /** Whether the event is wanted, by the daemon's rules: events of the whole daemon have no revision, and belong to no terminal. */
  #isWanted(event: Event): boolean {
    const { terminal, types } = this.#wanted;
    if (terminal !== undefined && !('rev' in event && event['terminal'] === terminal)) return false;
    return types === undefined || types.includes(event['event']);
  }
}

function eventIn(data: Uint8Array, seq: number): Event | undefined {
  try {
    const event = JSON.parse(Buffer.from(data).toString()) as Event | null;
    return event !== null && typeof event['event'] === 'string' && event['seq'] === seq ? event : undefined;
  } catch {
    return undefined;
  }
}
