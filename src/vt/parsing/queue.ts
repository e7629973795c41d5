/**
 * Bytes and changes of size that wait to be parsed, in their order. Bytes are taken in slices, so that small pieces
 * cost one parse and no parse blocks the process for long.
 */
import { ParseBudget, type Grid } from './cost.js';

export type QueueItem =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'resize'; readonly cols: number; readonly rows: number; readonly applied: () => void };

export type Slice =
  | { readonly kind: 'bytes'; readonly pieces: readonly Uint8Array[]; readonly length: number }
  | Extract<QueueItem, { kind: 'resize' }>;

export class ParseQueue {
  #items: QueueItem[] = [];
  #next = 0;
  #pendingBytes = 0;
  #accepted = 0;
  #taken = 0;

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

  push(item: QueueItem): void {
    this.#items.push(item);
    this.#accepted++;
    if (item.kind === 'bytes') this.#pendingBytes += item.bytes.length;
  }

  /** The next change of size, or at most `maxBytes` of the bytes before it, as far as their parsing cost allows. */
  take(maxBytes: number, grid: Grid): Slice | undefined {
    const first = this.#items[this.#next];
    if (first === undefined) return undefined;
    if (first.kind === 'resize') {
      this.#shift();
      return first;
    }
    const budget = new ParseBudget(grid);
    const pieces: Uint8Array[] = [];
    let length = 0;
    for (let item: QueueItem | undefined = first; item?.kind === 'bytes'; item = this.#items[this.#next]) {
      const piece = item.bytes.subarray(0, maxBytes - length);
      const taken = piece.subarray(0, budget.take(piece));
      if (taken.length === 0 && item.bytes.length > 0) break;
      pieces.push(taken);
      length += taken.length;
      this.#pendingBytes -= taken.length;
      if (taken.length === item.bytes.length) this.#shift();
      else {
        this.#items[this.#next] = { kind: 'bytes', bytes: item.bytes.subarray(taken.length) };
        break;
      }
    }
    return { kind: 'bytes', pieces, length };
  }

  /** Drops the remaining bytes; changes of size stay. @returns how many bytes */
  discardBytes(): number {
    const bytes = this.#pendingBytes;
    this.#items = this.#items.slice(this.#next).filter(({ kind }) => kind === 'resize');
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

  #shift(): void {
    this.#next++;
    this.#taken++;
    if (this.#next < this.#items.length) return;
    this.#items = [];
    this.#next = 0;
  }
}
