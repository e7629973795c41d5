/**
 * Bytes and changes of size that wait to be parsed, in their order. Small pieces are joined, so that they cost one parse.
 */
export type QueueItem =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** Whole sequences that the program has not sent: they do not end one of its own that is unfinished. */
  | { readonly kind: 'inserted'; readonly bytes: Uint8Array; readonly applied: () => void }
  | {
      readonly kind: 'resize';
      readonly cols: number;
      readonly rows: number;
      /** Called right before the new layout, and what it returns right after it. */
      readonly follow: (() => () => void) | undefined;
      readonly applied: () => void;
    };

/** Room of all queues in which the pieces of a flood are joined. Fresh memory for each slice costs more than its copy. */
const SLICE_ROOM_BYTES = 64 * 1024;
const MAX_ROOMS = 2;
const rooms: Buffer[] = [];

export class ParseQueue {
  #items: QueueItem[] = [];
  #next = 0;
  #pendingBytes = 0;
  #accepted = 0;
  #taken = 0;
  /** Room of the bytes that {@link next} has joined. */
  #room: Buffer | undefined;

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  get empty(): boolean {
    return this.#next === this.#items.length;
  }

  /** Items accepted so far: a barrier for readers. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Items taken completely or dropped so far. */
  get taken(): number {
    return this.#taken;
  }

  /** The next item, if it is a change of size; it stays. */
  get nextResize(): (QueueItem & { readonly kind: 'resize' }) | undefined {
    const first = this.#items[this.#next];
    return first?.kind === 'resize' ? first : undefined;
  }

  /** The last change of size that waits. */
  get lastResize(): (QueueItem & { readonly kind: 'resize' }) | undefined {
    for (let at = this.#items.length - 1; at >= this.#next; at--) {
      const item = this.#items[at];
      if (item?.kind === 'resize') return item;
    }
    return undefined;
  }

  /** Items in their order; they stay. */
  get items(): readonly QueueItem[] {
    return this.#items.slice(this.#next);
  }

  push(item: QueueItem): void {
    this.#items.push(item);
    this.#accepted++;
    if (item.kind === 'bytes') this.#pendingBytes += item.bytes.length;
  }

  /** The next change of size or insertion, which is taken, or the next bytes, which stay until they are consumed: `maxBytes` at most. They are valid until {@link release}. */
  next(maxBytes: number): QueueItem | undefined {
    const first = this.#items[this.#next];
    if (first === undefined) return undefined;
    if (first.kind !== 'bytes') {
      this.#shift();
      return first;
    }
    if (first.bytes.length >= maxBytes) return { kind: 'bytes', bytes: first.bytes.subarray(0, maxBytes) };
    const pieces: Uint8Array[] = [];
    let left = maxBytes;
    for (let at = this.#next; left > 0; at++) {
      const item = this.#items[at];
      if (item?.kind !== 'bytes') break;
      pieces.push(item.bytes.subarray(0, left));
      left -= Math.min(left, item.bytes.length);
    }
    return { kind: 'bytes', bytes: pieces.length === 1 ? first.bytes : this.#joined(pieces, maxBytes - left) };
  }

  /** Releases what {@link next} returned: it is not read any more. */
  release(): void {
    if (this.#room !== undefined && rooms.length < MAX_ROOMS) rooms.push(this.#room);
    this.#room = undefined;
  }

  /** Removes the first bytes, of those that {@link next} returned. */
  consume(count: number): void {
    let left = count;
    for (let item = this.#items[this.#next]; item?.kind === 'bytes'; item = this.#items[this.#next]) {
      const taken = Math.min(left, item.bytes.length);
      left -= taken;
      this.#pendingBytes -= taken;
      if (taken < item.bytes.length) {
        this.#items[this.#next] = { kind: 'bytes', bytes: item.bytes.subarray(taken) };
        return;
      }
      this.#shift();
    }
  }

  /** Drops the remaining bytes; changes of size and insertions stay. @returns how many bytes */
  discardBytes(): number {
    const bytes = this.#pendingBytes;
    this.#items = this.#items.slice(this.#next).filter(({ kind }) => kind !== 'bytes');
    this.#next = 0;
    this.#pendingBytes = 0;
    this.#taken = this.#accepted - this.#items.length;
    return bytes;
  }

  /** Drops everything that is left, and returns it. */
  clear(): readonly QueueItem[] {
    const left = this.#items.slice(this.#next);
    this.#items = [];
    this.#next = 0;
    this.#pendingBytes = 0;
    return left;
  }

  #joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
    if (length > SLICE_ROOM_BYTES) return Buffer.concat(pieces);
    this.#room ??= rooms.pop() ?? Buffer.allocUnsafeSlow(SLICE_ROOM_BYTES);
    let at = 0;
    for (const piece of pieces) {
      this.#room.set(piece, at);
      at += piece.length;
    }
    return this.#room.subarray(0, at);
  }

  #shift(): void {
    this.#next++;
    this.#taken++;
    if (this.#next < this.#items.length) return;
    this.#items = [];
    this.#next = 0;
  }
}
