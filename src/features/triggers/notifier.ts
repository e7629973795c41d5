/**
 * Calls a person by the `notify` rules of triggers.json: for an `ask`, for a program that waits for somebody, and for one that has
 * failed. A call names the terminal and has no word that it or an agent has printed.
 */
import { hostname } from 'node:os';
import type { Clock } from '../../base/clock.js';
import { callFor, needOf } from '../../protocol/needs-person.js';
import type { PublishedEvent } from '../../protocol/events.js';
import type { CALLS, NotifyRule } from '../../protocol/triggers.js';
import type { Terminal } from '../../terminal/terminal.js';
import { terminalTest } from '../../terminal/where.js';

export interface Call {
  readonly what: (typeof CALLS)[number];
  /** Null for a question that is about none. */
  readonly terminal: string | null;
  /** A sentence for the person. */
  readonly title: string;
  /** Milliseconds since the Unix epoch. */
  readonly ts: number;
}

/** Resolves once it is there. @throws Error with a sentence */
export type Send = (call: Call, rule: NotifyRule) => Promise<void>;

export interface NotifierOptions {
  readonly clock: Clock;
  readonly rules: () => readonly NotifyRule[];
  readonly find: (id: string) => Terminal | undefined;
  /** Whether a request waits for its end, and has the failure in its answer. */
  readonly answersRun: (terminal: Terminal) => boolean;
  readonly send: Send;
  readonly warn: (message: string) => void;
}

/** Of one rule for one terminal. */
export const BETWEEN_MS = 60_000;
/** Of one rule, for failures of all terminals: whoever tries a command again and again makes a new one each time. */
const MOST_FAILURES = 3;
/** Calls at a time; a webhook that hangs holds one of them. */
const MOST_AT_ONCE = 4;
const MOST_WAITING = 64;
const MOST_REMEMBERED = 1024;

const WORDS: Readonly<Record<Call['what'], string>> = {
  ask: 'asks you',
  waiting: 'waits for you',
  failed: 'has failed',
};

/** How long ago each was. */
export interface FrozenCalls {
  readonly called: ReadonlyMap<string, number>;
  readonly failures: ReadonlyMap<number, readonly number[]>;
}

export class Notifier {
  readonly #options: NotifierOptions;
  /** When a rule has called for a terminal last, the oldest first. */
  readonly #called = new Map<string, number>();
  /** By rule: when it has called for a failure, since less than a minute. */
  readonly #failures = new Map<number, readonly number[]>();
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;
  /** Those that found no place since the last warning. */
  #lost = 0;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  freeze(): FrozenCalls {
    const nowMs = this.#options.clock.now();
    return {
      called: new Map(Array.from(this.#called, ([key, ms]) => [key, nowMs - ms] as const)),
      failures: new Map(Array.from(this.#failures, ([rule, times]) => [rule, times.map((ms) => nowMs - ms)] as const)),
    };
  }

  restore({ called, failures }: FrozenCalls): void {
    const nowMs = this.#options.clock.now();
    for (const [key, agoMs] of called) this.#called.set(key, nowMs - agoMs);
    for (const [rule, times] of failures)
      this.#failures.set(
        rule,
        times.map((agoMs) => nowMs - agoMs),
      );
  }

  take(event: PublishedEvent): void {
    const what = calledFor(event);
    if (what === undefined) return;
    const id = 'terminal' in event && event.terminal !== undefined ? event.terminal : null;
    const terminal = id === null ? undefined : this.#options.find(id);
    if (what === 'failed' && terminal !== undefined && this.#options.answersRun(terminal)) return;
    const title = `${id ?? 'An agent'} ${WORDS[what]} (t4a on ${hostname()})`;
    for (const [i, rule] of this.#options.rules().entries()) {
      if (!rule.on.includes(what) || !isMeant(rule, terminal) || this.#isQuiet(rule)) continue;
      if (what === 'failed' && this.#lately(i).length >= MOST_FAILURES) continue;
      if (!this.#isDue(`${i} ${id ?? ''}`)) continue;
      if (what === 'failed') this.#failures.set(i, [...this.#lately(i), this.#options.clock.now()]);
      this.#call({ what, terminal: id, title, ts: event.ts }, rule);
    }
  }

  #isQuiet({ quiet }: NotifyRule): boolean {
    if (quiet === undefined) return false;
    const now = new Date(this.#options.clock.wallNow());
    const minutes = 60 * now.getHours() + now.getMinutes();
    const [from = 0, to = 0] = quiet.split('-').map(minutesOf);
    return from <= to ? minutes >= from && minutes < to : minutes >= from || minutes < to;
  }

  /** Failures that this rule has called for. */
  #lately(rule: number): readonly number[] {
    const nowMs = this.#options.clock.now();
    return (this.#failures.get(rule) ?? []).filter((atMs) => nowMs - atMs < BETWEEN_MS);
  }

  #isDue(key: string): boolean {
    const nowMs = this.#options.clock.now();
    const lastMs = this.#called.get(key);
    if (lastMs !== undefined && nowMs - lastMs < BETWEEN_MS) return false;
    this.#called.delete(key);
    this.#called.set(key, nowMs);
    const [oldest] = this.#called.keys();
    if (this.#called.size > MOST_REMEMBERED && oldest !== undefined) this.#called.delete(oldest);
    return true;
  }

  #call(call: Call, rule: NotifyRule): void {
    if (this.#waiting.length >= MOST_WAITING) {
      if (this.#lost++ === 0)
        this.#options.warn('Too many calls wait for their commands and webhooks: some are left out.');
      return;
    }
    this.#waiting.push(async () => {
      try {
        await this.#options.send(call, rule);
        this.#lost = 0;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        this.#options.warn(`No call went out for ${call.terminal ?? 'a question'}: ${why}`);
      }
    });
    void this.#next();
  }

  async #next(): Promise<void> {
    if (this.#running >= MOST_AT_ONCE) return;
    const send = this.#waiting.shift();
    if (send === undefined) return;
    this.#running++;
    await send();
    this.#running--;
    void this.#next();
  }
}

function isMeant({ where }: NotifyRule, terminal: Terminal | undefined): boolean {
  if (where === undefined) return true;
  return terminal !== undefined && terminalTest(where)(terminal);
}

/** A program that ends with another status than 0 has failed; one that was ended by a signal has not by itself. */
function calledFor(event: PublishedEvent): Call['what'] | undefined {
  if (event.event === 'asked') return 'ask';
  if (event.event === 'exit') return (event.code ?? 0) === 0 ? undefined : 'failed';
  const need = event.event === 'doing' ? needOf({ doing: event }) : null;
  // `asked` has called already.
  return need === null || need === 'ask' ? undefined : callFor(need);
}

function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return 60 * hours + minutes;
}
