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

/** An interrupt overtook: `written` of the bytes given had arrived, the others are dropped. */
export class InputInterruptedError extends Error {
  override readonly name = 'InputInterruptedError';
  readonly written: number;

  constructor(written: number) {
    super(`interrupted after ${written} bytes`);
    this.written = written;
  }
}

/** A write that may be given up half way, by an interrupt. */
export interface Abandonable {
  /** Bytes at the start that are written whole if at all: what opens a bracket. */
  readonly openBytes: number;
  /** Bytes at the end that follow whatever was written: what closes it. */
  readonly closeBytes: number;
}

const FIRST_RETRY_MS = 1;
const LAST_RETRY_MS = 20;
/** For the end of a bracket that nobody waits for, in front of a program that may never read again. */
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
   * Gives up what may be given up, and writes `bytes` before whatever else is queued. Takes at once what the kernel takes;
   * {@link pendingBytes} then tells whether it is full.
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

  /** What may be given up is dropped but for what must follow its beginning, and fails as interrupted. */
  abandon(): void {
    for (const write of this.#queue) {
      if (write.abandonable !== undefined) this.#cutShort(write, new InputInterruptedError(write.written));
    }
    this.#queue = this.#queue.filter(({ bytes, written }) => written < bytes.length);
  }

  /** What is still queued fails as blocked. */
  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    for (const write of this.#queue) write.settle?.reject(new InputBlockedError(write.written));
    this.#queue = [];
    this.#pendingBytes = 0;
  }

  /** Whether anybody waits for the queue; what was given up has only its rest in it. */
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
  /** Undefined: an interrupt waits for it. */
  abandonable: Abandonable | undefined;
  /** Undefined once its caller has been answered. */
  settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
}

/**
 * Nothing of what was not begun. Else the rest of what opens a bracket, the rest of a character that was cut, and what
 * closes the bracket: a program must be left neither inside of a paste nor in the middle of a character.
 */
export function restToKeep({ bytes, written, abandonable, settle }: PendingWrite): Uint8Array {
  // What was cut short before is already nothing but the rest.
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
