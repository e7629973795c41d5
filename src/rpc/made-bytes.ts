/**
 * Bytes of a reply that is being made, which are in memory until it is whole. Each connection that waits for the reply holds them: beyond
 * the bound of all (`held.ts`), the connection that has most is cut off, and its call is aborted.
 */
import type { ClientCall } from './service.js';

export class MadeBytes {
  readonly #readers = new Set<ClientCall>();
  #bytes = 0;

  constructor(reader?: ClientCall) {
    if (reader !== undefined) this.#readers.add(reader);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @param bytes of a part; below 0 if parts are given up */
  add(bytes: number): void {
    this.#bytes += bytes;
    for (const reader of this.#readers) reader.made?.(bytes);
  }

  /** Bytes so far count to this call, too, and later ones. */
  readBy(call: ClientCall): void {
    if (this.#readers.has(call)) return;
    this.#readers.add(call);
    call.made?.(this.#bytes);
  }

  /** Bytes so far count until the call is answered, and no later ones. */
  readTo(call: ClientCall): void {
    this.#readers.delete(call);
  }

  /** Ends the count: the call goes on without the reply. */
  givenUpBy(call: ClientCall): void {
    if (this.#readers.delete(call)) call.made?.(-this.#bytes);
  }
}
