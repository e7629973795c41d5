/** What goes on after a call has ended, in the process of the server and for as long as it lives: answers of persons, timers, turns. */
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../base/clock.js';
import type { Client } from '../client/client.js';
import type { DeliveryOutcome } from './delivery.js';
import { OpenAsks } from './open-asks.js';
import { TurnSender } from './send-turn.js';
import { Timers } from './timers.js';

/** A question that stands there, a person who types, or what a person has left in the box, ends some time. */
const RETRY_MS = 2000;
/** What could not be said for so long is given up. */
const GIVE_UP_MS = 24 * 3_600_000;

const PASSING: ReadonlySet<DeliveryOutcome> = new Set([
  'question',
  'draft',
  'not_ready',
  'others_typed',
  'control_held',
]);

export class Background {
  readonly #client: () => Promise<Client>;
  readonly #end = new AbortController();
  #starts: Promise<unknown> = Promise.resolve();
  readonly turns = new TurnSender();
  readonly asks = new OpenAsks(this.#end.signal);
  readonly timers: Timers;

  constructor(client: () => Promise<Client>) {
    this.#client = client;
    this.timers = new Timers(client, this.#end.signal);
  }

  /** Two that look at what there is and start at once would exceed what each keeps to. */
  async oneStart<T>(start: () => Promise<T>): Promise<T> {
    const own = this.#starts.then(start);
    this.#starts = own.catch(() => {});
    return own;
  }

  close(): void {
    this.#end.abort();
  }

  /** Failures have no reader: the call that began it has ended. */
  sendLater(id: string, composer: string | undefined, text: string): void {
    void this.sendWhenReady(id, composer, text, this.#end.signal).catch(() => {});
  }

  /** Waits for questions and typing to end; what was pasted without Enter is not sent again. @param timeoutMs of one try @throws T4aError, such as `connection_lost` */
  async sendWhenReady(
    id: string,
    composer: string | undefined,
    text: string,
    signal: AbortSignal,
    timeoutMs?: number,
  ): Promise<DeliveryOutcome> {
    const options = { composer, signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    for (const startMs = systemClock.now(); ;) {
      const { outcome, pasted } = await this.turns.send(await this.#client(), id, text, options);
      if (pasted || !PASSING.has(outcome) || systemClock.now() - startMs > GIVE_UP_MS) return outcome;
      await delay(RETRY_MS, undefined, { signal });
    }
  }
}
