/** Sequences of a program that the screen does not know, and queries, for `debug`. */
import { Ring } from '../base/ring.js';
import type { Query, UnknownSequence } from '../vt/replies/sequences.js';
import type { PictureProtocol, UnshownPicture } from '../vt/replies/unshown-pictures.js';

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

  restore(sequences: readonly RecordedSequence<T>[]): void {
    for (const each of sequences) {
      this.#last = { ...each };
      this.#ring.push(this.#last);
    }
  }

  clear(): void {
    this.#ring.clear();
    this.#last = undefined;
  }
}

export interface SeenLists {
  readonly unhandled: readonly RecordedSequence<UnknownSequence>[];
  readonly queries: readonly RecordedSequence<Query>[];
  readonly pictures: ReadonlyMap<PictureProtocol, UnshownPicture>;
}

export class SeenSequences {
  readonly unhandled = new SeenRing<UnknownSequence>();
  readonly queries = new SeenRing<Query>();
  /** The last picture of each kind. */
  readonly pictures = new Map<PictureProtocol, UnshownPicture>();

  freeze(): SeenLists {
    return { unhandled: this.unhandled.list(), queries: this.queries.list(), pictures: this.pictures };
  }

  restore({ unhandled, queries, pictures }: SeenLists): void {
    this.unhandled.restore(unhandled);
    this.queries.restore(queries);
    for (const [protocol, picture] of pictures) this.pictures.set(protocol, picture);
  }

  /** Keeps nothing of what the program has printed so far. */
  forget(): void {
    this.pictures.clear();
    this.unhandled.clear();
    this.queries.clear();
  }
}
