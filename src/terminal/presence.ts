/**
 * Who looks at a terminal, and the open questions about it: part of the state that its watchers are shown. A watcher is a
 * connection that asks `watch`, until it has gone, or has not asked for a while.
 */
import { type HasParts, PartKey } from '../base/parts.js';
import type { Disposable } from '../base/lifetime.js';
import { Emitter } from '../base/emitter.js';
import type { Clock } from '../base/clock.js';
import type { CallConnection } from '../rpc/service.js';

/** Between two questions of one watcher. */
const ABSENT_MS = 10_000;

interface Watcher {
  /** Questions that are not answered yet. */
  asking: number;
  lastMs: number;
  readonly leaving: Disposable;
}

export class Presence {
  readonly changed = new Emitter<void>();
  readonly #clock: Clock;
  readonly #watchers = new Map<CallConnection, Watcher>();
  #asks: readonly number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Without a timer: a watcher that only stopped asking is noticed with the next question of another. */
  get watchers(): number {
    const nowMs = this.#clock.now();
    for (const [connection, { asking, lastMs }] of this.#watchers) {
      if (asking === 0 && nowMs - lastMs > ABSENT_MS) this.#leave(connection);
    }
    return this.#watchers.size;
  }

  /** Numbers of the open questions about this terminal. */
  get asks(): readonly number[] {
    return this.#asks;
  }

  set asks(numbers: readonly number[]) {
    this.#asks = numbers;
    this.changed.emit();
  }

  /** @returns to be called when the question is answered */
  ask(connection: CallConnection): () => void {
    let watcher = this.#watchers.get(connection);
    if (watcher === undefined) {
      const leaving = connection.onGone(() => {
        if (this.#leave(connection)) this.changed.emit();
      });
      this.#watchers.set(connection, (watcher = { asking: 0, lastMs: 0, leaving }));
      this.changed.emit();
    }
    const asked = watcher;
    asked.asking++;
    return () => {
      asked.asking--;
      asked.lastMs = this.#clock.now();
    };
  }

  #leave(connection: CallConnection): boolean {
    this.#watchers.get(connection)?.leaving.dispose();
    return this.#watchers.delete(connection);
  }
}

const PRESENCE = new PartKey<Presence | undefined>(() => undefined);

/** Open questions about the terminal. */
export function openAsks(terminal: HasParts): number {
  return terminal.part(PRESENCE).value?.asks.length ?? 0;
}

export function presenceOf(terminal: HasParts & { readonly clock: Clock }): Presence {
  return (terminal.part(PRESENCE).value ??= new Presence(terminal.clock));
}
