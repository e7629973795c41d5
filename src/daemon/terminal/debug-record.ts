/**
 * Recent output of a terminal, for `output` and `debug`; unhandled sequences and queries, for `debug`. Not its input: who sent that
 * is kept beside it, in daemon/input.
 */
import { Ring } from '../../base/ring.js';
import { ByteTail } from '../../base/tail.js';
import { OUTPUT_RING_BYTES } from '../../protocol/limits.js';
import type { Query, UnknownSequence } from '../../vt/replies/sequences.js';

/** Programs usually repeat a few kinds; equal ones in a row are counted. */
const MAX_SEQUENCES = 256;

export interface RecordedSequence<T> {
  readonly item: T;
  /** Revision of the screen at the first occurrence. */
  readonly rev: number;
  count: number;
}

export class SeenRing<T extends UnknownSequence> {
  #ring = new Ring<RecordedSequence<T>>(MAX_SEQUENCES);
  #last: RecordedSequence<T> | undefined;

  add(item: T, rev: number): void {
    if (this.#last?.item.kind === item.kind && this.#last.item.text === item.text) {
      this.#last.count++;
      return;
    }
    this.#last = { item, rev, count: 1 };
    this.#ring.push(this.#last);
  }

  get dropped(): number {
    return this.#ring.dropped;
  }

  /** Oldest first. */
  list(): RecordedSequence<T>[] {
    return [...this.#ring];
  }

  clear(): void {
    this.#ring.clear();
    this.#last = undefined;
  }
}

export class DebugRecord {
  readonly unhandled = new SeenRing<UnknownSequence>();
  readonly queries = new SeenRing<Query>();
  readonly output = new ByteTail(OUTPUT_RING_BYTES);

  /** Keeps nothing of what the program has printed so far. */
  forget(): void {
    this.output.forget();
    this.unhandled.clear();
    this.queries.clear();
  }
}
