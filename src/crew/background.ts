/** What goes on after a call has ended, in the process of the server and for as long as it lives: answers of persons, and timers. */
import type { Client } from '../client/client.js';
import { deliver } from './deliver.js';
import type { DeliveryOutcome } from './delivery.js';
import { OpenAsks } from './open-asks.js';
import { Timers } from './timers.js';

/** A question that stands there, a person who types, or what a person has left in the box, ends some time. What could not be said for so long is given up. */
const GIVE_UP_MS = 24 * 3_600_000;

export class Background {
  readonly #client: () => Promise<Client>;
  readonly #end = new AbortController();
  #starts: Promise<unknown> = Promise.resolve();
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

  /** Waits for questions and typing to end. @throws T4aError, such as `connection_lost` */
  async sendWhenReady(
    id: string,
    composer: string | undefined,
    text: string,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> {
    const options = { composer, signal, timeoutMs: GIVE_UP_MS, waits: true };
    return (await deliver(await this.#client(), id, text, options)).outcome;
  }
}
