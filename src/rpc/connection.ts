/**
 * One client: its bytes become requests, their answers go to its outbox. Requests without `req` run one after the other
 * and are answered in order; requests with `req` begin in any case, as the schedule has it, and so are lines cut. Knows no command but by what its answer looks like.
 *
 * Bounds, from the configuration at the time of its start: a line (refused, then closed), requests with `req` in flight
 * (refused), requests in order that wait (same number, or the bytes of one line: no more is read), unread replies (no more
 * is read, and no request begins). What all connections hold is bounded, too (`held.ts`): the one that holds most is cut off.
 */
import type { Socket } from 'node:net';
import type { Log } from '../base/log.js';
import type { Config } from '../protocol/commands/config.js';
import { T4aError } from '../protocol/errors.js';
import type { CommandName } from '../protocol/registry.js';
import type { ParsedLine, RequestId } from '../protocol/request.js';
import { requestIdOf } from '../protocol/request-line.js';
import { type CallHost, Calls } from './calls.js';
import { type Admit, admitLine, dispatch, failure, type Outgoing, streamOf } from './dispatch.js';
import { errnoOf } from '../base/errno.js';
import type { Held } from './held.js';
import { LineTurns } from './line-turns.js';
import { Outbox } from './outbox.js';
import { LOG_HINT, withoutMessage } from './reported-error.js';
import { notBegun } from './resume.js';
import { LARGE_PIECE_BYTES, ReadTurns } from './read-turns.js';
import { RequestSchedule } from './request-schedule.js';
import { reqTaken, sharesAlready, streamsAlready } from './refused-streams.js';
import type { CallConnection, Handlers } from './service.js';
import { Starts } from './starts.js';

/** A client that has closed its writing side is asked this often whether it still reads. */
const PROBE_INTERVAL_MS = 1000;

/**
 * Milliseconds in which the rest of what a client sends is read and dropped after its last reply, so that it gets to reading it.
 */
const LINGER_MS = 5000;

/** Bytes of a request beside its line until it is answered. */
const REQUEST_BYTES = 2048;

const DISCONNECTED = ['EPIPE', 'ECONNRESET', 'ECANCELED'];

export type ConnectionLimits = Pick<Config, 'max_line_bytes' | 'max_requests_in_flight' | 'client_buffer_bytes'>;

export interface ConnectedAsker {
  readonly scope: string | undefined;
  readonly connection: CallConnection;
}

export interface ConnectionOptions {
  readonly handlers: Handlers;
  readonly log: Log;
  readonly limits: ConnectionLimits;
  readonly admit?: Admit | undefined;
  /** Shared by all connections of a process. */
  readonly schedule?: RequestSchedule | undefined;
  /** Order in which large pieces are read, of all connections. */
  readonly reads?: ReadTurns | undefined;
  /** Shared, too. */
  readonly held?: Held | undefined;
  /** Called with each request that begins. */
  readonly onRequest?: ((cmd: CommandName | undefined, asker: ConnectedAsker) => void) | undefined;
}

export class Connection {
  readonly #socket: Socket;
  readonly #handlers: Handlers;
  readonly #log: Log;
  readonly #limits: ConnectionLimits;
  readonly #admit: Admit;
  readonly #outbox: Outbox;
  readonly #starts: Starts;
  readonly #client: CallHost;
  readonly #calls: Calls;
  readonly #lines: LineTurns;
  readonly #held: Held | undefined;
  readonly #onRequest: ConnectionOptions['onRequest'];
  readonly #schedule: RequestSchedule;
  readonly #reads: ReadTurns;
  /** Turns that it shares with other connections. */
  #shared: { readonly name: string; readonly owner: object } | undefined;
  #hasInputEnded = false;
  /** Ends when every request in order so far has been answered. */
  #turn = Promise.resolve();
  #waiting = 0;
  #waitingBytes = 0;
  #overtaking = 0;
  #overtakingBytes = 0;
  /** Bytes of replies that are not whole. */
  #madeBytes = 0;
  #requests = 0;
  /** One for all: a stack for each of many refusals costs more than they do. */
  #tooMany: T4aError | undefined;
  /** After its end of input, an oversized line or a shutdown no request is taken any more. */
  #takesRequests = true;
  #shuttingDown = false;
  #isHeld = false;
  /** Large pieces have come: the next one is read when others have had their turn. */
  #isReadLater = false;
  /** Requests that have not begun get it. */
  #refusal: T4aError | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, options: ConnectionOptions) {
    const { handlers, log, limits, admit = admitLine, schedule = new RequestSchedule(), held } = options;
    this.#socket = socket;
    this.#handlers = handlers;
    this.#log = log;
    this.#limits = limits;
    this.#admit = admit;
    this.#held = held;
    this.#onRequest = options.onRequest;
    this.#schedule = schedule;
    this.#reads = options.reads ?? new ReadTurns();
    const outbox = new Outbox(socket, limits.client_buffer_bytes, () => this.#regulate());
    this.#outbox = outbox;
    this.#starts = new Starts({
      // Order: one owner for its lines and their requests, which come in one place among those of others.
      owner: () => this.#shared?.owner ?? this,
      schedule,
      isCongested: () => outbox.congested,
    });
    this.#client = {
      get behind() {
        return outbox.congested;
      },
      caughtUp: () => outbox.caughtUp(),
      endStream: (req) => this.#endStream(req),
      made: (bytes) => {
        this.#madeBytes += bytes;
        if (bytes > 0 && !socket.destroyed) this.#held?.note(this);
      },
      shareTurns: (name) => {
        if (socket.destroyed) return;
        this.#shared ??= { name, owner: schedule.join(name) };
      },
    };
    this.#calls = new Calls(this.#client);
    this.#lines = new LineTurns({
      owner: () => this.#shared?.owner ?? this,
      schedule,
      maxLineBytes: limits.max_line_bytes,
      isFull: () => this.#isFull,
      line: (bytes) => this.#acceptLine(bytes),
      tooLong: () => this.#refuseRest(),
      onCut: () => {
        if (this.#hasInputEnded) this.#onInputEnd();
        this.#regulate();
      },
    });
    socket.on('data', (chunk: Buffer) => this.#acceptChunk(chunk));
    socket.on('end', () => this.#onInputEnd());
    socket.on('error', (error) => {
      if (!DISCONNECTED.includes(errnoOf(error) ?? '')) this.#log.error('connection failed', error);
    });
    socket.on('close', () => this.#onClose());
  }

  /** Requests begun and not answered. */
  get inFlight(): number {
    return this.#overtaking + Math.min(this.#waiting, 1);
  }

  /** Requests read whose turn has not come. */
  get waiting(): number {
    return Math.max(0, this.#waiting - 1) + this.#lines.lines;
  }

  /** Since its start. */
  get requests(): number {
    return this.#requests;
  }

  get unreadBytes(): number {
    return this.#outbox.unreadBytes;
  }

  get replyBytes(): number {
    return this.#outbox.unreadBytes + this.#madeBytes;
  }

  /** Sent by the client and not answered: lines without an end, lines that are not read, requests. */
  get sentBytes(): number {
    return (
      this.#lines.heldBytes +
      this.#waitingBytes +
      this.#overtakingBytes +
      REQUEST_BYTES * (this.#waiting + this.#overtaking)
    );
  }

  /** Answers with that error before anything was asked, and closes. */
  refuse(error: T4aError): void {
    this.#takesRequests = false;
    this.#send(failure(error, undefined));
    this.#endIfDone();
  }

  /** Lets what is under way be answered, each with its signal aborted, then closes; after `graceMs` in any case. */
  close(graceMs: number, reason = new T4aError('shutting_down', 'The daemon is shutting down.')): void {
    this.#shuttingDown = true;
    this.#leave(graceMs, reason);
  }

  #leave(graceMs: number, reason: T4aError): void {
    this.#takesRequests = false;
    this.#outbox.streams.endAll();
    this.#calls.abortAll(reason);
    this.#setTimer(setTimeout(() => this.#socket.destroy(), graceMs));
    this.#endIfDone();
  }

  /** Nothing more is read from the client, until this is called with false. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#regulate();
  }

  /**
   * Like {@link close}, of another reason: requests that have not begun get it, too, and so does the client, in a last line without
   * a request. What it has sent by then is read and dropped until it closes.
   * @returns the socket of a client that has asked nothing yet: it stays open, and nothing is read here any more
   */
  leave(reason: T4aError, graceMs: number): Socket | undefined {
    this.#refusal = reason;
    this.#isHeld = false;
    const socket = this.#socket;
    if (this.#requests > 0 || this.sentBytes > 0 || this.#hasInputEnded || socket.destroyed) {
      this.#leave(graceMs, reason);
      return undefined;
    }
    socket.removeAllListeners('data');
    socket.removeAllListeners('end');
    this.#takesRequests = false;
    return socket;
  }

  /**
   * Cuts the connection off: what it holds is free at once. A client that has read all replies is told why: nothing can come within
   * another one.
   */
  cutOff(error: T4aError): void {
    this.#log.warn(`a connection is cut off: ${error.message}`);
    this.#takesRequests = false;
    this.#lines.drop();
    if (this.#outbox.unreadBytes > 0) this.#socket.destroy();
    else {
      this.#outbox.send(failure(error, undefined).line as Uint8Array);
      this.#outbox.close();
    }
    // Order: nothing that is broken off by it is answered.
    this.#calls.abortAll(error);
  }

  #acceptChunk(chunk: Buffer): void {
    if (chunk.length >= LARGE_PIECE_BYTES && !this.#socket.destroyed) {
      this.#isReadLater = true;
      this.#reads.ask(this.#readOn);
    }
    if (!this.#takesRequests) return this.#regulate();
    // A plain view: `slice` of a Buffer shares its memory, that of a Uint8Array copies, as the splitter expects.
    const view = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#lines.push(view);
    this.#regulate();
  }

  readonly #readOn = (): void => {
    this.#isReadLater = false;
    this.#regulate();
  };

  #acceptLine(line: Uint8Array): void {
    if (line.length === 0) return;
    this.#requests++;
    const parsed = this.#parse(line);
    if (parsed.req === undefined) this.#takeTurn(parsed, line.length);
    else void this.#overtake(parsed, parsed.req, line.length);
  }

  /** The last line of defence: an error thrown here would reach the socket, and later requests would get no answer. */
  #parse(line: Uint8Array): ParsedLine {
    try {
      return this.#admit(line, this.#client);
    } catch (error) {
      this.#log.error('a request could not be read', withoutMessage(error));
      const internal = new T4aError('internal', 'The request could not be read.', { hint: LOG_HINT });
      return { req: requestIdOf(line), request: internal };
    }
  }

  #takeTurn(parsed: ParsedLine, lineBytes: number): void {
    this.#waiting++;
    this.#waitingBytes += lineBytes;
    this.#turn = this.#turn.then(async () => {
      await this.#starts.next(this.#loadOf(parsed));
      await this.#answer(parsed).catch((error: unknown) => this.#giveUp(error));
      this.#waiting--;
      this.#waitingBytes -= lineBytes;
      this.#regulate();
      this.#endIfDone();
    });
  }

  async #overtake(parsed: ParsedLine, req: RequestId, lineBytes: number): Promise<void> {
    const most = this.#limits.max_requests_in_flight;
    if (this.#overtaking + this.#outbox.streams.size >= most) {
      return this.#send(failure((this.#tooMany ??= tooManyRequests(most)), req));
    }
    this.#overtaking++;
    this.#overtakingBytes += lineBytes;
    await this.#starts.next(this.#loadOf(parsed));
    await this.#answer(parsed).catch((error: unknown) => this.#giveUp(error));
    this.#overtaking--;
    this.#overtakingBytes -= lineBytes;
    this.#held?.note(this);
    this.#endIfDone();
  }

  #loadOf({ request }: ParsedLine): (() => Promise<unknown> | undefined) | undefined {
    return request instanceof T4aError ? undefined : this.#handlers[request.cmd].load;
  }

  async #answer(parsed: ParsedLine): Promise<void> {
    if (this.#socket.destroyed) return;
    if (this.#refusal !== undefined) return this.#send(failure(notBegun(this.#refusal), parsed.req));
    if (this.#isStream) return this.#send(failure(streamsAlready(), parsed.req));
    const opens = streamOf(parsed);
    const early = opens === undefined ? undefined : this.#streamRefusal(opens);
    if (early !== undefined) return this.#send(failure(early, parsed.req));
    const call = this.#calls.begin(parsed.req);
    const { request, scope } = parsed;
    this.#onRequest?.(request instanceof T4aError ? undefined : request.cmd, { scope, connection: call.connection });
    const outgoing = await dispatch(this.#handlers, parsed, call, this.#log);
    this.#calls.finish(call);
    const refusal = outgoing.stream === undefined ? undefined : (call.reason ?? this.#streamRefusal(outgoing));
    if (refusal === undefined) return this.#send(outgoing);
    outgoing.stream?.dispose();
    this.#send(failure(refusal, parsed.req));
  }

  /** Whether the connection is one stream, and nothing else any more. */
  get #isStream(): boolean {
    return this.#outbox.streams.has(undefined);
  }

  #streamRefusal({ sharedAs }: Pick<Outgoing, 'sharedAs'>): T4aError | undefined {
    const { streams } = this.#outbox;
    if (this.#isStream) return streamsAlready();
    if (sharedAs === undefined) return streams.size > 0 ? sharesAlready() : undefined;
    return streams.has(sharedAs) ? reqTaken() : undefined;
  }

  #endStream(req: RequestId): boolean {
    const ended = this.#outbox.streams.end(req);
    this.#endIfDone();
    return ended;
  }

  /** Part of a reply may be written already: a client could not separate its rest from the next reply. */
  #giveUp(error: unknown): void {
    this.#log.error('a reply could not be sent', withoutMessage(error));
    this.#socket.destroy();
  }

  #send({ line, bytes, stream, sharedAs }: Outgoing): void {
    if (line !== undefined) this.#outbox.send(line, bytes);
    if (stream !== undefined) this.#outbox.stream(stream, sharedAs);
    this.#regulate();
  }

  #refuseRest(): void {
    this.#takesRequests = false;
    this.#takeTurn({ req: undefined, request: lineTooLong(this.#limits.max_line_bytes) }, 0);
  }

  /** The client will ask no more. It may have closed its writing side only, and wait for what it asked. */
  #onInputEnd(): void {
    this.#hasInputEnded = true;
    if (this.#takesRequests && !this.#lines.end()) return;
    this.#takesRequests = false;
    this.#outbox.probe();
    this.#setTimer(setInterval(() => this.#outbox.probe(), PROBE_INTERVAL_MS));
    this.#endIfDone();
  }

  #endIfDone(): void {
    const answered = this.#waiting === 0 && this.#overtaking === 0 && this.#outbox.streams.size === 0;
    if (this.#takesRequests || !answered) return;
    if (this.#shuttingDown) return this.#outbox.close();
    if (this.#socket.writableEnded) return;
    // Whatever comes after this line was not read.
    if (this.#refusal !== undefined) this.#send(failure(notBegun(this.#refusal), undefined));
    this.#outbox.end();
    if (!this.#socket.readableEnded) this.#setTimer(setTimeout(() => this.#socket.destroy(), LINGER_MS));
  }

  #onClose(): void {
    this.#takesRequests = false;
    clearTimeout(this.#timer);
    this.#outbox.streams.endAll();
    this.#calls.abortAll(new T4aError('connection_lost', 'The client has gone.'));
    this.#outbox.release();
    this.#starts.offer();
    this.#held?.forget(this);
    this.#reads.forget(this.#readOn);
    if (this.#shared !== undefined) this.#schedule.leave(this.#shared.name);
  }

  /** While the client does not read its replies, or asks faster than it is answered, it is not listened to. */
  #regulate(): void {
    if (!this.#socket.destroyed) this.#held?.note(this);
    this.#outbox.release();
    this.#starts.offer();
    if (this.#takesRequests) this.#lines.offer();
    else this.#lines.dropUncut();
    if (this.#isHeld || this.#isReadLater || (this.#takesRequests && (this.#isFull || this.#lines.isBehind)))
      this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  get #isFull(): boolean {
    const { max_requests_in_flight: mostRequests, max_line_bytes: mostBytes } = this.#limits;
    return this.#outbox.congested || this.#waiting >= mostRequests || this.#waitingBytes > mostBytes;
  }

  #setTimer(timer: NodeJS.Timeout): void {
    clearTimeout(this.#timer);
    this.#timer = timer.unref();
  }
}

function tooManyRequests(most: number): T4aError {
  return new T4aError('too_many_requests', `${most} requests of this connection are unanswered already.`, {
    hint: 'Wait for replies before you send more, or open a second connection.',
  });
}

function lineTooLong(most: number): T4aError {
  return new T4aError('line_too_long', `A request line has more than ${most} bytes.`, {
    hint: 'Send large input in several requests.',
  });
}
