/**
 * A condition that searches the screen: at once if that is short work, otherwise in pieces, and undecided until the end.
 * Changes in the meantime are searched afterwards.
 */
import type { Disposable } from '../../base/lifetime.js';
import { type ArmedCondition, type Evidence, UNDECIDED } from './armed-condition.js';
import { finish, type Work } from '../../search/work.js';
import type { WorkSchedule } from '../../search/work-schedule.js';

export interface Searcher<Matter> {
  /** The part that has not been searched; undefined if there is nothing new. */
  take(): Matter | undefined;
  /** Upper bound of the steps of a search. */
  steps(matter: Matter): number;
  search(matter: Matter): Work<Evidence | undefined>;
  /** See ArmedCondition. */
  lack?(): string | undefined;
  dispose?(): void;
}

/** Up to 0.2 ms, so that nearly all waits are answered at once. */
const MAX_STEPS_AT_ONCE = 4000;

export class ScreenSearch<Matter> implements ArmedCondition {
  readonly #searcher: Searcher<Matter>;
  readonly #work: WorkSchedule;
  readonly #recheck: () => void;
  #running: Disposable | undefined;
  #evidence: Evidence | undefined;
  #closed = false;
  /** The unsearched part at the time of `close`. */
  #rest: Matter | undefined;

  constructor(searcher: Searcher<Matter>, work: WorkSchedule, recheck: () => void) {
    this.#searcher = searcher;
    this.#work = work;
    this.#recheck = recheck;
  }

  check(): Evidence | typeof UNDECIDED | undefined {
    if (this.#running === undefined && this.#evidence === undefined && !this.#closed) {
      this.#search(this.#searcher.take());
    }
    return this.#running === undefined ? this.#evidence : UNDECIDED;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#rest = this.#searcher.take();
  }

  lack(): string | undefined {
    return this.#searcher.lack?.();
  }

  dispose(): void {
    this.#running?.dispose();
    this.#searcher.dispose?.();
  }

  #search(matter: Matter | undefined): void {
    if (matter === undefined) return;
    const work = this.#searcher.search(matter);
    if (this.#searcher.steps(matter) <= MAX_STEPS_AT_ONCE) {
      this.#evidence = finish(work);
      return;
    }
    let isLate = false;
    let hasEnded = false;
    const running = this.#work.run(work, (result) => {
      hasEnded = true;
      this.#running = undefined;
      this.#evidence = result();
      if (isLate) this.#goOn();
    });
    isLate = true;
    if (!hasEnded) this.#running = running;
  }

  #goOn(): void {
    const rest = this.#rest;
    this.#rest = undefined;
    if (this.#evidence === undefined) this.#search(rest);
    if (this.#running === undefined) this.#recheck();
  }
}
