/** Bytes of a tail that another process gets while the stream goes on: a tail that is frozen later leaves them out. */
import { ByteTail } from './tail.js';

/** Bytes of one part. */
const PART_BYTES = 256 * 1024;

export interface TailPart {
  /** Offset of the first byte. */
  readonly from: number;
  readonly bytes: Uint8Array;
}

export class TailAhead {
  readonly #tail: ByteTail;
  readonly #floor: number;
  /** Offset of the next byte to give. */
  #next: number;

  constructor(tail: ByteTail) {
    this.#tail = tail;
    this.#floor = tail.floor;
    this.#next = tail.first;
  }

  /** Bytes of this moment that were not given yet. Later bytes wait for the next call. */
  *parts(): Generator<TailPart> {
    const { total } = this.#tail;
    while (this.#tail.floor === this.#floor && this.#next < total) {
      // A flood has pushed out the next byte: the other side begins anew.
      const from = Math.max(this.#next, this.#tail.first);
      const bytes = this.#tail.read(from, Math.min(PART_BYTES, Math.max(0, total - from)));
      this.#next = from + bytes.length;
      if (bytes.length > 0) yield { from, bytes };
    }
  }

  /** Offset behind the last byte that the other side has; undefined if its bytes are not the oldest of the tail. */
  get end(): number | undefined {
    return this.#tail.floor === this.#floor && this.#tail.first < this.#next ? this.#next : undefined;
  }
}

/** The given bytes in the other process, by the number of their stream. */
export class TailsBefore {
  readonly #capacity: number;
  readonly #of = new Map<number, ByteTail>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(of: number, { from, bytes }: TailPart): void {
    const before = this.#of.get(of);
    const tail = before?.total === from ? before : ByteTail.startingAt(from, this.#capacity);
    tail.push(bytes);
    this.#of.set(of, tail);
  }

  take(of: number): ByteTail | undefined {
    const tail = this.#of.get(of);
    this.#of.delete(of);
    return tail;
  }
}
