/** The last bytes of a stream, in a ring of fixed size that is allocated with the first byte. */
export class ByteTail {
  readonly #capacity: number;
  #ring: Uint8Array | undefined;
  #total = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Bytes received in all. */
  get total(): number {
    return this.#total;
  }

  push(chunk: Uint8Array): void {
    const ring = (this.#ring ??= new Uint8Array(this.#capacity));
    const kept = chunk.subarray(Math.max(0, chunk.length - this.#capacity));
    this.#total += chunk.length;
    const end = this.#total % this.#capacity;
    const start = (this.#total - kept.length) % this.#capacity;
    const untilWrap = Math.min(kept.length, this.#capacity - start);
    ring.set(kept.subarray(0, untilWrap), start);
    if (untilWrap < kept.length) ring.set(kept.subarray(untilWrap), end - (kept.length - untilWrap));
  }

  /** Returns at most the capacity. */
  last(count: number): Uint8Array {
    const length = Math.min(count, this.#total, this.#capacity);
    const bytes = new Uint8Array(length);
    const ring = this.#ring;
    if (ring === undefined || length === 0) return bytes;
    const start = (this.#total - length) % this.#capacity;
    const untilWrap = Math.min(length, this.#capacity - start);
    bytes.set(ring.subarray(start, start + untilWrap));
    bytes.set(ring.subarray(0, length - untilWrap), untilWrap);
    return bytes;
  }
}
