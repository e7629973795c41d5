/**
 * Reads the master side of one PTY to its very end, in the reader thread.
 *
 * libuv takes a hang-up on a descriptor as the end of the stream when its last read was short, and a PTY gives at most
 * 4 KB a read, so whatever the kernel still held would be gone. So the slave side is held open elsewhere until the
 * process has been reaped; then {@link PtyReader.finish} reads on until the kernel says that there is no more (EAGAIN,
 * which Linux answers only after it has flushed its own buffers).
 */
import { readSync } from 'node:fs';
import { ReadStream } from 'node:tty';

/** Linux hands out at most 4,095 bytes a read; half of that tells a flood from a prompt. */
const FULL_READ_BYTES = 2048;
/** Half of what a screen parses in one slice at most; a window is several times this. */
const MAX_BURST_BYTES = 32 * 1024;
/** The kernel holds at most about 70 KB of a dead process; more can only come from others that go on printing. */
const MAX_REST_BYTES = 1024 * 1024;

export class PtyReader {
  readonly #fd: number;
  readonly #windowBytes: number;
  readonly #deliver: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly #stream: ReadStream;
  #unacknowledgedBytes = 0;

  /**
   * @param windowBytes handed over and not yet acknowledged; at this many no more is read, and the program blocks in its writes
   * @param deliver is given memory of its own, each time
   */
  constructor(fd: number, windowBytes: number, deliver: (bytes: Uint8Array<ArrayBuffer>) => void) {
    this.#fd = fd;
    this.#windowBytes = windowBytes;
    this.#deliver = deliver;
    // Half-open, so that an early end of the stream does not close the descriptor that `finish` still reads.
    this.#stream = new ReadStream(fd, { allowHalfOpen: true });
    this.#stream.on('data', (chunk: Buffer) => this.#received(chunk));
    // EIO is how a PTY without a slave says "end"; the process's end is told by its reaping, not by this.
    this.#stream.on('error', () => {});
  }

  acknowledge(bytes: number): void {
    this.#unacknowledgedBytes -= bytes;
    if (!this.#windowIsFull && this.#stream.isPaused()) this.#stream.resume();
  }

  get #windowIsFull(): boolean {
    return this.#unacknowledgedBytes > this.#windowBytes - MAX_BURST_BYTES;
  }

  /** Delivers all that is left, whatever is unacknowledged, and closes the descriptor. */
  finish(): void {
    this.#stream.pause();
    // What the stream has read ahead; `read` emits it as `data`, which delivers it.
    while (this.#stream.read() !== null);
    for (let total = 0; total < MAX_REST_BYTES;) {
      const rest = new Uint8Array(MAX_BURST_BYTES);
      const count = this.#read(rest, 0);
      if (count === 0) break;
      total += count;
      this.#deliver(rest.slice(0, count));
    }
    this.#stream.removeAllListeners('data');
    this.#stream.destroy();
  }

  /**
   * A full read means that more is waiting, which libuv would fetch one read a turn. Reading on at once saves the turns;
   * a short read ends it, since asking for more then costs an exception (EAGAIN).
   */
  #received(chunk: Buffer): void {
    const burst = chunk.length < FULL_READ_BYTES ? new Uint8Array(chunk) : this.#readOn(chunk);
    this.#unacknowledgedBytes += burst.length;
    if (this.#windowIsFull) this.#stream.pause();
    this.#deliver(burst);
  }

  #readOn(chunk: Buffer): Uint8Array<ArrayBuffer> {
    const burst = new Uint8Array(MAX_BURST_BYTES);
    burst.set(chunk);
    let total = chunk.length;
    while (total + FULL_READ_BYTES < burst.length) {
      const count = this.#read(burst, total);
      total += count;
      if (count < FULL_READ_BYTES) break;
    }
    return burst.slice(0, total);
  }

  /** 0 when there is nothing to read now: EAGAIN while the program lives, EIO once nobody holds the slave. */
  #read(buffer: Uint8Array, offset: number): number {
    try {
      return readSync(this.#fd, buffer, offset, buffer.length - offset, null);
    } catch {
      return 0;
    }
  }
}
