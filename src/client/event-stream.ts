/**
 * Events for one consumer, as they arrive. It reads at most `MAX_QUEUED_BYTES` ahead; to a slower consumer the daemon
 * sends `lagged`. The iteration ends when it is closed, and that of one terminal after `removed`; it throws the error of a failed
 * subscription, and `connection_lost` when the daemon ends. Over a replacement of the daemon it goes on behind the last event.
 */
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { isT4aError, quote, T4aError } from '../protocol/errors.js';
import type { StreamLine } from '../protocol/events.js';
import { encodeLine } from '../protocol/framing.js';
import type { ParamsInput } from '../protocol/registry.js';
import type { Envelope } from '../protocol/request.js';
import { whileAway } from './deleted-socket.js';
import { whyForeign } from './foreign-server.js';
import { openSocket, unreachable } from './open-socket.js';
import { receivedError } from './received-error.js';
import { noRoom, type ReplyBudget } from './reply-budget.js';
import { ReplyReader, type Header, type Received } from './reply-reader.js';

/** Filter without `ack`, which is always set: it is {@link EventStream.subscribed}. */
export type EventFilter = Omit<ParamsInput<'events'>, 'ack'>;

/** Each line counts as {@link LONG_BYTES} at least: 1,024 short ones, and few of the longest. */
const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

const LONG_BYTES = 4096;
/** Lengths of the lines that are longer. */
const longLines = new WeakMap<object, number>();

/** Bytes of a line of a stream, as a bound counts them. */
export function bytesOfLine(line: object): number {
  return longLines.get(line) ?? LONG_BYTES;
}

/** No daemon is replaced so soon after another: a host that only says so is not asked in a circle. */
const SHORTEST_MS = 50;

/** Lines that are no events of a type. */
const ALWAYS: ReadonlySet<unknown> = new Set(['lagged', 'host']);

/** `removed`: the terminal of the filter has gone. `closed`: by the consumer. */
export type StreamEnd = 'removed' | 'closed';

export interface StreamOptions {
  /** Judge of the replies of another host. */
  readonly received?: Received | undefined;
  /** A stream of one terminal goes on after `removed`: its name may be used again. */
  readonly outlives?: boolean | undefined;
}

export class EventStream implements AsyncIterable<StreamLine> {
  /** The `seq` of the last event before the subscription, once the daemon has subscribed. */
  readonly subscribed: Promise<number>;
  readonly #socketPath: string;
  readonly #signal: AbortSignal | undefined;
  readonly #envelope: () => Envelope;
  readonly #open: () => Promise<Duplex>;
  readonly #budget: ReplyBudget | undefined;
  readonly #received: Received | undefined;
  readonly #types: EventFilter['types'];
  readonly #ofTerminal: boolean;
  readonly #onAbort = (): void => this.#finish(this.#signal?.reason);
  #lines: StreamLine[] = [];
  #bytes = 0;
  #socket: Duplex | undefined;
  #ended = false;
  #end: StreamEnd | undefined;
  /** Number of the subscription; before it nothing is an end. */
  #seq = Number.POSITIVE_INFINITY;
  /** Number of the last event, or the subscription's. */
  #lastSeq: number | undefined;
  #failure: unknown;
  #wake: () => void = () => {};

  /**
   * @param envelope sent with the request: asked for once connected
   * @param open connects in place of a socket at the path
   * @param budget of its lines, shared with other connections
   */
  constructor(
    socketPath: string,
    filter: EventFilter = {},
    signal?: AbortSignal,
    envelope: () => Envelope = () => ({}),
    open = () => openPath(socketPath, signal),
    budget?: ReplyBudget,
    { received, outlives = false }: StreamOptions = {},
  ) {
    this.#received = received;
    this.#types = filter.types;
    this.#ofTerminal = filter.terminal !== undefined && !outlives;
    this.#budget = budget;
    this.#open = open;
    this.#envelope = envelope;
    this.#socketPath = socketPath;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.subscribed = this.#subscribe(this.#ofTerminal ? withEnd(filter) : filter);
    this.subscribed.catch((error: unknown) => this.#finish(error));
  }

  /** Why it has ended; undefined before, and where the iteration throws. */
  get ended(): StreamEnd | undefined {
    return this.#end;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamLine, void, void> {
    try {
      for (;;) {
        const line = this.#lines.shift();
        if (line !== undefined) {
          this.#taken(line);
          if (this.#bytes < MAX_QUEUED_BYTES) this.#socket?.resume();
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
    this.#finish(undefined, 'closed');
    for (const line of this.#lines.splice(0)) this.#taken(line);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  async #subscribe(filter: EventFilter): Promise<number> {
    // Subscribed before, it was replaced: another daemon is there.
    const socket = await (this.#lastSeq === undefined ? this.#open() : whileAway(this.#open));
    this.#socket = socket;
    return new Promise((resolve, reject) => {
      let acknowledged = false;
      let isReplaced = false;
      const openedMs = performance.now();
      const received = this.#received;
      const sink = {
        reply: (header: Header, _raw: Uint8Array | undefined, bytes: number): void => {
          const isEvent = 'event' in header && !('ok' in header);
          if (!isEvent && header['ok'] === false && header['code'] === 'replaced') {
            isReplaced = true;
            return void socket.destroy();
          }
          if (received !== undefined && (isEvent || acknowledged)) {
            const taken = received(isEvent ? header : NO_EVENT, 'events', bytes);
            return this.#enqueue(taken, taken['event'] === header['event'] ? bytes : 0);
          }
          if (isEvent) return this.#enqueue(header, bytes);
          if (header['ok'] !== true) return reject(receivedError(received?.(header) ?? header));
          const { seq } = header;
          if (seq !== undefined && !Number.isSafeInteger(seq)) return this.#finish(malformed(this.#socketPath));
          acknowledged = true;
          this.#seq = Math.min(this.#seq, Number(seq ?? 0));
          this.#lastSeq ??= filter.since ?? Number(seq ?? 0);
          resolve(seq as number);
        },
        // Of another host: the lines before and after it are events.
        ...(received === undefined
          ? {}
          : {
              malformed: () =>
                acknowledged ? this.#enqueue(received(NO_EVENT), 0) : this.#finish(malformed(this.#socketPath)),
            }),
        garbage: (start: string): void => this.#finish(unreachable(this.#socketPath, whyForeign(start))),
        noRoom: (bytes: number): void => this.#finish(noRoom(bytes)),
      };
      const reader = new ReplyReader(sink, this.#budget);
      socket.on('data', (chunk: Buffer) => reader.push(chunk)).resume();
      let lost: T4aError | undefined;
      socket.on('error', (error: Error) => {
        // 'close' follows; a route to another host has a reason.
        if (isT4aError(error)) lost = error;
      });
      socket.once('close', () => {
        reader.dispose();
        if (isReplaced && !this.#ended) void this.#goOn(filter, openedMs).then(resolve, reject);
        else if (acknowledged) this.#finish(lost ?? daemonEnded());
        else reject(this.#failure ?? lost ?? connectionLost());
      });
      if (this.#ended) socket.destroy();
      else socket.write(encodeLine({ cmd: 'events', ...this.#envelope(), ...filter, ack: true }));
    });
  }

  /** Goes on in the daemon that has taken over, behind the last event. */
  async #goOn({ since, ...filter }: EventFilter, openedMs: number): Promise<number> {
    const from = this.#lastSeq ?? since;
    try {
      await delay(Math.max(0, openedMs + SHORTEST_MS - performance.now()));
      return await this.#subscribe({ ...filter, ...(from === undefined ? {} : { since: from }) });
    } catch (error) {
      this.#finish(error);
      throw error;
    }
  }

  #enqueue(header: Header, bytes: number): void {
    if (this.#ended) return;
    const { event, state, seq } = header;
    if (typeof seq === 'number') this.#lastSeq = seq;
    const isEnd = this.#ofTerminal && event === 'removed' && Number(seq) > this.#seq;
    const isAskedFor =
      !this.#ofTerminal || this.#types === undefined || ALWAYS.has(event) || this.#types.includes(event as never);
    if (isAskedFor) {
      // In memory until it is read; short ones are few enough.
      if (bytes > LONG_BYTES) {
        if (this.#budget?.take(bytes, this.#bytes) === false) return this.#finish(noRoom(bytes));
        longLines.set(header, bytes);
      }
      this.#lines.push(header as unknown as StreamLine);
      this.#bytes += bytesOfLine(header);
    }
    if (isEnd) return this.#finish(undefined, 'removed');
    // By a gateway: the host of the terminal is not reached any more.
    if (this.#ofTerminal && event === 'host' && state === 'down') return this.#finish(hostLost(header));
    if (this.#bytes >= MAX_QUEUED_BYTES) this.#socket?.pause();
    this.#wake();
  }

  #taken(line: StreamLine): void {
    this.#bytes -= bytesOfLine(line);
    this.#budget?.giveBack(longLines.get(line) ?? 0);
  }

  /** The first cause counts. */
  #finish(failure: unknown, end?: StreamEnd): void {
    if (!this.#ended) {
      this.#ended = true;
      this.#end = end;
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

/** `removed` is asked for in any case: it is the end of a terminal's events. */
function withEnd({ types, ...filter }: EventFilter): EventFilter {
  return types === undefined ? filter : { ...filter, types: [...new Set([...types, 'removed' as const])] };
}

/** A line of a stream without a type. */
const NO_EVENT: Header = { event: null };

function malformed(path: string): T4aError {
  return unreachable(path, 'its reply to "events" is malformed');
}

function daemonEnded(): T4aError {
  const message = 'The daemon has closed the stream of events: it has ended, or is shutting down.';
  return new T4aError('connection_lost', message, { hint: 't4a ping' });
}

function hostLost({ host, error }: Header): T4aError {
  const why = typeof error === 'string' ? `: ${error}` : '.';
  return new T4aError('host_unreachable', `The host ${quote(host)} is not reached any more${why}`);
}

function connectionLost(): T4aError {
  return new T4aError('connection_lost', 'The daemon closed the connection before it had subscribed.');
}
