/**
 * Input on its way to a program: a bounded queue in front of a non-blocking descriptor.
 *
 * A tty stream may block the thread, and a write on the thread pool with an immediate retry spins while a program does
 * not read. Here a full kernel buffer is retried on a timer, and the write fails when the kernel has taken nothing for
 * a while.
 */
import { writeSync } from 'node:fs';

/** The kernel took nothing for {@link STALL_MS}: `written` bytes had arrived, the rest is dropped. */
export class InputBlockedError extends Error {
  override readonly name = 'InputBlockedError';
  readonly written: number;

  constructor(written: number) {
    super(`the program took ${written} bytes and no more`);
    this.written = written;
  }
}

/** An interrupt overtook the write: `written` bytes had arrived, the rest is dropped. */
export class InputInterruptedError extends Error {
  override readonly name = 'InputInterruptedError';
  readonly written: number;

  constructor(written: number) {
    super(`interrupted after ${written} bytes`);
    this.written = written;
  }
}

/** A write that an interrupt may cut short. */
export interface Abandonable {
  /** Bytes at the start that are written completely or not at all: the opening of a bracketed paste. */
  readonly openBytes: number;
  /** Bytes at the end that follow in any case once writing has begun: the closing of the paste. */
  readonly closeBytes: number;
}

const FIRST_RETRY_MS = 1;
const LAST_RETRY_MS = 20;
/** For the end of an abandoned paste, in front of a program that may never read again. */
const UNAWAITED_RETRY_MS = 250;
/** Longer than a busy editor pauses between reads, short enough to answer a caller. */
const STALL_MS = 2000;

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

  /** Resolves once the kernel has all of `bytes`. */
  write(bytes: Uint8Array, abandonable?: Abandonable): Promise<void> {
    if (this.#disposed || this.#pendingBytes + bytes.length > this.#maxPendingBytes) {
      return Promise.reject(new InputBlockedError(0));
    }
    return new Promise((resolve, reject) => {
      const first = !this.#isAwaited;
      this.#enqueue(this.#queue.length, { bytes, written: 0, abandonable, settle: { resolve, reject } });
      if (!first) return;
      this.#lastProgressMs = performance.now();
      clearTimeout(this.#timer);
      this.#flush();
    });
  }

  /**
   * Drops abandonable writes, and writes `bytes` before the other queued writes. The kernel takes what it can at once;
   * {@link pendingBytes} then shows whether it is full.
   */
  interrupt(bytes: Uint8Array): Promise<void> {
    if (this.#disposed) return Promise.reject(new InputBlockedError(0));
    this.abandon();
    return new Promise((resolve, reject) => {
      this.#lastProgressMs = performance.now();
      const place = this.#queue.findIndex(({ written, settle }) => written === 0 && settle !== undefined);
      const pending: PendingWrite = { bytes, written: 0, abandonable: WHOLE, settle: { resolve, reject } };
      this.#enqueue(place === -1 ? this.#queue.length : place, pending);
      clearTimeout(this.#timer);
      this.#flush();
    });
  }

  /** Abandonable writes fail as interrupted; only the bytes that must follow their beginning stay queued. */
  abandon(): void {
    for (const write of this.#queue) {
      if (write.abandonable !== undefined) this.#cutShort(write, new InputInterruptedError(write.written));
    }
    this.#queue = this.#queue.filter(({ bytes, written }) => written < bytes.length);
  }

  /** Queued writes fail as blocked. */
  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    for (const write of this.#queue) write.settle?.reject(new InputBlockedError(write.written));
    this.#queue = [];
    this.#pendingBytes = 0;
  }

  /** Whether a caller waits for the queue; of abandoned writes only the rest is in it. */
  get #isAwaited(): boolean {
    return this.#queue.some(({ settle }) => settle !== undefined);
  }

  #enqueue(place: number, write: PendingWrite): void {
    this.#queue.splice(place, 0, write);
    this.#pendingBytes += write.bytes.length;
  }

  #flush(): void {
    this.#timer = undefined;
    for (let head = this.#queue[0]; head !== undefined; head = this.#queue[0]) {
      if (head.written < head.bytes.length && !this.#writeSome(head)) return this.#retryLater();
      if (head.written < head.bytes.length) continue;
      this.#queue.shift();
      head.settle?.resolve();
    }
  }

  /** Returns false if the kernel takes nothing now. */
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
    if (this.#isAwaited && performance.now() - this.#lastProgressMs > STALL_MS) {
      for (const write of this.#queue) this.#cutShort(write, new InputBlockedError(write.written));
      this.#queue = this.#queue.filter(({ bytes, written }) => written < bytes.length);
      if (this.#queue.length === 0) return;
    }
    this.#timer = setTimeout(() => this.#flush(), this.#isAwaited ? this.#retryMs : UNAWAITED_RETRY_MS);
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  #cutShort(write: PendingWrite, reason: Error): void {
    const rest = restToKeep(write);
    this.#pendingBytes -= write.bytes.length - write.written - rest.length;
    write.bytes = rest;
    write.written = 0;
    write.abandonable = undefined;
    write.settle?.reject(reason);
    write.settle = undefined;
  }
}

const WHOLE: Abandonable = { openBytes: 0, closeBytes: 0 };

/** One write in the queue. */
export interface PendingWrite {
  bytes: Uint8Array;
  written: number;
  /** Undefined for the write of an interrupt, which completes. */
  abandonable: Abandonable | undefined;
  /** Undefined once its caller has been answered. */
  settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
}

/**
 * The bytes that must follow after a cut: none if writing has not begun. Else the rest of the opening of a paste, the
 * rest of a character, and the closing: a program must be left neither inside of a paste nor in the middle of a
 * character.
 */
export function restToKeep({ bytes, written, abandonable, settle }: PendingWrite): Uint8Array {
  // An abandoned write already holds nothing but its rest.
  if (settle === undefined) return bytes.subarray(written);
  if (written === 0) return bytes.subarray(0, 0);
  const { openBytes, closeBytes } = abandonable ?? { openBytes: 0, closeBytes: 0 };
  const closeAt = bytes.length - closeBytes;
  if (written >= closeAt) return bytes.subarray(written);
  let end = Math.max(written, openBytes);
  if (end === written) while (end < closeAt && isContinuation(bytes[end])) end++;
  return Buffer.concat([bytes.subarray(written, end), bytes.subarray(closeAt)]);
}

/** The second and later bytes of a character in UTF-8. */
function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
