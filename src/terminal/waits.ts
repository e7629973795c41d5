/** Waits of one terminal, up to a limit. */
import type { Clock } from '../base/clock.js';
import { startWait, type WaitOptions } from '../events/waits/wait.js';
import type { PublishedSource, WaitSubject } from '../events/waits/subject.js';
import type { Reach } from '../protocol/reach.js';
import type { WaitParams, WaitReply } from '../protocol/conditions.js';
import { T4aError } from '../protocol/errors.js';
import type { TerminalEvent } from '../protocol/events.js';

export interface WaitRequest {
  readonly params: WaitParams;
  /** The input about to be sent, in a turn. */
  readonly input?: string | undefined;
  readonly signal: AbortSignal;
  /** Author of the request, for `control`. */
  readonly as?: string | undefined;
  /** That of the request, for the same. */
  readonly connection?: object | undefined;
  /** What that connection may do. Absent: everything. */
  readonly reach?: Reach | undefined;
  /** The request has made the terminal. */
  readonly isFirst?: boolean | undefined;
  /** Events since the request that count as well. */
  readonly published?: readonly TerminalEvent[];
}

type WaitAsker = Pick<WaitRequest, 'as' | 'connection'>;

interface WaitParts {
  readonly clock: Clock;
  readonly bus?: PublishedSource;
}

export class Waits {
  readonly #id: string;
  readonly #subject: WaitSubject;
  readonly #parts: WaitParts;
  readonly #most: number;
  readonly #holderFor: (asker: WaitAsker) => string | undefined;
  /** Connections of the pending waits. */
  readonly #pending = new Set<{ readonly connection: object | undefined; readonly reads: boolean }>();

  /** @param most maximum at once; each is checked after each parse, for some 10 µs */
  constructor(
    id: string,
    subject: WaitSubject,
    parts: WaitParts,
    most: number,
    holderFor: (asker: WaitAsker) => string | undefined = () => undefined,
  ) {
    this.#most = most;
    this.#holderFor = holderFor;
    this.#id = id;
    this.#subject = subject;
    this.#parts = parts;
  }

  /**
   * Armed when this returns. `onOutcome` is called at the instant of the outcome, and its result resolves the promise;
   * the promise is rejected when the caller has disconnected.
   * @throws T4aError too_many_waits, invalid_field, unsupported
   */
  start<T>(
    { params, input, isFirst = false, signal, as, connection, reach, published = [] }: WaitRequest,
    onOutcome: (reply: WaitReply) => T,
  ): Promise<T> {
    const place = { connection, reads: reach === 'read' };
    this.#assertRoom(place);
    signal.throwIfAborted();
    const ending = new WaitPromise<T>();
    startWait({
      subject: this.#subject,
      clock: this.#parts.clock,
      ...(this.#parts.bus === undefined ? {} : { bus: this.#parts.bus }),
      params,
      signal,
      isFirst,
      published,
      control: { as, holder: () => this.#holderFor({ as, connection }) },
      ...turnOf(input, params),
      onOutcome: (reply) => ending.reach(() => onOutcome(reply)),
    });
    this.#pending.add(place);
    const gone = (): void => ending.fail(signal.reason);
    signal.addEventListener('abort', gone, { once: true });
    return ending.promise.finally(() => {
      this.#pending.delete(place);
      signal.removeEventListener('abort', gone);
    });
  }

  /** Of all waits; of those of one connection; and of connections that may only read, however many these are. */
  #assertRoom({ connection, reads }: { readonly connection: object | undefined; readonly reads: boolean }): void {
    const pending = [...this.#pending];
    const ofConnection = pending.filter((one) => connection !== undefined && one.connection === connection);
    const share = Math.max(1, Math.floor(this.#most / 2));
    const bounds: readonly (readonly [count: number, most: number, of: string])[] = [
      [pending.length, this.#most, ''],
      [ofConnection.length, share, ' of this connection'],
      [reads ? pending.filter((one) => one.reads).length : 0, share, ' of connections that may only read'],
    ];
    const full = bounds.find(([count, most]) => count >= most);
    if (full === undefined) return;
    const [count, , of] = full;
    throw new T4aError('too_many_waits', `Terminal "${this.#id}" has ${count} waits${of}, which is the limit.`, {
      hint: 'Close connections whose waits are no longer needed, or raise "max_waits" with "config" for new terminals.',
    });
  }
}

/** A `fresh` wait is one of a turn without input. */
function turnOf(input: string | undefined, { fresh }: WaitParams): Pick<WaitOptions, 'turn'> {
  if (input !== undefined) return { turn: { input } };
  return fresh === true ? { turn: { input: '', acts: false } } : {};
}

/** A promise with its resolvers; it may be settled before it is awaited. */
class WaitPromise<T> {
  #resolve: (value: T) => void = () => {};
  #reject: (reason: unknown) => void = () => {};
  readonly promise = new Promise<T>((resolve, reject) => {
    this.#resolve = resolve;
    this.#reject = reject;
  });

  reach(value: () => T): void {
    try {
      this.#resolve(value());
    } catch (error) {
      this.#reject(error);
    }
  }

  fail(reason: unknown): void {
    this.#reject(reason);
  }
}
