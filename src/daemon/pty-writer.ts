/**
 * Input on its way to a program: a bounded queue in front of a non-blocking descriptor.
 *
 * Neither a tty stream (which may block the thread) nor a write on the thread pool with an immediate retry (which spins
 * while a program does not read) will do: here a full kernel buffer is retried on a timer, and given up on when nothing
 * at all was taken for a while.
 */
import { writeSync } from 'node:fs';

/** The kernel took nothing for {@link STALL_MS}: `written` of the bytes given had arrived, the others are dropped. */
export class InputBlockedError extends Error {
  override readonly name = 'InputBlockedError';
  readonly written: number;

  constructor(written: number) {
    super(`the program took ${written} bytes and no more`);
    this.written = written;
  }
}

const FIRST_RETRY_MS = 1;
const LAST_RETRY_MS = 20;
/** Longer than a busy editor pauses between reads, short enough to answer a caller. */
const STALL_MS = 2000;
interface PendingWrite {
  readonly bytes: Uint8Array;
  written: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class PtyWriter {
  readonly #fd: number;
  readonly #maxPendingBytes: number;
  #queue: PendingWrite[] = [];
  #pendingBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #lastProgressMs = 0;
  #disposed = false;

  constructor(fd: number, maxPendingBytes: number) {
    this.#fd = fd;
    this.#maxPendingBytes = maxPendingBytes;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#disposed || this.#pendingBytes + bytes.length > this.#maxPendingBytes) {
      return Promise.reject(new InputBlockedError(0));
    }
    return new Promise((resolve, reject) => {
      if (this.#queue.length === 0) this.#lastProgressMs = performance.now();
      this.#queue.push({ bytes, written: 0, resolve, reject });
      this.#pendingBytes += bytes.length;
      if (this.#timer === undefined) this.#flush();
    });
  }

  /** What is still queued fails as blocked. */
  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#failAll();
  }

  #flush(): void {
    this.#timer = undefined;
    for (let head = this.#queue[0]; head !== undefined; head = this.#queue[0]) {
      if (head.written < head.bytes.length && !this.#writeSome(head)) return this.#retryLater();
      if (head.written < head.bytes.length) continue;
      this.#queue.shift();
      head.resolve();
    }
  }

  /** False when the kernel takes nothing now. */
  #writeSome(head: PendingWrite): boolean {
    let count: number;
    try {
      count = writeSync(this.#fd, head.bytes, head.written);
    } catch {
      // EAGAIN: full. EIO or EBADF: the process is going; its reaping disposes of this queue.
      return false;
    }
    head.written += count;
    this.#pendingBytes -= count;
    this.#lastProgressMs = performance.now();
    this.#retryMs = FIRST_RETRY_MS;
    return count > 0;
  }

  #retryLater(): void {
    if (performance.now() - this.#lastProgressMs > STALL_MS) return this.#failAll();
    this.#timer = setTimeout(() => this.#flush(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  #failAll(): void {
    const queue = this.#queue;
    this.#queue = [];
    this.#pendingBytes = 0;
    this.#retryMs = FIRST_RETRY_MS;
    for (const write of queue) write.reject(new InputBlockedError(write.written));
  }
}
