/** The master side of one PTY for {@link PtyReader}: chunks as they arrive, and synchronous reads in between. */
import { closeSync, readSync } from 'node:fs';
import type { ConnectOpts, SocketConstructorOpts } from 'node:net';
import { ReadStream } from 'node:tty';

/** Size of one read, so the largest chunk that arrives by itself. */
export const LARGEST_CHUNK_BYTES = 64 * 1024;

export interface OutputSource {
  /**
   * Begins to read. Chunks may have any size; copy them before the callback returns.
   * @throws Error if the descriptor cannot be read
   */
  start(onChunk: (chunk: Uint8Array) => void): void;
  pause(): void;
  resume(): void;
  readonly isPaused: boolean;
  /**
   * Reads at once, as much as fits. Returns 0 if there is nothing: EAGAIN while the program lives, EIO once no process
   * has the slave open.
   */
  read(into: Uint8Array): number;
  /** Closes the descriptor; no more chunks come. */
  close(): void;
}

/** Shared by all PTYs of the thread: libuv reads and delivers a chunk in one call. */
let chunkBuffer: Uint8Array | undefined;

export class MasterSource implements OutputSource {
  readonly #fd: number;
  #stream: ReadStream | undefined;

  constructor(fd: number) {
    this.#fd = fd;
  }

  start(onChunk: (chunk: Uint8Array) => void): void {
    const buffer = (chunkBuffer ??= new Uint8Array(LARGEST_CHUNK_BYTES));
    // Half-open, so that an early end of the stream does not close the descriptor that the rest is read from.
    const options: SocketConstructorOpts & ConnectOpts = {
      allowHalfOpen: true,
      onread: {
        buffer,
        callback: (length) => {
          onChunk(buffer.subarray(0, length));
          return true;
        },
      },
    };
    const stream = new ReadStream(this.#fd, options);
    // A PTY without a slave ends with EIO; the process's end is reported by its reaping, not by this.
    stream.on('error', () => {});
    this.#stream = stream;
    stream.resume();
  }

  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  get isPaused(): boolean {
    return this.#stream?.isPaused() ?? true;
  }

  read(into: Uint8Array): number {
    try {
      return readSync(this.#fd, into, 0, into.length, null);
    } catch {
      return 0;
    }
  }

  close(): void {
    if (this.#stream === undefined) return closeSync(this.#fd);
    this.#stream.destroy();
  }
}
