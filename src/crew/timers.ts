/**
 * Timers of an agent. What is due becomes its next prompt. They live in the process of its server, and end with it: the daemon has no
 * action that gives an agent a prompt.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../base/clock.js';
import type { Client } from '../client/client.js';
import type { Condition } from '../protocol/conditions.js';
import type { DoingState } from '../protocol/doing.js';
import { isT4aError } from '../protocol/errors.js';
import type { Reply } from '../protocol/registry.js';
import { type DeliveryOutcome, isSent } from './delivery.js';
import { taggedTurn } from './tagged-turn.js';

/** Of one agent, with those that failed. */
export const MAX_TIMERS = 32;

export type TimerState = 'armed' | 'due' | 'failed';

export interface ListedTimer {
  readonly timer_id: string;
  readonly kind: 'time' | 'idle_any' | 'idle_all';
  readonly label: string | null;
  readonly process_ids: readonly string[];
  /** The time at which it is due at the latest. */
  readonly due_at: string;
  readonly state: TimerState;
  /** Why the prompt was not given. */
  readonly last_error: string | null;
}

export interface NewTimer extends Pick<ListedTimer, 'kind' | 'label' | 'process_ids'> {
  readonly ms: number;
  /** Gives the agent its prompt. */
  readonly send: (text: string, signal: AbortSignal) => Promise<DeliveryOutcome>;
}

interface Timer {
  listed: ListedTimer;
  readonly end: AbortController;
}

export class Timers {
  readonly #client: () => Promise<Client>;
  readonly #signal: AbortSignal;
  readonly #timers = new Map<string, Timer>();
  #made = 0;

  constructor(client: () => Promise<Client>, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /** @returns its id; undefined: there are {@link MAX_TIMERS} */
  add(timer: NewTimer): string | undefined {
    // Those that failed make room, the oldest first.
    const failed = [...this.#timers].find(([, { listed }]) => listed.state === 'failed')?.[0];
    if (this.#timers.size >= MAX_TIMERS && failed !== undefined) this.#timers.delete(failed);
    if (this.#timers.size >= MAX_TIMERS) return undefined;
    const id = `timer-${++this.#made}`;
    const { kind, label, process_ids: ids, ms } = timer;
    const dueAt = new Date(systemClock.wallNow() + ms).toISOString();
    const added: Timer = {
      listed: { timer_id: id, kind, label, process_ids: ids, due_at: dueAt, state: 'armed', last_error: null },
      end: new AbortController(),
    };
    this.#timers.set(id, added);
    void this.#run(id, added, timer);
    return id;
  }

  /** @returns whether there was one */
  cancel(id: string): boolean {
    const timer = this.#timers.get(id);
    timer?.end.abort();
    return this.#timers.delete(id);
  }

  list(): ListedTimer[] {
    return Array.from(this.#timers.values(), ({ listed }) => listed);
  }

  async #run(id: string, timer: Timer, { kind, label, process_ids: ids, ms, send }: NewTimer): Promise<void> {
    const signal = AbortSignal.any([this.#signal, timer.end.signal]);
    try {
      const why = await this.#due(kind, ids, ms, signal);
      timer.listed = { ...timer.listed, state: 'due' };
      const of = label === null ? id : `${id} (${label})`;
      const outcome = await send(taggedTurn('system', `Your timer ${of} is due${why}.`), signal);
      if (isSent(outcome)) this.#timers.delete(id);
      else timer.listed = { ...timer.listed, state: 'failed', last_error: outcome };
    } catch (error) {
      if (signal.aborted) return;
      timer.listed = { ...timer.listed, state: 'failed', last_error: isT4aError(error) ? error.code : String(error) };
    }
  }

  /** @returns why, after "is due" */
  async #due(kind: NewTimer['kind'], ids: readonly string[], ms: number, signal: AbortSignal): Promise<string> {
    if (kind === 'time') {
      await delay(ms, undefined, { signal });
      return '';
    }
    const end = new AbortController();
    const within = { signal: AbortSignal.any([signal, end.signal]) };
    const states = new Map<string, Ended>();
    const client = await this.#client();
    const watched = ids.map(async (id) => states.set(id, await untilIdle(client, id, within.signal)));
    const idle = kind === 'idle_any' ? Promise.race(watched) : Promise.all(watched);
    try {
      const late = delay(ms, 'late' as const, within);
      // Of the loser: it is aborted.
      late.catch(() => {});
      for (const each of watched) each.catch(() => {});
      const first = await Promise.race([idle, late]);
      const seen = ids.map((id) => `${id}: ${states.get(id) ?? 'working'}`).join(', ');
      return `${first === 'late' ? ', since its time is up' : ''} (${seen})`;
    } finally {
      end.abort();
    }
  }
}

/** `quiet`: nothing says what it is doing, and it prints nothing. `exited`: also one that has been removed. */
type Ended = Exclude<DoingState, 'working' | 'unknown'> | 'quiet';

const ENDED = ['idle', 'done', 'waiting', 'error', 'exited'] as const satisfies readonly Ended[];
/** An agent that was given a prompt says so within this time. */
const STANDS_MS = 1000;
/** Of a program of which nothing says what it is doing. */
const SILENT_MS = 3000;
/** Such a program may draw for ever. */
const LOOK_MS = 10_000;

async function untilIdle(client: Client, id: string, signal: AbortSignal): Promise<Ended> {
  const wait = async (until: Condition | Condition[], timeoutMs: number): Promise<Reply<'wait'>['outcome']> =>
    (await client.call('wait', { id, until, timeout_ms: timeoutMs, tail: 0 }, { signal })).outcome;
  try {
    for (;;) {
      const outcome = await wait([{ doing: [...ENDED] }, { settled_ms: SILENT_MS }], LOOK_MS);
      if (outcome === 'exited') return 'exited';
      const is = await stateOf(client, id, signal);
      if (is === 'exited') return is;
      if (is === 'unknown') {
        if (outcome === 'matched') return 'quiet';
      } else if (is === 'working') {
        if ((await wait({ doing: [...ENDED, 'unknown'] }, CHANGE_MS)) === 'exited') return 'exited';
      } else if ((await wait({ doing: 'working' }, STANDS_MS)) === 'timeout') return is;
    }
  } catch (error) {
    if (isT4aError(error) && HAS_ENDED.has(error.code)) return 'exited';
    throw error;
  }
}

async function stateOf(client: Client, id: string, signal: AbortSignal): Promise<DoingState> {
  const { doing } = await client.call('status', { id }, { signal });
  return doing?.is ?? 'unknown';
}

const CHANGE_MS = 600_000;
const HAS_ENDED: ReadonlySet<string> = new Set(['terminal_exited', 'terminal_not_found']);
