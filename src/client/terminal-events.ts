/** Events of one terminal, as they arrive: an {@link EventStream} that ends with the terminal. */
import type { StreamLine } from '../protocol/events.js';
import type { Client } from './client.js';
import type { CallOptions } from './connection.js';
import type { EventFilter, EventStream } from './event-stream.js';

export type TerminalEventFilter = Omit<EventFilter, 'terminal'>;

export class TerminalEvents implements AsyncIterable<StreamLine> {
  readonly #stream: EventStream;
  readonly #types: TerminalEventFilter['types'];

  constructor(client: Client, id: string, filter: TerminalEventFilter, options: CallOptions) {
    const { types, ...rest } = filter;
    this.#types = types;
    // `removed` is always included: it is the end.
    const all = types === undefined ? {} : { types: [...new Set([...types, 'removed' as const])] };
    this.#stream = client.events({ ...rest, ...all, terminal: id }, options);
  }

  /** The `seq` of the last event before the subscription, once the daemon has subscribed. */
  get subscribed(): Promise<number> {
    return this.#stream.subscribed;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamLine, void, void> {
    for await (const event of this.#stream) {
      if (event.event === 'lagged' || this.#types === undefined || this.#types.includes(event.event)) yield event;
      if (event.event === 'removed') return;
    }
  }

  close(): void {
    this.#stream.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }
}
