/** Pixels of the rows being painted, taken from memory that is kept from one picture to the next. */
export class PixelArena {
  #bytes = new Uint8Array(0);
  #words = new Uint32Array(0);
  #usedBytes = 0;
  #usedWords = 0;

  /** What was taken before may be overwritten from now on; what is too large to be kept is let go. */
  reset(): void {
    this.#usedBytes = 0;
    this.#usedWords = 0;
    if (this.#bytes.length > MAX_KEPT) this.#bytes = new Uint8Array(0);
    if (this.#words.length * 4 > MAX_KEPT) this.#words = new Uint32Array(0);
  }

  /** Begins at a whole word. */
  bytes(length: number, value: number): Uint8Array {
    if (this.#usedBytes + length > this.#bytes.length) {
      this.#bytes = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      this.#usedBytes = 0;
    }
    const start = this.#usedBytes;
    this.#usedBytes += (length + 3) & ~3;
    return this.#bytes.subarray(start, start + length).fill(value);
  }

  words(length: number, value: number): Uint32Array {
    if (this.#usedWords + length > this.#words.length) {
      this.#words = new Uint32Array(Math.max(length, this.#words.length * 2));
      this.#usedWords = 0;
    }
    this.#usedWords += length;
    return this.#words.subarray(this.#usedWords - length, this.#usedWords).fill(value);
  }
}

/** 4 MiB: a band in truecolour takes that, a 200x50 screen of 8x16 cells in palette indices 1.3. */
const MAX_KEPT = 4 << 20;
