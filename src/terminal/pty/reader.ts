/**
 * Reads the master side of one PTY to its very end, in the reader thread.
 *
 * libuv takes a hang-up on a descriptor as the end of the stream when its last read was short, and a read of a PTY may
 * be short at any time: the rest that the kernel holds would be lost. So the daemon holds the slave side open until the
 * process has been reaped; then {@link PtyReader.finish} reads on until the kernel reports that there is no more
 * (EAGAIN, which Linux returns only after it has flushed its own buffers).
 *
 * The kernel chooses how much one read returns: 4,095 bytes at most on old kernels, as much as libuv's buffer takes (64
 * KiB) on new ones when the reader has fallen behind. Only speed depends on it.
 */
import { type BurstBuffers, BURST_BYTES } from './burst-buffers.js';
import { LARGEST_CHUNK_BYTES, type OutputSource } from './output-source.js';

/** A chunk of at least this size belongs to a flood, not to a prompt: half of what an old kernel returns at once. */
const FLOOD_READ_BYTES = 2048;
/** Smaller output is copied into memory of its own size: a window of small pieces must not hold large buffers. */
const MIN_BUFFERED_BYTES = BURST_BYTES / 2;
/** The kernel holds at most about 70 KB of a program's output; everything beyond that is newer. */
const CATCH_UP_BYTES = 3 * BURST_BYTES;
/** The same for a dead process; more can only come from other processes that go on printing. */
const MAX_REST_BYTES = 1024 * 1024;

export interface ReaderOwner {
  /** Gets memory of its own with each call, to keep or to return. */
  deliver(bytes: Uint8Array<ArrayBuffer>): void;
  /**
   * Reading has failed: the bytes under delivery are lost, so nothing more is delivered. Only {@link PtyReader.finish}
   * remains.
   */
  failed(error: unknown): void;
}

export class PtyReader {
  readonly #source: OutputSource;
  readonly #windowBytes: number;
  readonly #buffers: BurstBuffers;
  readonly #owner: ReaderOwner;
  #unacknowledgedBytes = 0;
  #hasFailed = false;
  #isHeld = false;
  #hasStarted = false;

  /**
   * @param windowBytes bound of unacknowledged bytes; at this many reading stops, and the program blocks in its writes
   */
  constructor(source: OutputSource, windowBytes: number, buffers: BurstBuffers, owner: ReaderOwner) {
    this.#source = source;
    this.#windowBytes = windowBytes;
    this.#buffers = buffers;
    this.#owner = owner;
  }

  /** Begins to read; where it is held, {@link resume} does: a source that has begun reads a chunk even if it is paused at once. */
  start(): void {
    if (this.#isHeld || this.#hasStarted) return;
    this.#hasStarted = true;
    this.#guard(() => this.#source.start((chunk) => this.#guard(() => this.#received(chunk))));
  }

  /** Of bytes beyond those that were read the window becomes wider. */
  acknowledge(bytes: number): void {
    this.#unacknowledgedBytes -= bytes;
    this.#readOnIfFree();
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Reads nothing until {@link resume}. */
  hold(): void {
    this.#isHeld = true;
    this.#guard(() => this.#source.pause());
  }

  resume(): void {
    this.#isHeld = false;
    this.start();
    this.#readOnIfFree();
  }

  /** Closes the descriptor; what is unread stays in the kernel, for another process that has it. */
  release(): void {
    this.#source.close();
  }

  #readOnIfFree(): void {
    if (this.#hasFailed || this.#isHeld || this.#windowIsFull || !this.#source.isPaused) return;
    this.#guard(() => this.#source.resume());
  }

  /** Delivers everything printed before the call, unless the window is full. */
  catchUp(): void {
    if (this.#isHeld) return;
    this.#guard(() => {
      for (let total = 0; total < CATCH_UP_BYTES && !this.#windowIsFull;) {
        const count = this.#deliverMore();
        if (count === 0) return;
        total += count;
      }
    });
  }

  /** Delivers all that is left, regardless of the window, and closes the descriptor. */
  finish(): void {
    this.#guard(() => {
      this.#source.pause();
      this.#deliverRest();
    });
    this.#source.close();
  }

  /** Keeps room for one more chunk, which may arrive before a pause takes effect. */
  get #windowIsFull(): boolean {
    return this.#unacknowledgedBytes > this.#windowBytes - LARGEST_CHUNK_BYTES;
  }

  /**
   * A large chunk means that more is waiting, which libuv would fetch with one read per turn of the event loop. Reading
   * on at once saves the turns; a short read ends it, since another read would cost an exception (EAGAIN).
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

  /** @returns fill level of the burst */
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

  /** @returns 0 if nothing is there */
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

  /** Keeps the error of one PTY from ending the thread, which reads all others. */
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
