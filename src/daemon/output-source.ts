/** The master side of one PTY as {@link PtyReader} reads it: chunks as they come, and reads in between. */
import { closeSync, readSync } from 'node:fs';
import { ReadStream } from 'node:tty';

export interface OutputSource {
  /** Begins to read; chunks may have any size. @throws Error when the descriptor cannot be read */
  start(onChunk: (chunk: Uint8Array) => void): void;
  pause(): void;
  resume(): void;
  readonly isPaused: boolean;
  /** Reads at once, as much as fits. Returns 0 if nothing is there: EAGAIN while the program lives, EIO once nobody holds the slave. */
  read(into: Uint8Array): number;
  /** Hands out what was read ahead of a pause. */
  handOutReadAhead(): void;
  /** Closes the descriptor; no more chunks come. */
  close(): void;
}

export class MasterSource implements OutputSource {
  readonly #fd: number;
  #stream: ReadStream | undefined;

  constructor(fd: number) {
    this.#fd = fd;
  }

  start(onChunk: (chunk: Uint8Array) => void): void {
    // Half-open, so that an early end of the stream does not close the descriptor that the rest is read from.
    const stream = new ReadStream(this.#fd, { allowHalfOpen: true });
    stream.on('data', onChunk);
    // EIO is how a PTY without a slave says "end"; the process's end is told by its reaping, not by this.
    stream.on('error', () => {});
    this.#stream = stream;
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

  handOutReadAhead(): void {
    // `read` emits what it returns as `data`, too.
    while (this.#stream !== undefined && this.#stream.read() !== null);
  }

  close(): void {
    if (this.#stream === undefined) return closeSync(this.#fd);
    this.#stream.removeAllListeners('data');
    this.#stream.destroy();
  }
}
