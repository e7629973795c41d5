/** Pixels of the row that is being painted, in memory that is kept from one row and picture to the next. */
export class PixelArena {
  #bytes = new Uint8Array(0);
  #words = new Uint32Array(0);

  /** All zeros. What was taken before may be overwritten from now on. */
  bytes(length: number): Uint8Array {
    if (this.#bytes.length < length) this.#bytes = new Uint8Array(length);
    return this.#bytes.subarray(0, length).fill(0);
  }

  words(length: number, value: number): Uint32Array {
    if (this.#words.length < length) this.#words = new Uint32Array(length);
    return this.#words.subarray(0, length).fill(value);
  }

  /** Lets go what is too large to be kept. */
  trim(): void {
    if (this.#bytes.length > MAX_KEPT) this.#bytes = new Uint8Array(0);
    if (this.#words.length * 4 > MAX_KEPT) this.#words = new Uint32Array(0);
  }
}

/** 1 MiB: a row of 200 cells of 20x40 pixels takes 160 KB in palette indices and 640 KB in truecolour. */
const MAX_KEPT = 1 << 20;
