/** The page's connection to one daemon: requests, events, and a new connection after each loss. */
import type { StreamLine } from '../protocol/events.js';
import type { CommandName, ParamsInput, Reply } from '../protocol/registry.js';
import { socketUrl } from './admission.js';
import { Unauthorized, admitted, shutOut, type ShutOut } from './proof.js';
import type { KeyGrant, Roster, Welcome } from './greeting.js';

export class RequestError extends Error {
  readonly code: string;
  /** Path of the field that is wrong, if one is. */
  readonly field: string | undefined;
  constructor(code: string, message: string, field?: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

export interface LinkSink {
  /** Connected, anew or for the first time. */
  opened(welcome: Welcome): void;
  /** Also after each attempt in vain. @param reason a sentence */
  lost(reason: string): void;
  /** Its key is not valid any more. */
  unauthorized(why: ShutOut): void;
  /** The daemons are others now. */
  named(daemons: readonly string[]): void;
  event(event: StreamLine): void;
}

type Answer = Readonly<Record<string, unknown>>;

interface Pending {
  resolve(answer: never): void;
  reject(error: Error): void;
}

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 5000;

/** The stream of events has this number. */
const EVENTS = 'events';

export class DaemonLink {
  /** Undefined until the first one that answers is given. */
  daemon: string | undefined;
  welcome: Welcome | undefined;
  readonly #key: KeyGrant;
  readonly #sink: LinkSink;
  #socket: WebSocket | undefined;
  #isOpen = false;
  #isLeft = false;
  #retryMs = FIRST_RETRY_MS;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #lastReq = 0;
  readonly #pending = new Map<number, Pending>();
  /** Of requests without a number, whose answers come in their order. */
  readonly #inputs: Pending[] = [];

  constructor(key: KeyGrant, daemon: string | undefined, sink: LinkSink) {
    this.#key = key;
    this.daemon = daemon;
    this.#sink = sink;
    // A phone that comes back from sleep does not wait for the next attempt.
    addEventListener('online', () => this.#now());
    document.addEventListener('visibilitychange', () => !document.hidden && this.#now());
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    const socket = new WebSocket(socketUrl());
    this.#socket = socket;
    admitted(socket, this.#key, this.daemon).then(
      (welcome) => this.#opened(socket, welcome),
      (error: unknown) => {
        if (error instanceof Unauthorized) this.#sink.unauthorized(error.why);
        else this.#unopened(error instanceof Error ? error.message : String(error));
      },
    );
  }

  close(): void {
    this.#isLeft = true;
    clearTimeout(this.#retry);
    this.#socket?.close();
  }

  /** Its answer may overtake those of others. @throws RequestError */
  ask<Name extends CommandName>(cmd: Name, fields: ParamsInput<Name>): Promise<Reply<Name>> {
    return new Promise((resolve, reject) => {
      const req = ++this.#lastReq;
      if (!this.#send({ cmd, req, ...fields })) return reject(lost());
      this.#pending.set(req, { resolve, reject });
    });
  }

  /** Keeps its place among the other inputs. @throws RequestError */
  input<Name extends CommandName>(cmd: Name, fields: ParamsInput<Name>): Promise<Reply<Name>> {
    return new Promise((resolve, reject) => {
      if (!this.#send({ cmd, ...fields })) return reject(lost());
      this.#inputs.push({ resolve, reject });
    });
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
    this.welcome = welcome;
    this.daemon = welcome.daemon;
    socket.onmessage = ({ data }) => typeof data === 'string' && this.#take(JSON.parse(data) as Answer);
    socket.onclose = ({ code, reason }) => this.#closed(code, reason);
    this.#send({ cmd: 'events', req: EVENTS, shared: true });
    this.#sink.opened(welcome);
  }

  #take(answer: Answer): void {
    if ('event' in answer) return this.#sink.event(answer as unknown as StreamLine);
    const { req } = answer;
    if (!('ok' in answer) && 'daemons' in answer) return this.#sink.named((answer as unknown as Roster).daemons);
    if (req === EVENTS) return;
    const pending = typeof req === 'number' ? this.#pending.get(req) : this.#inputs.shift();
    if (typeof req === 'number') this.#pending.delete(req);
    if (answer['ok'] === true) pending?.resolve(answer as never);
    else pending?.reject(errorOf(answer));
  }

  #unopened(reason: string): void {
    if (this.#isLeft) return;
    this.#sink.lost(reason);
    this.#again();
  }

  #closed(code: number, reason: string): void {
    this.#isOpen = false;
    for (const pending of [...this.#pending.values(), ...this.#inputs.splice(0)]) pending.reject(lost());
    this.#pending.clear();
    const why = shutOut(code, 'key over');
    if (why === undefined) this.#unopened(reason);
    else this.#sink.unauthorized(why);
  }

  #again(): void {
    if (this.#isLeft) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.open(), this.#retryMs);
    this.#retryMs = Math.min(LAST_RETRY_MS, this.#retryMs * 1.7);
  }

  #now(): void {
    const isWaiting = !this.#isOpen && !this.#isLeft && this.#socket?.readyState === WebSocket.CLOSED;
    if (!isWaiting) return;
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
