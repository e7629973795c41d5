/**
 * How much output of one PTY may be read ahead of its parser, as the daemon's side counts it. It begins small, and output
 * that is parsed fast opens it: a wide window costs the reader fewer stalls and both threads fewer messages. Output that is
 * parsed slowly shuts it again, since whoever presses Ctrl+C waits until all that was read is parsed.
 */
import { LARGEST_CHUNK_BYTES } from './output-source.js';

/** What a terminal may read ahead at first; every setting allows it. */
export const FIRST_WINDOW_BYTES = 128 * 1024;

/** Parsed in one slice, which takes about a millisecond: from here on output is parsed fast. */
const FAST_SLICE_BYTES = 16 * 1024;
/** Below, it is parsed slowly, if as much as a first window waits to be parsed. */
const SLOW_SLICE_BYTES = 4 * 1024;

/** What is read ahead is acknowledged in this many parts: small ones cost messages, large ones stall the reader. */
const ACKNOWLEDGED_SHARE = 4;

/** What all windows of a daemon may be open beyond their first size: ten terminals, or more that are less open. */
export class WindowPool {
  #leftBytes = 4 * 1024 * 1024;

  /** @returns as many bytes as there are, up to `bytes` */
  take(bytes: number): number {
    const taken = Math.min(bytes, this.#leftBytes);
    this.#leftBytes -= taken;
    return taken;
  }

  giveBack(bytes: number): void {
    this.#leftBytes += bytes;
  }
}

export class OutputWindow {
  readonly firstBytes: number;
  readonly #mostBytes: number;
  readonly #pool: WindowPool;
  #openBytes: number;
  /** Received, and not used. */
  #waitingBytes = 0;
  /** What the reader may read more: not yet acknowledged. */
  #creditBytes = 0;

  /** @param mostBytes at least `firstBytes` */
  constructor(pool: WindowPool, firstBytes: number, mostBytes: number) {
    this.#pool = pool;
    this.#mostBytes = mostBytes;
    this.firstBytes = firstBytes;
    this.#openBytes = firstBytes;
  }

  /** What may be read ahead now. */
  get openBytes(): number {
    return this.#openBytes;
  }

  received(bytes: number): void {
    this.#waitingBytes += bytes;
  }

  /** One slice is parsed. */
  used(bytes: number): void {
    const wereWaiting = this.#waitingBytes;
    this.#waitingBytes -= bytes;
    this.#creditBytes += bytes;
    if (bytes >= FAST_SLICE_BYTES) this.#open(this.#pool.take(Math.min(bytes, this.#mostBytes - this.#openBytes)));
    else if (bytes < SLOW_SLICE_BYTES && wereWaiting >= this.firstBytes) this.#shut(bytes);
  }

  /** @returns what the reader may read more, once that is worth a message; else 0 */
  takeCredit(): number {
    const credit = this.#creditBytes;
    if (credit < (this.#openBytes - LARGEST_CHUNK_BYTES) / ACKNOWLEDGED_SHARE) return 0;
    this.#creditBytes = 0;
    return credit;
  }

  /** Nothing more will be read. */
  close(): void {
    this.#pool.giveBack(this.#openBytes - this.firstBytes);
    this.#openBytes = this.firstBytes;
  }

  #open(bytes: number): void {
    this.#openBytes += bytes;
    this.#creditBytes += bytes;
  }

  #shut(most: number): void {
    const bytes = Math.min(most, this.#openBytes - this.firstBytes, this.#creditBytes);
    this.#openBytes -= bytes;
    this.#creditBytes -= bytes;
    this.#pool.giveBack(bytes);
  }
}
