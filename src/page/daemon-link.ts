/** The page's connection to one daemon: requests, events, and a new connection after each loss. */
import type { StreamLine } from '../protocol/events.js';
import type { CommandName, ParamsInput, Reply } from '../protocol/registry.js';
import { socketUrl } from './admission.js';
import { SocketClosed, Unauthorized, admitted, shutOut, type ShutOut } from './proof.js';
import type { KeyGrant, Remembered, Roster, Welcome } from './greeting.js';
import { RequestError } from './request-error.js';
import { Pulse } from './pulse.js';
import type { ServedRequests } from './served.js';

export { RequestError };

export interface LinkSink {
  /** Connected, anew or for the first time. */
  opened(welcome: Welcome): void;
  /** Also after each attempt in vain. @param reason a sentence */
  lost(reason: string): void;
  /** It tries no more, until it is {@link DaemonLink.wake}d. */
  stopped(): void;
  /** Its key is not valid any more. */
  unauthorized(why: ShutOut): void;
  /** The daemons are others now. */
  named(daemons: readonly string[]): void;
  event(event: StreamLine): void;
}

type Answer = Readonly<Record<string, unknown>>;

interface Pending {
  readonly takesBytes?: boolean;
  resolve(answer: never): void;
  reject(error: Error): void;
}

interface RequestOptions {
  readonly takesBytes?: boolean;
  readonly signal?: AbortSignal | undefined;
}

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 5000;

/** For so long, and so many times, no server has answered: it has ended. A browser that slept has not tried so often. */
const UNANSWERED_MS = 5 * 60_000;
const MOST_UNANSWERED = 10;

/** A way that carries nothing does not say so. */
const MOST_OPENING_MS = 15_000;

/** RFC 6455: closed without a word. */
const ABNORMAL = 1006;

/** The stream of events has this number. */
const EVENTS = 'events';

export class DaemonLink {
  /** Undefined until the first one that answers is given. */
  daemon: string | undefined;
  welcome: Welcome | undefined;
  #key: KeyGrant;
  readonly #sink: LinkSink;
  #socket: WebSocket | undefined;
  #isOpen = false;
  #isLeft = false;
  #retryMs = FIRST_RETRY_MS;
  #unanswered = 0;
  /** The first of them. */
  #unansweredSinceMs = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #lastReq = 0;
  /** The message that comes next has the bytes of a reply. */
  #due: ((bytes: ArrayBuffer) => void) | undefined;
  readonly #pending = new Map<number, Pending>();
  /** Of requests without a number, whose answers come in their order. */
  readonly #inputs: Pending[] = [];
  readonly #pulse = new Pulse({
    ask: () => void this.ask('ping', {}).catch(() => {}),
    isHidden: () => document.hidden,
    awaitsLarge: () => this.#due !== undefined || [...this.#pending.values()].some(({ takesBytes }) => takesBytes),
    silent: (ms) => this.#silent(`Nothing has come for ${Math.round(ms / 1000)} seconds.`),
  });
  /** Of their own, beside that of the page. */
  readonly #streams = new Map<number, (event: StreamLine) => void>();

  constructor(key: KeyGrant, daemon: string | undefined, sink: LinkSink) {
    this.#key = key;
    this.daemon = daemon;
    this.#sink = sink;
    // A phone that comes back from sleep does not wait for the next attempt.
    addEventListener('online', () => this.wake());
    document.addEventListener('visibilitychange', () => !document.hidden && this.wake());
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    const socket = new WebSocket(socketUrl());
    this.#socket = socket;
    const bound = setTimeout(() => this.#silent('The server does not answer.'), MOST_OPENING_MS);
    admitted(socket, this.#key, this.daemon).then(
      (welcome) => {
        clearTimeout(bound);
        if (socket === this.#socket) this.#opened(socket, welcome);
      },
      (error: unknown) => {
        clearTimeout(bound);
        if (socket !== this.#socket) return;
        if (error instanceof Unauthorized) this.#sink.unauthorized(error.why);
        else this.#unopened(error);
      },
    );
  }

  /** A key that outlives the server. @param name of this browser @throws RequestError */
  remember(name: string): Promise<Remembered> {
    return new Promise((resolve, reject) => {
      const req = ++this.#lastReq;
      if (!this.#send({ remember: name, req })) return reject(lost());
      this.#pending.set(req, { resolve, reject });
    });
  }

  /** Goes on with another key, by a socket of its own. */
  renew(key: KeyGrant): void {
    this.#key = key;
    this.#socket?.close();
  }

  close(): void {
    this.#isLeft = true;
    clearTimeout(this.#retry);
    this.#socket?.close();
  }

  /** Its answer may overtake those of others. @param signal cancels it at the daemon @throws RequestError */
  readonly ask = <Name extends CommandName>(
    cmd: Name,
    fields: ParamsInput<Name>,
    signal?: AbortSignal,
  ): Promise<Reply<Name>> => this.#request(cmd, fields, { signal });

  /** Of `t4a web` itself. @throws RequestError */
  served<Name extends keyof ServedRequests>(
    cmd: Name,
    fields: ServedRequests[Name]['fields'],
  ): Promise<ServedRequests[Name]['reply']> {
    return this.#request(cmd, fields);
  }

  /** Those that follow the reply. @throws RequestError */
  async bytes(cmd: 'screenshot' | 'export' | 'web_film', fields: object): Promise<ArrayBuffer> {
    const answer = await this.#request<Answer>(cmd, fields, { takesBytes: true });
    return answer['bytes'] as ArrayBuffer;
  }

  #request<T>(cmd: string, fields: object, { takesBytes = false, signal }: RequestOptions = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      const req = ++this.#lastReq;
      if (!this.#send({ cmd, req, ...fields })) return reject(lost());
      const cancel = (): void => void this.ask('cancel', { of: req }).catch(() => {});
      const ended = (): void => signal?.removeEventListener('abort', cancel);
      signal?.addEventListener('abort', cancel, { once: true });
      this.#pending.set(req, {
        takesBytes,
        resolve: (answer) => (ended(), resolve(answer)),
        reject: (error) => (ended(), reject(error)),
      });
    });
  }

  /** Keeps its place among the other inputs. @throws RequestError */
  input<Name extends CommandName>(cmd: Name, fields: ParamsInput<Name>): Promise<Reply<Name>> {
    return new Promise((resolve, reject) => {
      if (!this.#send({ cmd, ...fields })) return reject(lost());
      this.#inputs.push({ resolve, reject });
    });
  }

  /** Events until it is ended, or the connection lost. @returns ends it */
  stream(fields: Omit<ParamsInput<'events'>, 'shared'>, take: (event: StreamLine) => void): () => void {
    const req = ++this.#lastReq;
    if (this.#send({ cmd: 'events', req, shared: true, ...fields })) this.#streams.set(req, take);
    return () => {
      if (this.#streams.delete(req)) void this.ask('cancel', { of: req }).catch(() => {});
    };
  }

  #send(message: object): boolean {
    // It may be closing already, before its event comes.
    if (!this.#isOpen || this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify({ ...message, as: this.welcome?.person }));
    return true;
  }

  #opened(socket: WebSocket, welcome: Welcome): void {
    this.#isOpen = true;
    this.#retryMs = FIRST_RETRY_MS;
    this.#unanswered = 0;
    this.welcome = welcome;
    this.daemon = welcome.daemon;
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => {
      this.#pulse.heard();
      if (typeof data === 'string') return this.#take(JSON.parse(data) as Answer);
      this.#due?.(data as ArrayBuffer);
      this.#due = undefined;
    };
    socket.onclose = ({ code, reason }) => this.#closed(code, reason);
    this.#send({ cmd: 'events', req: EVENTS, shared: true });
    this.#pulse.begin();
    this.#sink.opened(welcome);
  }

  #take(answer: Answer): void {
    const { req } = answer;
    if ('event' in answer) {
      const event = answer as unknown as StreamLine;
      return typeof req === 'number' ? this.#streams.get(req)?.(event) : this.#sink.event(event);
    }
    if (!('ok' in answer) && 'daemons' in answer) return this.#sink.named((answer as unknown as Roster).daemons);
    if (req === EVENTS) return;
    const pending = typeof req === 'number' ? this.#pending.get(req) : this.#inputs.shift();
    if (typeof req === 'number') this.#pending.delete(req);
    if (answer['ok'] === true && pending?.takesBytes === true)
      this.#due = (bytes) => pending.resolve({ ...answer, bytes } as never);
    else if (answer['ok'] === true) pending?.resolve(answer as never);
    else pending?.reject(errorOf(answer));
  }

  #unopened(error: unknown): void {
    if (this.#isLeft) return;
    this.#sink.lost(error instanceof Error ? error.message : String(error));
    if (!(error instanceof SocketClosed) || !error.isUnanswered) this.#unanswered = 0;
    else if (this.#unanswered++ === 0) this.#unansweredSinceMs = performance.now();
    const hasEnded = performance.now() - this.#unansweredSinceMs >= UNANSWERED_MS;
    if (this.#unanswered >= MOST_UNANSWERED && hasEnded) this.#sink.stopped();
    else this.#again();
  }

  /** Its end would be said late, or never. @param reason a sentence */
  #silent(reason: string): void {
    const socket = this.#socket;
    if (socket === undefined) return;
    this.#socket = undefined;
    socket.onmessage = socket.onclose = null;
    socket.close();
    this.#closed(ABNORMAL, reason);
  }

  #closed(code: number, reason: string): void {
    this.#isOpen = false;
    this.#pulse.end();
    for (const pending of [...this.#pending.values(), ...this.#inputs.splice(0)]) pending.reject(lost());
    this.#pending.clear();
    this.#streams.clear();
    this.#due = undefined;
    const why = shutOut(code, 'key over');
    if (why === undefined) this.#unopened(new SocketClosed(code, reason));
    else this.#sink.unauthorized(why);
  }

  #again(): void {
    if (this.#isLeft) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.open(), this.#retryMs);
    this.#retryMs = Math.min(LAST_RETRY_MS, this.#retryMs * 1.7);
  }

  /** Tries at once, if it waits or has stopped. */
  wake(): void {
    const isWaiting =
      !this.#isOpen && !this.#isLeft && (this.#socket?.readyState ?? WebSocket.CLOSED) === WebSocket.CLOSED;
    if (!isWaiting) return;
    this.#unanswered = 0;
    this.#retryMs = FIRST_RETRY_MS;
    this.#again();
  }
}

function errorOf({ code, error, field }: Answer): RequestError {
  return new RequestError(String(code), String(error), typeof field === 'string' ? field : undefined);
}

function lost(): RequestError {
  return new RequestError('connection_lost', 'The daemon cannot be reached.');
}
