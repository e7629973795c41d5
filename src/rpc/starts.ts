/**
 * The requests of one connection on their way to the schedule, in their order: one at a time is in it. When its turn comes it begins
 * only if the client reads its replies: those before it may have filled the outbox since it was read. Bounded by the requests that
 * are not answered.
 */
import type { RequestSchedule } from './request-schedule.js';

export interface StartsOptions {
  /** Owner by whom the schedule gives turns. */
  readonly owner: () => object;
  readonly schedule: RequestSchedule;
  /** More than its bound of replies is unread: nothing begins. */
  readonly isCongested: () => boolean;
}

interface Start {
  readonly begin: () => void;
  readonly load: Load | undefined;
}

/** Undefined if there is nothing to wait for. */
type Load = () => Promise<unknown> | undefined;

export class Starts {
  readonly #options: StartsOptions;
  readonly #waiting: Start[] = [];
  #isOffered = false;

  constructor(options: StartsOptions) {
    this.#options = options;
  }

  /** Resolves when the request is to begin. @param load what it needs: the next request begins after it */
  next(load?: Load): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ begin, load });
      this.offer();
    });
  }

  /** Call it when the client may have read. */
  offer(): void {
    if (this.#isOffered || this.#waiting.length === 0 || this.#options.isCongested()) return;
    this.#isOffered = true;
    this.#options.schedule.begin(this.#options.owner(), this.#onTurn);
  }

  readonly #onTurn = (): void => {
    this.#isOffered = false;
    if (this.#options.isCongested()) return;
    const loading = this.#waiting[0]?.load?.();
    if (loading === undefined) return this.#begin();
    this.#isOffered = true;
    const begin = (): void => {
      this.#isOffered = false;
      this.#begin();
    };
    // What has failed to load is an error of its request.
    loading.then(begin, begin);
  };

  #begin(): void {
    this.#waiting.shift()?.begin();
    this.offer();
  }
}
