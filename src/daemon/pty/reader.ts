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
import { type BurstBuffers, BURST_BYTES } from './burst-buffers.js';
import { LARGEST_CHUNK_BYTES, type OutputSource } from './output-source.js';

/** A chunk of at least this size is a flood's, not a prompt's: half of what an old kernel hands out at once. */
const FLOOD_READ_BYTES = 2048;
/** Less than this is copied into memory of its own size: a window of small pieces must not hold large buffers. */
const MIN_BUFFERED_BYTES = BURST_BYTES / 2;
/** The kernel holds at most about 70 KB of what a program has printed. What is beyond that came later. */
const CATCH_UP_BYTES = 3 * BURST_BYTES;
/** The same of a dead process; more can only come from others that go on printing. */
const MAX_REST_BYTES = 1024 * 1024;

export interface ReaderOwner {
  /** Is given memory of its own each time, to keep or to give back. */
  deliver(bytes: Uint8Array<ArrayBuffer>): void;
  /** Reading has failed: what was being delivered is lost, so nothing more is delivered. Only {@link PtyReader.finish} remains. */
  failed(error: unknown): void;
}

export class PtyReader {
  readonly #source: OutputSource;
  readonly #windowBytes: number;
  readonly #buffers: BurstBuffers;
  readonly #owner: ReaderOwner;
  #unacknowledgedBytes = 0;
  #hasFailed = false;

  /** @param windowBytes handed over and not yet acknowledged; at this many no more is read, and the program blocks in its writes */
  constructor(source: OutputSource, windowBytes: number, buffers: BurstBuffers, owner: ReaderOwner) {
    this.#source = source;
    this.#windowBytes = windowBytes;
    this.#buffers = buffers;
    this.#owner = owner;
  }

  start(): void {
    this.#guard(() => this.#source.start((chunk) => this.#guard(() => this.#received(chunk))));
  }

  acknowledge(bytes: number): void {
    this.#unacknowledgedBytes -= bytes;
    if (!this.#hasFailed && !this.#windowIsFull && this.#source.isPaused) this.#guard(() => this.#source.resume());
  }

  /** Delivers what was printed before, unless the window is full. */
  catchUp(): void {
    this.#guard(() => {
      for (let total = 0; total < CATCH_UP_BYTES && !this.#windowIsFull;) {
        const count = this.#deliverMore();
        if (count === 0) return;
        total += count;
      }
    });
  }

  /** Delivers all that is left, whatever is unacknowledged, and closes the descriptor. */
  finish(): void {
    this.#guard(() => {
      this.#source.pause();
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
    if (chunk.length < FLOOD_READ_BYTES) return this.#hand(new Uint8Array(chunk));
    for (let start = 0; start < chunk.length; start += BURST_BYTES) {
      const burst = new Uint8Array(this.#buffers.take());
      const piece = chunk.subarray(start, start + BURST_BYTES);
      burst.set(piece);
      const isLast = start + BURST_BYTES >= chunk.length;
      this.#handBurst(burst, isLast ? this.#readOn(burst, piece.length) : piece.length);
    }
  }

  /** @returns how full the burst is then */
  #readOn(burst: Uint8Array, filled: number): number {
    let total = filled;
    while (total <= BURST_BYTES - FLOOD_READ_BYTES) {
      const count = this.#source.read(burst.subarray(total));
      total += count;
      if (count < FLOOD_READ_BYTES) break;
    }
    return total;
  }

  #deliverRest(): void {
    for (let total = 0; total < MAX_REST_BYTES;) {
      const count = this.#deliverMore();
      if (count === 0) return;
      total += count;
    }
  }

  /** @returns 0 where nothing is there */
  #deliverMore(): number {
    const more = new Uint8Array(this.#buffers.take());
    const count = this.#source.read(more);
    if (count === 0) this.#buffers.giveBack(more.buffer);
    else this.#handBurst(more, count);
    return count;
  }

  #handBurst(burst: Uint8Array<ArrayBuffer>, length: number): void {
    if (length >= MIN_BUFFERED_BYTES) return this.#hand(burst.subarray(0, length));
    const own = burst.slice(0, length);
    this.#buffers.giveBack(burst.buffer);
    this.#hand(own);
  }

  #hand(bytes: Uint8Array<ArrayBuffer>): void {
    this.#unacknowledgedBytes += bytes.length;
    if (this.#windowIsFull) this.#source.pause();
    this.#owner.deliver(bytes);
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
