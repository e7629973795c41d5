/** Turns to agents from within tools, with one of a target at a time: two that paste at once would share a box. */
import type { Client } from '../client/client.js';
import { deliver } from './deliver.js';
import { type Delivery, type DeliveryOptions } from './delivery.js';

/** Another input came between the look and the paste: nothing was typed yet, so that it can be tried again. */
const MAX_TRIES = 5;

export class TurnSender {
  readonly #last = new Map<string, Promise<unknown>>();

  async send(client: Client, id: string, text: string, options: DeliveryOptions): Promise<Delivery> {
    const before = this.#last.get(id);
    const own = this.#after(before, client, id, text, options);
    const settled = own.then(
      () => {},
      () => {},
    );
    this.#last.set(id, settled);
    try {
      return await own;
    } finally {
      if (this.#last.get(id) === settled) this.#last.delete(id);
    }
  }

  async #after(
    before: Promise<unknown> | undefined,
    client: Client,
    id: string,
    text: string,
    options: DeliveryOptions,
  ): Promise<Delivery> {
    await before;
    for (let tries = 1; ; tries++) {
      options.signal?.throwIfAborted();
      const delivery = await deliver(client, id, text, options);
      if (delivery.outcome !== 'others_typed' || delivery.pasted || tries === MAX_TRIES) return delivery;
    }
  }
}

/** Every further line is indented, so that none looks like the first line of another message. @param from in brackets before it */
export function taggedTurn(from: string, text: string): string {
  const [first = '', ...rest] = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  return [`[${withoutBrackets(from)}] ${first}`, ...rest.map((line) => `  ${line}`)].join('\n');
}

function withoutBrackets(name: string): string {
  return name.replaceAll(/[[\]\p{Cc}]/gu, '_');
}
