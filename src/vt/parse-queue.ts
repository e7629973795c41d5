/**
 * What waits to be parsed: text, decoded or plain ASCII bytes, and changes of size, in the order in which they came. Text is handed out in
 * slices, so that small pieces cost one parse and no parse holds the process for long.
 */

export type QueueItem =
  | { readonly kind: 'text'; readonly text: string | Uint8Array; readonly bytes: number }
  | { readonly kind: 'resize'; readonly cols: number; readonly rows: number; readonly applied: () => void };

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

  /** Items accepted so far: a reader's barrier. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Items handed out so far. */
  get taken(): number {
    return this.#taken;
  }

  push(item: QueueItem): void {
    this.#items.push(item);
    this.#accepted++;
    if (item.kind === 'text') this.#pendingBytes += item.bytes;
  }

  /** The next change of size, or texts in a row joined to at least one item and at most `maxBytes`. */
  take(maxBytes: number): QueueItem | undefined {
    const first = this.#shift();
    if (first === undefined || first.kind === 'resize') return first;
    let { text, bytes } = first;
    if (typeof text !== 'string') return first;
    for (let next = this.#items[this.#next]; next?.kind === 'text'; next = this.#items[this.#next]) {
      if (typeof next.text !== 'string' || bytes + next.bytes > maxBytes) break;
      this.#shift();
      text += next.text;
      bytes += next.bytes;
    }
    return { kind: 'text', text, bytes };
  }

  /** Everything that is left, given up. */
  clear(): readonly QueueItem[] {
    const left = this.#items.slice(this.#next);
    this.#items = [];
    this.#next = 0;
    this.#pendingBytes = 0;
    return left;
  }

  #shift(): QueueItem | undefined {
    const item = this.#items[this.#next];
    if (item === undefined) return undefined;
    this.#next++;
    this.#taken++;
    if (item.kind === 'text') this.#pendingBytes -= item.bytes;
    if (this.#next === this.#items.length) {
      this.#items = [];
      this.#next = 0;
    }
    return item;
  }
}
