/** The last bytes of a stream, in a ring that grows in blocks as bytes come, up to its capacity. Bytes have offsets: the first of the stream has 0. */

const BLOCK_BYTES = 16 * 1024;

/** The first block begins with this, and doubles: many streams end after a prompt or a few lines. */
const FIRST_BYTES = 1024;

export interface FrozenTail {
  readonly total: number;
  readonly floor: number;
  /** The last ones. */
  readonly bytes: Uint8Array;
  /** The other side has the bytes before them. */
  readonly isAhead?: boolean;
}

export class ByteTail {
  readonly #capacity: number;
  readonly #blockBytes: number;
  readonly #firstBytes: number;
  readonly #blocks: Uint8Array[] = [];
  #total = 0;
  #floor = 0;

  constructor(capacity: number, blockBytes = BLOCK_BYTES, firstBytes = FIRST_BYTES) {
    this.#capacity = capacity;
    this.#blockBytes = Math.min(blockBytes, capacity);
    this.#firstBytes = Math.min(firstBytes, this.#blockBytes);
  }

  /** A tail without a byte, whose first one will have this offset. */
  static startingAt(offset: number, capacity: number): ByteTail {
    const tail = new ByteTail(capacity);
    tail.#total = offset;
    return tail;
  }

  /** @param end offset behind the bytes that the other side has */
  freeze(end?: number): FrozenTail {
    const bytes = this.last(this.#total - Math.max(this.first, end ?? 0));
    return { total: this.#total, floor: this.#floor, bytes, ...(end === undefined ? {} : { isAhead: true }) };
  }

  /**
   * To be called before the first byte.
   * @param before has the bytes that came ahead, of the same capacity; its memory is this one's from now on
   * @throws Error if bytes are missing
   */
  restore({ total, floor, bytes, isAhead = false }: FrozenTail, before?: ByteTail): void {
    this.#total = total - bytes.length;
    this.#floor = floor;
    if (isAhead) {
      if (before?.total !== this.#total) throw new Error(`Output before byte ${this.#total} is missing.`);
      this.#blocks.push(...before.#blocks.splice(0));
    }
    this.push(bytes);
  }

  /** Bytes received in all: the offset of the next one. */
  get total(): number {
    return this.#total;
  }

  /** Offset of the first byte that is kept. */
  get first(): number {
    return Math.max(this.#floor, this.#total - this.#capacity);
  }

  /** All before this offset is forgotten. */
  get floor(): number {
    return this.#floor;
  }

  /** Bytes of memory. */
  get allocatedBytes(): number {
    return this.#blocks.reduce((bytes, block) => bytes + block.length, 0);
  }

  /** Keeps nothing of what has come. */
  forget(): void {
    this.#floor = this.#total;
    this.#blocks.length = 0;
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

  /** The memory from this offset to the end of its block, or of what there is of its block so far. */
  #from(offset: number): Uint8Array {
    const place = offset % this.#capacity;
    const index = Math.floor(place / this.#blockBytes);
    const start = index * this.#blockBytes;
    // A chunk above the capacity may begin in a later block than the next one.
    while (this.#blocks.length <= index) this.#blocks.push(new Uint8Array(this.#firstLengthOf(this.#blocks.length)));
    let block = this.#blocks[index] ?? new Uint8Array(0);
    while (block.length <= place - start) this.#blocks[index] = block = this.#doubled(block);
    return block.subarray(place - start);
  }

  /** The last one ends with the capacity. */
  #firstLengthOf(index: number): number {
    const bytes = Math.min(this.#blockBytes, this.#capacity - index * this.#blockBytes);
    return index === 0 ? Math.min(this.#firstBytes, bytes) : bytes;
  }

  /** Block with twice the length; only the first one needs it: the others have their length from the start. */
  #doubled(block: Uint8Array): Uint8Array {
    const larger = new Uint8Array(Math.min(2 * block.length, this.#blockBytes));
    larger.set(block);
    return larger;
  }
}
