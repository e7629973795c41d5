/** Events of one terminal, as they arrive: an {@link EventStream} that ends with the terminal. */
import type { StreamLine } from '../protocol/events.js';
import type { Client } from './client.js';
import type { CallOptions } from './connection.js';
import type { EventFilter, EventStream, StreamEnd } from './event-stream.js';

export type TerminalEventFilter = Omit<EventFilter, 'terminal'>;

export class TerminalEvents implements AsyncIterable<StreamLine> {
  readonly #stream: EventStream;

  constructor(client: Client, id: string, filter: TerminalEventFilter, options: CallOptions) {
    this.#stream = client.events({ ...filter, terminal: id }, options);
  }

  /** The `seq` of the last event before the subscription, once the daemon has subscribed. */
  get subscribed(): Promise<number> {
    return this.#stream.subscribed;
  }

  /** Why it has ended; undefined before, and where the iteration throws. */
  get ended(): StreamEnd | undefined {
    return this.#stream.ended;
  }

  [Symbol.asyncIterator](): AsyncGenerator<StreamLine, void, void> {
    return this.#stream[Symbol.asyncIterator]();
  }

  close(): void {
    this.#stream.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }
}
