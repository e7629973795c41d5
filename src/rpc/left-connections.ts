/**
 * Connections of the daemon before, to which something is tied. No connection goes along, but its client may come back: it is known by the
 * scope of its requests. One that does not, or has no scope, is gone after a while.
 */
import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/lifetime.js';
import type { CallConnection } from './service.js';

/** Milliseconds until a client has to be back, as many as a hold of a connection has. */
const BACK_WITHIN_MS = 10_000;

export interface FrozenConnection {
  readonly scope: string | undefined;
  /** Until it is gone, unless its client comes back. */
  readonly leftMs: number;
}

export class LeftConnections {
  readonly #clock: Clock;
  readonly #ofScope = new Map<string, Set<LeftConnection>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param scope of the request that has tied something to it */
  freeze(connection: CallConnection, scope: string | undefined): FrozenConnection {
    const leftMs = connection instanceof LeftConnection ? connection.leftMs : undefined;
    return { scope, leftMs: leftMs ?? BACK_WITHIN_MS };
  }

  thaw({ scope, leftMs }: FrozenConnection): CallConnection {
    const left = new LeftConnection(this.#clock, leftMs);
    if (scope === undefined) return left;
    const same = this.#ofScope.get(scope) ?? new Set();
    this.#ofScope.set(scope, same.add(left));
    left.onGone(() => this.#forget(scope, left));
    return left;
  }

  /** To be called with each request. */
  asked(scope: string | undefined, connection: CallConnection): void {
    if (scope === undefined || this.#ofScope.size === 0) return;
    for (const left of this.#ofScope.get(scope) ?? []) left.isBack(connection);
  }

  #forget(scope: string, left: LeftConnection): void {
    const same = this.#ofScope.get(scope);
    same?.delete(left);
    if (same?.size === 0) this.#ofScope.delete(scope);
  }
}

class LeftConnection implements CallConnection {
  readonly #clock: Clock;
  readonly #dueMs: number;
  #timer: Disposable;
  readonly #listeners = new Set<() => void>();
  /** Other connections of its client, as one of its own for events: it is there as long as one of them is. */
  readonly #others = new Set<CallConnection>();
  #isGone = false;

  constructor(clock: Clock, leftMs: number) {
    this.#clock = clock;
    this.#dueMs = clock.now() + leftMs;
    this.#timer = clock.after(leftMs, () => this.#gone());
  }

  /** Undefined while its client is back. */
  get leftMs(): number | undefined {
    return this.#others.size > 0 ? undefined : this.#restMs;
  }

  get #restMs(): number {
    return Math.max(0, this.#dueMs - this.#clock.now());
  }

  isBack(connection: CallConnection): void {
    if (this.#others.has(connection)) return;
    this.#timer.dispose();
    this.#others.add(connection);
    connection.onGone(() => {
      this.#others.delete(connection);
      if (this.#others.size > 0) return;
      // What has gone may be another program of its scope, which asked once: its client has the rest of its time.
      if (this.#restMs > 0) this.#timer = this.#clock.after(this.#restMs, () => this.#gone());
      else this.#gone();
    });
  }

  onGone(listener: () => void): Disposable {
    if (this.#isGone) listener();
    else this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  #gone(): void {
    this.#isGone = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
