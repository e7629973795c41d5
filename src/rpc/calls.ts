/**
 * The calls of one connection that are not answered yet. Each has a signal of its own, so that a client can cancel one of
 * them; the signal is made when a handler asks for it, which most do not.
 */
import { setMaxListeners } from 'node:events';
import type { Disposable } from '../base/lifetime.js';
import { T4aError } from '../protocol/errors.js';
import type { RequestId } from '../protocol/request.js';
import type { Restriction } from './restriction.js';
import type { CallConnection, ClientCall } from './service.js';

/** Parts that the calls of a connection share. */
export interface CallHost extends Pick<ClientCall, 'behind' | 'caughtUp'> {
  restriction?: Restriction | undefined;
  /** Takes turns with all connections of that name as one. */
  shareTurns(name: string): void;
  /** @returns whether there was such a stream */
  endStream(req: RequestId): boolean;
  /** Change of the bytes of replies that are not whole. */
  made(bytes: number): void;
}

export class Calls implements CallConnection {
  readonly #host: CallHost;
  readonly #onGone = new Set<() => void>();
  readonly #pending = new Set<PendingCall>();
  #ended: T4aError | undefined;

  constructor(host: CallHost) {
    this.#host = host;
  }

  /** Call {@link Calls.finish} once it is answered. */
  begin(req: RequestId | undefined): PendingCall {
    const call: PendingCall = new PendingCall(req, this.#host, this, (of): boolean => this.#cancel(of, call));
    if (this.#ended !== undefined) call.abort(this.#ended);
    this.#pending.add(call);
    return call;
  }

  finish(call: PendingCall): void {
    this.#pending.delete(call);
    call.free();
  }

  /** Aborts all calls; those that begin later are aborted from the start. The first reason counts. */
  abortAll(reason: T4aError): void {
    this.#ended ??= reason;
    for (const call of this.#pending) call.abort(reason);
    for (const listener of this.#onGone) listener();
    this.#onGone.clear();
  }

  onGone(listener: () => void): Disposable {
    if (this.#ended === undefined) this.#onGone.add(listener);
    else listener();
    return { dispose: () => void this.#onGone.delete(listener) };
  }

  #cancel(of: RequestId, by: PendingCall): boolean {
    const cancelled = [...this.#pending].filter((call) => call.req === of && call !== by);
    for (const call of cancelled) call.abort(cancelledError());
    return this.#host.endStream(of) || cancelled.length > 0;
  }
}

export class PendingCall implements ClientCall {
  readonly req: RequestId | undefined;
  readonly connection: CallConnection;
  readonly #host: CallHost;
  readonly #cancel: (of: RequestId) => boolean;
  #controller: AbortController | undefined;
  #reason: T4aError | undefined;
  #madeBytes = 0;

  constructor(
    req: RequestId | undefined,
    host: CallHost,
    connection: CallConnection,
    cancel: (of: RequestId) => boolean,
  ) {
    this.req = req;
    this.connection = connection;
    this.#host = host;
    this.#cancel = cancel;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      // A wait listens once for each of its conditions: Node would warn of the eleventh.
      setMaxListeners(0, this.#controller.signal);
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#reason !== undefined;
  }

  get restriction(): Restriction | undefined {
    return this.#host.restriction;
  }

  get behind(): boolean {
    return this.#host.behind;
  }

  caughtUp(): Promise<void> {
    return this.#host.caughtUp();
  }

  made(bytes: number): void {
    this.#madeBytes += bytes;
    this.#host.made(bytes);
  }

  /** Parts of the reply are given up, or are the outbox's. */
  free(): void {
    if (this.#madeBytes > 0) this.#host.made(-this.#madeBytes);
    this.#madeBytes = 0;
  }

  cancel(of: RequestId): boolean {
    return this.#cancel(of);
  }

  /** The first reason counts. */
  abort(reason: T4aError): void {
    this.#reason ??= reason;
    this.#controller?.abort(this.#reason);
  }

  /** Why it ended, if it was aborted. */
  get reason(): T4aError | undefined {
    return this.#reason;
  }
}

function cancelledError(): T4aError {
  return new T4aError('cancelled', 'The client cancelled the request.', {
    hint: 'What the request had done by then stays done.',
  });
}
