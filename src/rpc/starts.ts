/**
 * The requests of one connection on their way to the schedule, in their order: one at a time is in it. When its turn comes it begins
 * only if the client reads its replies: those before it may have filled the outbox since it was read. Bounded by the requests that
 * are not answered.
 */
import type { RequestSchedule } from './request-schedule.js';

export interface StartsOptions {
  readonly schedule: RequestSchedule;
  /** More than its bound of replies is unread: nothing begins. */
  readonly isCongested: () => boolean;
}

export class Starts {
  readonly #options: StartsOptions;
  readonly #waiting: (() => void)[] = [];
  #isOffered = false;

  constructor(options: StartsOptions) {
    this.#options = options;
  }

  /** Resolves when the request is to begin. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.offer();
    });
  }

  /** Call it when the client may have read. */
  offer(): void {
    if (this.#isOffered || this.#waiting.length === 0 || this.#options.isCongested()) return;
    this.#isOffered = true;
    this.#options.schedule.begin(this, this.#onTurn);
  }

  readonly #onTurn = (): void => {
    this.#isOffered = false;
    if (this.#options.isCongested()) return;
    this.#waiting.shift()?.();
    this.offer();
  };
}
