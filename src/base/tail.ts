/** The last bytes of a stream, in a ring that grows in blocks as bytes come, up to its capacity. Bytes have offsets: the first of the stream has 0. */

/** Small enough for the many streams that end after a few lines. */
const BLOCK_BYTES = 16 * 1024;

export class ByteTail {
  readonly #capacity: number;
  readonly #blockBytes: number;
  readonly #blocks: Uint8Array[] = [];
  #total = 0;

  constructor(capacity: number, blockBytes = BLOCK_BYTES) {
    this.#capacity = capacity;
    this.#blockBytes = Math.min(blockBytes, capacity);
  }

  /** Bytes received in all: the offset of the next one. */
  get total(): number {
    return this.#total;
  }

  /** Offset of the first byte that is kept. */
  get first(): number {
    return Math.max(0, this.#total - this.#capacity);
  }

  /** Bytes of memory. */
  get allocatedBytes(): number {
    return Math.min(this.#blocks.length * this.#blockBytes, this.#capacity);
  }

  push(chunk: Uint8Array): void {
    const end = this.#total + chunk.length;
    let at = Math.max(this.#total, end - this.#capacity);
    this.#total = end;
    while (at < end) {
      const rest = chunk.subarray(chunk.length - (end - at));
      const room = this.#from(at);
      const piece = rest.subarray(0, room.length);
      room.set(piece);
      at += piece.length;
    }
  }

  /** Returns at most the capacity. */
  last(count: number): Uint8Array {
    return this.read(Math.max(this.first, this.#total - count), count);
  }

  /** A copy of at most `count` bytes. @param offset at least {@link first} */
  read(offset: number, count: number): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, Math.min(count, this.#total - offset)));
    for (let read = 0; read < bytes.length;) {
      const piece = this.#from(offset + read).subarray(0, bytes.length - read);
      bytes.set(piece, read);
      read += piece.length;
    }
    return bytes;
  }

  /** The memory from this offset to the end of its block. */
  #from(offset: number): Uint8Array {
    const place = offset % this.#capacity;
    const index = Math.floor(place / this.#blockBytes);
    const start = index * this.#blockBytes;
    // A chunk above the capacity may begin in a later block than the next one.
    while (this.#blocks.length <= index) this.#blocks.push(this.#newBlock());
    const block = this.#blocks[index] ?? this.#newBlock();
    return block.subarray(place - start);
  }

  /** The last one ends with the capacity. */
  #newBlock(): Uint8Array {
    const start = this.#blocks.length * this.#blockBytes;
    return new Uint8Array(Math.min(this.#blockBytes, this.#capacity - start));
  }
}
