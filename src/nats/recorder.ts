/**
 * The events of this daemon for a stream of the operator's, if there is one over their subjects: published while it is there, each
 * once by its number, and none otherwise. The stream is behind the last event that it has confirmed: after a loss of server or
 * agent the recorder goes on behind that one, out of the daemon's history.
 */
import { headers } from '@nats-io/transport-node';
import { LineSplitter } from '../protocol/framing.js';
import { MAX_LINE_BYTES } from '../protocol/limits.js';
import { loweredConnection } from './asked-daemon.js';
import { readStream, jetStreamOf } from './jetstream.js';
import { encodeRecord, idOf, isRecorded, numberIn } from './records.js';
import type { ServerConnection } from './server-connection.js';
import { isNoResponders, isRefused } from './server-errors.js';
import type { Subjects } from './subjects.js';

export interface StreamRecorderOptions {
  readonly server: ServerConnection;
  readonly subjects: Subjects;
  readonly host: string;
  readonly socketPath: string;
  /** Instance of the daemon. */
  readonly instance: () => string;
  readonly log: (line: string) => void;
}

const ACK_MS = 5000;
/** Events on their way to the stream; beyond them the daemon's stream waits. */
const MAX_UNCONFIRMED = 256;
/** Signs of life between looks for a stream: each of the first ones, then once a minute. */
const FIRST_LOOKS = 6;
const LOOK_EVERY = 12;

export class StreamRecorder {
  readonly #options: StreamRecorderOptions;
  #stream: string | undefined;
  #running: AbortController | undefined;
  #looks = 0;
  #isBarred = false;

  constructor(options: StreamRecorderOptions) {
    this.#options = options;
  }

  /** Name of the stream; undefined while there is none. */
  get stream(): string | undefined {
    return this.#stream;
  }

  /** Looks again, at each sign of life. */
  async look(): Promise<void> {
    const { subjects, host, server, log } = this.#options;
    const look = this.#looks++;
    if (this.#running !== undefined || this.#isBarred || (look >= FIRST_LOOKS && look % LOOK_EVERY !== 0)) return;
    const running = new AbortController();
    this.#running = running;
    try {
      const stream = await jetStreamOf(server.nats, subjects.eventsOf(host));
      if (stream === undefined || running.signal.aborted) return;
      this.#stream = stream;
      log(`Events are recorded by the stream ${JSON.stringify(stream)} of the NATS server.`);
      await this.#record(stream, running.signal);
    } catch (error) {
      // A server without JetStream, or a user that may not ask: there is no recording.
      this.#isBarred = isRefused(error);
      if (this.#stream !== undefined && !running.signal.aborted)
        log(`Events are not recorded now: ${(error as Error).message}`);
    } finally {
      running.abort();
      if (this.#running === running) {
        this.#running = undefined;
        this.#stream = undefined;
      }
    }
  }

  /** The connection to the server was lost: another one begins anew. */
  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#stream = undefined;
    this.#looks = 0;
    this.#isBarred = false;
  }

  async #record(stream: string, signal: AbortSignal): Promise<void> {
    const { server, subjects, host, instance } = this.#options;
    let since = 0;
    const own = instance();
    for await (const last of readStream(server, stream, subjects.eventsOf(host), { deliver: 'last', signal }))
      since = numberIn(last, own) ?? 0;
    // A daemon that is slow to be read says so by "lagged": its history has what was left out.
    while (!signal.aborted) since = await this.#follow(since, own, signal);
  }

  /** @returns number of the last event, when some behind it were left out @throws Error if the stream or the daemon has gone */
  async #follow(since: number, instance: string, signal: AbortSignal): Promise<number> {
    const { socketPath } = this.#options;
    const socket = await loweredConnection(socketPath, 'read');
    return new Promise((resolve, reject) => {
      let last = since;
      let unconfirmed = 0;
      let isAcknowledged = false;
      let isBehind = false;
      const onAbort = (): void => end(() => reject(signal.reason as Error));
      const end = (settle: () => void): void => {
        isBehind = true;
        signal.removeEventListener('abort', onAbort);
        socket.destroy();
        settle();
      };
      const take = (bytes: Uint8Array): void => {
        if (isBehind) return;
        const event = JSON.parse(Buffer.from(bytes).toString()) as Readonly<Record<string, unknown>>;
        if (!isAcknowledged) {
          isAcknowledged = true;
          if (event['ok'] !== true) end(() => reject(new Error(String(event['error']))));
          return;
        }
        const { seq } = event;
        // What was dropped before the first one is dropped for good.
        if (event['event'] === 'lagged' && event['after'] === undefined && last > since)
          return end(() => resolve(last));
        if (typeof seq !== 'number') return;
        last = seq;
        if (!isRecorded(event)) return;
        unconfirmed++;
        void this.#publish(event, idOf(instance, seq)).then(
          () => {
            if (--unconfirmed < MAX_UNCONFIRMED / 2) socket.resume();
          },
          (error: Error) => end(() => reject(error)),
        );
        if (unconfirmed >= MAX_UNCONFIRMED) socket.pause();
      };
      const lines = new LineSplitter(MAX_LINE_BYTES, { line: take, tooLong: () => onAbort() });
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      socket.on('data', (chunk: Buffer) => lines.push(chunk));
      socket.once('close', () => end(() => reject(new Error('the daemon closed the connection'))));
      socket.write(`${JSON.stringify({ cmd: 'events', since, ack: true })}\n`);
      socket.resume();
    });
  }

  /** @throws Error if the stream has gone or is full; what is too large is left out */
  async #publish(event: Readonly<Record<string, unknown>>, id: string): Promise<void> {
    const { server, subjects, host } = this.#options;
    const data = encodeRecord(event);
    if (data.length > (server.nats.info?.max_payload ?? data.length) - 1024) return;
    const given = headers();
    given.set('Nats-Msg-Id', id);
    const subject = subjects.event(host, event['terminal'], String(event['event']));
    try {
      const ack = await server.nats.request(subject, data, { headers: given, timeout: ACK_MS });
      const { error } = ack.json<{ readonly error?: { readonly description?: unknown } }>();
      if (error !== undefined) throw new Error(`JetStream says ${JSON.stringify(error.description ?? 'no')}`);
    } catch (error) {
      if (!isNoResponders(error)) throw error;
      throw new Error('the stream has gone', { cause: error });
    }
  }
}
