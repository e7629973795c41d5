/**
 * Replies of large reads, made in slices. What is read was captured in one step before; the rest of the work is done at once if it takes
 * a few milliseconds, as that of nearly all reads, and else in short slices, those of a connection one after the other.
 */
import { WorkSchedule } from '../../events/search/work-schedule.js';
import type { Work } from '../../events/search/work.js';
import type { ClientCall } from '../../rpc/service.js';
import { OneAtATime } from './one-at-a-time.js';

/** A screen of 200x50 takes one or two. */
const AT_ONCE_MS = 4;

/** In each turn of the event loop: a small read of another client waits about as long as it takes itself. */
const SLICE_MS = 1;

export class LongReads {
  readonly #schedule = new WorkSchedule(SLICE_MS);
  readonly #ofConnections = new OneAtATime();

  /** @throws the error of the work; the signal's reason */
  async finish<T>(work: Work<T>, call: ClientCall): Promise<T> {
    const endMs = performance.now() + AT_ONCE_MS;
    for (;;) {
      const next = work.next();
      if (next.done === true) return next.value;
      if (performance.now() >= endMs) break;
    }
    return this.#ofConnections.run(call, () => this.#schedule.finish(work, call.signal));
  }
}
