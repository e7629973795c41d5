/** A queue with a fixed bound: pushing into a full one drops the oldest item and counts it. */
export class Ring<T> {
  readonly #slots: (T | undefined)[];
  #head = 0;
  #size = 0;
  #dropped = 0;

  /** @param capacity maximum number of items, at least 1 */
  constructor(capacity: number) {
    if (!Number.isInteger(capacity) || capacity < 1)
      throw new RangeError(`ring capacity ${capacity}: expected at least 1`);
    this.#slots = Array.from({ length: capacity });
  }

  get size(): number {
    return this.#size;
  }

  get capacity(): number {
    return this.#slots.length;
  }

  /** Items that were dropped before they were taken. */
  get dropped(): number {
    return this.#dropped;
  }

  push(item: T): void {
    if (this.#size === this.#slots.length) {
      this.shift();
      this.#dropped++;
    }
    this.#slots[(this.#head + this.#size) % this.#slots.length] = item;
    this.#size++;
  }

  shift(): T | undefined {
    if (this.#size === 0) return undefined;
    const item = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) % this.#slots.length;
    this.#size--;
    return item;
  }

  peek(): T | undefined {
    return this.#size === 0 ? undefined : this.#slots[this.#head];
  }

  clear(): void {
    while (this.#size > 0) this.shift();
    this.#dropped = 0;
  }

  /** Oldest first. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (let i = 0; i < this.#size; i++) yield this.#slots[(this.#head + i) % this.#slots.length] as T;
  }
}
