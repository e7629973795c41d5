/**
 * Reads the master side of one PTY to its very end, in the reader thread.
 *
 * libuv takes a hang-up on a descriptor as the end of the stream when its last read was short, and a read of a PTY may be
 * short at any time, so whatever the kernel still held would be gone. So the slave side is held open elsewhere until the
 * process has been reaped; then {@link PtyReader.finish} reads on until the kernel says that there is no more (EAGAIN,
 * which Linux answers only after it has flushed its own buffers).
 *
 * How much one read returns is the kernel's choice: 4,095 bytes at most on old ones, as much as libuv's buffer takes (64 KiB)
 * on new ones when the reader has fallen behind. Nothing here depends on it but speed.
 */
import type { OutputSource } from './output-source.js';

/** A chunk of at least this size is a flood's, not a prompt's: half of what an old kernel hands out at once. */
const FLOOD_READ_BYTES = 2048;
/** Half of what a screen parses in one slice at most; a window is several times this. */
const BURST_BYTES = 32 * 1024;
/** libuv's buffer, so the largest chunk that comes unasked. */
const LARGEST_CHUNK_BYTES = 64 * 1024;
/** The kernel holds at most about 70 KB of a dead process; more can only come from others that go on printing. */
const MAX_REST_BYTES = 1024 * 1024;

export interface ReaderOwner {
  /** Is given memory of its own, each time. */
  deliver(bytes: Uint8Array<ArrayBuffer>): void;
  /** Reading has failed: what was being delivered is lost, so nothing more is delivered. Only {@link PtyReader.finish} remains. */
  failed(error: unknown): void;
}

export class PtyReader {
  readonly #source: OutputSource;
  readonly #windowBytes: number;
  readonly #owner: ReaderOwner;
  #unacknowledgedBytes = 0;
  #hasFailed = false;

  /** @param windowBytes handed over and not yet acknowledged; at this many no more is read, and the program blocks in its writes */
  constructor(source: OutputSource, windowBytes: number, owner: ReaderOwner) {
    this.#source = source;
    this.#windowBytes = windowBytes;
    this.#owner = owner;
  }

  start(): void {
    this.#guard(() => this.#source.start((chunk) => this.#guard(() => this.#received(chunk))));
  }

  acknowledge(bytes: number): void {
    this.#unacknowledgedBytes -= bytes;
    if (!this.#hasFailed && !this.#windowIsFull && this.#source.isPaused) this.#guard(() => this.#source.resume());
  }

  /** Delivers all that is left, whatever is unacknowledged, and closes the descriptor. */
  finish(): void {
    this.#guard(() => {
      this.#source.pause();
      this.#source.handOutReadAhead();
      this.#deliverRest();
    });
    this.#source.close();
  }

  /** Room for one chunk more is left free, since it comes before a pause takes effect. */
  get #windowIsFull(): boolean {
    return this.#unacknowledgedBytes > this.#windowBytes - LARGEST_CHUNK_BYTES;
  }

  /**
   * A large chunk means that more is waiting, which libuv would fetch one read a turn. Reading on at once saves the turns;
   * a short read ends it, since asking for more then costs an exception (EAGAIN).
   */
  #received(chunk: Uint8Array): void {
    const isWorthMore = chunk.length >= FLOOD_READ_BYTES && chunk.length <= BURST_BYTES - FLOOD_READ_BYTES;
    const burst = isWorthMore ? this.#readOn(chunk) : new Uint8Array(chunk);
    this.#unacknowledgedBytes += burst.length;
    if (this.#windowIsFull) this.#source.pause();
    this.#owner.deliver(burst);
  }

  /** @param chunk shorter than a burst */
  #readOn(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
    const burst = new Uint8Array(BURST_BYTES);
    burst.set(chunk);
    let total = chunk.length;
    while (total <= BURST_BYTES - FLOOD_READ_BYTES) {
      const count = this.#source.read(burst.subarray(total));
      total += count;
      if (count < FLOOD_READ_BYTES) break;
    }
    return burst.slice(0, total);
  }

  #deliverRest(): void {
    for (let total = 0; total < MAX_REST_BYTES;) {
      const rest = new Uint8Array(BURST_BYTES);
      const count = this.#source.read(rest);
      if (count === 0) return;
      total += count;
      this.#owner.deliver(rest.slice(0, count));
    }
  }

  /** One PTY's fault must stay its own: an error that left here would be the thread's, which reads all the others. */
  #guard(act: () => void): void {
    if (this.#hasFailed) return;
    try {
      act();
    } catch (error) {
      this.#hasFailed = true;
      this.#source.pause();
      this.#owner.failed(error);
    }
  }
}
