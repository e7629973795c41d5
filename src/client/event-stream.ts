/**
 * Events for one consumer, as they arrive. It reads at most `MAX_QUEUED_LINES` ahead; to a slower consumer the daemon
 * sends `lagged`. The iteration ends when either side closes, and throws the error of a failed subscription.
 */
import type { Duplex } from 'node:stream';
import { T4aError } from '../protocol/errors.js';
import type { StreamLine } from '../protocol/events.js';
import { encodeLine } from '../protocol/framing.js';
import type { ParamsInput } from '../protocol/registry.js';
import type { Envelope } from '../protocol/request.js';
import { openSocket, unreachable } from './open-socket.js';
import { receivedError } from './received-error.js';
import { noRoom, type ReplyBudget } from './reply-budget.js';
import { ReplyReader, type Header, type Received } from './reply-reader.js';

/** Without `ack`, which is always set: it is {@link EventStream.subscribed}. */
export type EventFilter = Omit<ParamsInput<'events'>, 'ack'>;

const MAX_QUEUED_LINES = 1024;

export class EventStream implements AsyncIterable<StreamLine> {
  /** The `seq` of the last event before the subscription, once the daemon has subscribed. */
  readonly subscribed: Promise<number>;
  readonly #socketPath: string;
  readonly #signal: AbortSignal | undefined;
  readonly #envelope: () => Envelope;
  readonly #open: () => Promise<Duplex>;
  readonly #budget: ReplyBudget | undefined;
  readonly #received: Received;
  readonly #onAbort = (): void => this.#finish(this.#signal?.reason);
  #lines: StreamLine[] = [];
  #socket: Duplex | undefined;
  #ended = false;
  #failure: unknown;
  #wake: () => void = () => {};

  /**
   * @param envelope sent with the request: asked for once connected
   * @param open connects in place of a socket at the path
   * @param budget of its lines, shared with other connections
   * @param received what is taken of the replies of another host
   */
  constructor(
    socketPath: string,
    filter: EventFilter = {},
    signal?: AbortSignal,
    envelope: () => Envelope = () => ({}),
    open = () => openPath(socketPath, signal),
    budget?: ReplyBudget,
    received: Received = (header) => header,
  ) {
    this.#received = received;
    this.#budget = budget;
    this.#open = open;
    this.#envelope = envelope;
    this.#socketPath = socketPath;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.subscribed = this.#subscribe(filter);
    this.subscribed.catch((error: unknown) => this.#finish(error));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamLine, void, void> {
    try {
      for (;;) {
        const line = this.#lines.shift();
        if (line !== undefined) {
          if (this.#lines.length < MAX_QUEUED_LINES) this.#socket?.resume();
          yield line;
        } else if (this.#ended) {
          if (this.#failure !== undefined) throw this.#failure;
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.close();
    }
  }

  /** Ends the subscription; events that were not consumed are dropped. */
  close(): void {
    this.#finish(undefined);
    this.#lines = [];
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  async #subscribe(filter: EventFilter): Promise<number> {
    const socket = await this.#open();
    this.#socket = socket;
    return new Promise((resolve, reject) => {
      let acknowledged = false;
      const sink = {
        reply: (header: Header): void => {
          if ('event' in header) return this.#enqueue(header);
          if (header['ok'] !== true) return reject(receivedError(this.#received(header)));
          acknowledged = true;
          resolve(header['seq'] as number);
        },
        garbage: (start: string): void =>
          this.#finish(unreachable(this.#socketPath, `the answer is not from t4a (${start})`)),
        noRoom: (bytes: number): void => this.#finish(noRoom(bytes)),
      };
      const reader = new ReplyReader(sink, this.#budget);
      socket.on('data', (chunk: Buffer) => reader.push(chunk)).resume();
      socket.on('error', () => {
        // 'close' follows.
      });
      socket.once('close', () => {
        reader.dispose();
        if (acknowledged) this.#finish(undefined);
        else reject(this.#failure ?? connectionLost());
      });
      if (this.#ended) socket.destroy();
      else socket.write(encodeLine({ cmd: 'events', ...this.#envelope(), ...filter, ack: true }));
    });
  }

  #enqueue(header: Header): void {
    if (this.#ended) return;
    this.#lines.push(header as unknown as StreamLine);
    if (this.#lines.length >= MAX_QUEUED_LINES) this.#socket?.pause();
    this.#wake();
  }

  /** The first cause counts. */
  #finish(failure: unknown): void {
    if (!this.#ended) {
      this.#ended = true;
      this.#failure = failure;
      this.#signal?.removeEventListener('abort', this.#onAbort);
    }
    this.#socket?.destroy();
    this.#wake();
  }
}

async function openPath(path: string, signal: AbortSignal | undefined): Promise<Duplex> {
  const socket = await openSocket(path, signal);
  if (socket === 'absent') throw unreachable(path, 'no daemon listens there');
  return socket;
}

function connectionLost(): T4aError {
  return new T4aError('connection_lost', 'The daemon closed the connection before it had subscribed.');
}
