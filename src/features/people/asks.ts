/**
 * Questions to persons: which are open, and how the others ended. Does no input and sees no screen; it is given the number
 * of a terminal's questions to show, and events to publish.
 */
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';
import type { ASK_KINDS, ASK_OUTCOMES } from '../../protocol/commands/ask.js';
import { T4aError } from '../../protocol/errors.js';
import type { DaemonEventBody } from '../../protocol/events.js';
import type { CallConnection } from '../../rpc/service.js';
import { type FrozenInstant, frozenInstant, type Instant, spanMs, thawedInstant } from './control-state.js';

export type AskKind = (typeof ASK_KINDS)[number];

export interface Question {
  readonly as: string;
  readonly kind: AskKind;
  readonly question: string;
  readonly choices: readonly string[] | undefined;
  readonly submit: boolean;
  readonly expiresMs: number;
  readonly terminal: string | undefined;
  /** Of the terminal, when it was asked. */
  readonly rev: number | undefined;
  readonly foregroundGroup: number | undefined;
  /** Of the asker. */
  readonly connection: CallConnection;
}

export interface Ending {
  readonly outcome: Exclude<(typeof ASK_OUTCOMES)[number], 'open'>;
  readonly by: string | null;
  /** The answer is from the interface of the asker. */
  readonly person?: false | undefined;
  readonly answer?: string | boolean | undefined;
  readonly note?: string | undefined;
}

export interface Ask extends Question {
  readonly number: number;
  readonly since: Instant;
  /** Its connection is gone. */
  isLeft: boolean;
  /** Requests that wait for its end. */
  waiting: number;
  /** Of a hand: the person who has taken control. */
  acceptedBy: string | undefined;
  /** An answer is being typed. */
  isBeingAnswered: boolean;
  ending: Ending | undefined;
  /** Monotonic milliseconds of its end. */
  endedMs: number;
  /** A request has had its end. */
  isRead: boolean;
}

type FrozenAsk = Omit<Ask, 'connection' | 'since' | 'endedMs'> & {
  readonly since: FrozenInstant;
  readonly endedAgoMs: number;
};

export interface FrozenAsks {
  readonly open: readonly FrozenAsk[];
  readonly ended: readonly FrozenAsk[];
  readonly last: number;
}

export const MAX_ASKS = 64;
export const MAX_ASKS_OF_ONE = 4;
export const MAX_ASKS_OF_CONNECTION = 16;

/** Ended questions that an asker may still resume. */
const MAX_ENDED = 64;

/** An answer can be taken back for so long. */
export const UNDO_MS = 5000;

/** Timers stand still while the machine sleeps. */
const EXPIRY_CHECK_MS = 60_000;

export interface AsksOptions {
  readonly clock: Clock;
  readonly announce: (event: DaemonEventBody) => void;
  /** Called with the open questions about a terminal when they change. */
  readonly show: (terminal: string, numbers: readonly number[]) => void;
}

export class Asks {
  readonly #options: AsksOptions;
  readonly #open = new Map<number, Ask>();
  readonly #ended = new Map<number, Ask>();
  readonly #listeners = new Map<number, Set<() => void>>();
  readonly #timers = new Map<number, Disposable>();
  #last = 0;

  constructor(options: AsksOptions) {
    this.#options = options;
  }

  freeze(): FrozenAsks {
    const now = this.#now();
    const frozen = ({ connection: _connection, since, endedMs, ...own }: Ask): FrozenAsk => ({
      ...own,
      since: frozenInstant(since, now),
      endedAgoMs: now.monotonicMs - endedMs,
    });
    return {
      open: [...this.#open.values()].map(frozen),
      ended: [...this.#ended.values()].map(frozen),
      last: this.#last,
    };
  }

  /** The connections of the askers are gone, and no request waits. @param onOpen called with each open one */
  restore({ open, ended, last }: FrozenAsks, onOpen: (ask: Ask) => void): void {
    const now = this.#now();
    const connection: CallConnection = { onGone: () => ({ dispose: () => {} }) };
    const thawed = ({ endedAgoMs, since, ...own }: FrozenAsk): Ask => ({
      ...own,
      connection,
      since: thawedInstant(since, now),
      endedMs: now.monotonicMs - endedAgoMs,
      isLeft: true,
      waiting: 0,
      isBeingAnswered: false,
    });
    this.#last = last;
    for (const each of ended) this.#ended.set(each.number, thawed(each));
    for (const each of open) {
      const ask = thawed(each);
      this.#open.set(ask.number, ask);
      this.#lookAtExpiryIn(this.leftMs(ask), ask);
      onOpen(ask);
      this.#show(ask.terminal);
    }
  }

  /** In their order. */
  get open(): readonly Ask[] {
    return [...this.#open.values()].toSorted((a, b) => a.number - b.number);
  }

  leftMs({ since, expiresMs }: Ask): number {
    return Math.max(0, Math.ceil(expiresMs - spanMs(since, this.#now())));
  }

  /** @throws T4aError too_many_asks */
  ask(question: Question): Ask {
    this.#assertShare(question);
    if (this.#open.size >= MAX_ASKS) this.#makeRoom();
    const number = ++this.#last;
    const ask: Ask = {
      ...question,
      number,
      since: this.#now(),
      isLeft: false,
      waiting: 0,
      acceptedBy: undefined,
      isBeingAnswered: false,
      ending: undefined,
      endedMs: 0,
      isRead: false,
    };
    this.#begin(ask);
    return ask;
  }

  /** Milliseconds for which an answer can be taken back. A secret was typed, and a hand has done its work. */
  undoMs({ kind, ending, endedMs, isRead }: Ask): number {
    const isAnswer = ending?.outcome === 'answered' || ending?.outcome === 'declined';
    if (!isAnswer || isRead || kind === 'secret' || kind === 'hand') return 0;
    return Math.max(0, Math.ceil(endedMs + UNDO_MS - this.#now().monotonicMs));
  }

  /** @param by who has answered it @throws T4aError ask_not_found if the answer cannot be taken back, with why */
  reopen(number: number, by: string | null): Ask {
    const ask = this.find(number);
    const lacks = this.#lacksUndo(ask, by);
    if (lacks !== undefined) throw new T4aError('ask_not_found', `Question ${number} ${lacks}.`, { hint: 't4a asks' });
    this.#ended.delete(number);
    ask.ending = undefined;
    this.#begin(ask);
    return ask;
  }

  #lacksUndo(ask: Ask, by: string | null): string | undefined {
    if (ask.ending === undefined) return 'is open';
    if (ask.ending.by !== by) return `was ${ENDED_WORDS[ask.ending.outcome]} by another name`;
    if (ask.isRead) return 'has an answer that was read';
    if (this.undoMs(ask) === 0) return `was ${ENDED_WORDS[ask.ending.outcome]}, which cannot be taken back any more`;
    return undefined;
  }

  #begin(ask: Ask): void {
    this.#open.set(ask.number, ask);
    const leaving = ask.connection.onGone(() => {
      ask.isLeft = true;
    });
    this.onEnd(ask, () => leaving.dispose());
    this.#armExpiry(ask);
    this.#publish(ask);
    this.#show(ask.terminal);
  }

  /** An open one, or one that has ended not long ago. @throws T4aError ask_not_found */
  find(number: number): Ask {
    const ask = this.#open.get(number) ?? this.#ended.get(number);
    if (ask === undefined) {
      throw new T4aError('ask_not_found', `There is no question ${number}.`, { hint: 't4a asks' });
    }
    return ask;
  }

  /** @throws T4aError ask_not_found if it has ended, with how */
  findOpen(number: number): Ask {
    const ask = this.find(number);
    const { ending, isBeingAnswered } = ask;
    if (ending === undefined && !isBeingAnswered) return ask;
    const by = ending === undefined || ending.by === null ? '' : ` by ${ending.by}`;
    const how = ending === undefined ? 'is being answered' : `was ${ENDED_WORDS[ending.outcome]}${by}`;
    throw new T4aError('ask_not_found', `Question ${number} ${how} already.`, { hint: 't4a asks' });
  }

  end(ask: Ask, ending: Ending): void {
    if (!this.#open.delete(ask.number)) return;
    ask.ending = ending;
    ask.endedMs = this.#now().monotonicMs;
    ask.isRead = ask.waiting > 0;
    this.#timers.get(ask.number)?.dispose();
    this.#timers.delete(ask.number);
    this.#ended.set(ask.number, ask);
    if (this.#ended.size > MAX_ENDED) this.#ended.delete(this.#ended.keys().next().value ?? 0);
    const { outcome, by, person } = ending;
    const { terminal } = ask;
    const place = terminal === undefined ? {} : { terminal };
    const provenance = person === undefined ? {} : { person };
    this.#options.announce({ event: 'answered', ask: ask.number, outcome, by, ...provenance, ...place });
    this.#show(terminal);
    for (const listener of this.#listeners.get(ask.number) ?? []) listener();
    this.#listeners.delete(ask.number);
  }

  /** Called once, when the question ends. */
  onEnd({ number }: Ask, listener: () => void): Disposable {
    const listeners = this.#listeners.get(number) ?? new Set();
    this.#listeners.set(number, listeners.add(listener));
    return { dispose: () => void listeners.delete(listener) };
  }

  /** As `onEnd`, for a request that waits until then, or until the disposal. */
  wait(ask: Ask, listener: () => void): Disposable {
    const ending = this.onEnd(ask, listener);
    ask.waiting++;
    return {
      dispose() {
        ask.waiting--;
        ending.dispose();
      },
    };
  }

  dispose(): void {
    for (const timer of this.#timers.values()) timer.dispose();
    this.#timers.clear();
  }

  /** A client with many names is one asker. */
  #assertShare({ as, connection }: Question): void {
    const ofName = this.open.filter((other) => other.as === as).length;
    if (ofName >= MAX_ASKS_OF_ONE) throw tooMany(`${as} has ${ofName}`);
    const ofConnection = this.open.filter((other) => other.connection === connection).length;
    if (ofConnection >= MAX_ASKS_OF_CONNECTION) throw tooMany(`This connection has ${ofConnection}`);
  }

  /** Of questions that were left, the oldest of the connection that left most gives way. */
  #makeRoom(): void {
    const left = this.open.filter(
      ({ isLeft, waiting, isBeingAnswered, acceptedBy }) =>
        isLeft && waiting === 0 && !isBeingAnswered && acceptedBy === undefined,
    );
    const counts = new Map<CallConnection, number>();
    for (const { connection } of left) counts.set(connection, (counts.get(connection) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const oldest = left.find(({ connection }) => counts.get(connection) === most);
    if (oldest === undefined) throw tooMany(`There are ${this.#open.size}`);
    this.end(oldest, { outcome: 'withdrawn', by: null });
  }

  #now(): Instant {
    const { clock } = this.#options;
    return { monotonicMs: clock.now(), wallMs: clock.wallNow() };
  }

  #armExpiry(ask: Ask): void {
    const leftMs = this.leftMs(ask);
    if (leftMs === 0) return this.end(ask, { outcome: 'expired', by: null });
    this.#lookAtExpiryIn(leftMs, ask);
  }

  #lookAtExpiryIn(leftMs: number, ask: Ask): void {
    const timer = this.#options.clock.after(Math.min(leftMs, EXPIRY_CHECK_MS), () => this.#armExpiry(ask));
    this.#timers.set(ask.number, timer);
  }

  #publish({ number, kind, as, terminal }: Ask): void {
    this.#options.announce({ event: 'asked', ask: number, kind, as, ...(terminal === undefined ? {} : { terminal }) });
  }

  #show(terminal: string | undefined): void {
    if (terminal === undefined) return;
    const numbers = this.open.filter((ask) => ask.terminal === terminal).map(({ number }) => number);
    this.#options.show(terminal, numbers);
  }
}

const ENDED_WORDS: Readonly<Record<Ending['outcome'], string>> = {
  answered: 'answered',
  declined: 'declined',
  withdrawn: 'withdrawn',
  expired: 'dropped at its deadline',
  exited: 'dropped with its terminal',
};

function tooMany(whose: string): T4aError {
  return new T4aError('too_many_asks', `${whose} open questions, which is the limit.`, {
    hint: 'Wait for answers ("resume"), or drop some ("withdraw").',
  });
}
