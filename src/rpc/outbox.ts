/**
 * The only writer of a connection's socket: nothing comes between a line and its bytes. It holds what the client has not
 * read yet; a producer checks {@link Outbox.congested} first. Bytes are handed on without a copy.
 */
import type { Socket } from 'node:net';
import type { RequestId } from '../protocol/request.js';
import type { LineSource } from './service.js';
import { Streams } from './streams.js';

const NOTHING = new Uint8Array();

/** Pieces below a quarter of it are gathered while the client does not read: each alone takes several times its bytes. */
const BLOCK_BYTES = 16 * 1024;

export class Outbox {
  readonly #socket: Socket;
  readonly #maxBytes: number;
  readonly #onDrained: () => void;
  readonly streams = new Streams(() => this.#pull());
  #flushScheduled = false;
  /** Work that waits until the client has read, in order. */
  readonly #heldBack: (() => void)[] = [];
  #isReleasing = false;
  /** Pieces that the socket gets once it is full, or once the client has read. */
  #block: Uint8Array = NOTHING;
  #blockBytes = 0;

  /** @param maxBytes beyond these a client is not reading, and its further requests wait */
  constructor(socket: Socket, maxBytes: number, onDrained: () => void) {
    this.#socket = socket;
    this.#maxBytes = maxBytes;
    this.#onDrained = onDrained;
    socket.on('drain', () => {
      this.#writeBlock();
      this.#pull();
      this.#onDrained();
    });
  }

  /** A destroyed socket has no reader for the rest: there is nothing to wait for. */
  get congested(): boolean {
    return !this.#socket.destroyed && this.unreadBytes > this.#maxBytes;
  }

  /** Resolves at once if the client reads and nobody has just been let through, and else in its turn. */
  async caughtUp(): Promise<void> {
    if (!this.congested && this.#heldBack.length === 0 && !this.#isReleasing) return this.#letThrough();
    await new Promise<void>((resolve) => this.#heldBack.push(resolve));
  }

  /** One at a time: the reply of the first may be more than the client reads at once. Call it when a client may have read. */
  release(): void {
    if (this.#isReleasing || this.congested) return;
    const next = this.#heldBack.shift();
    if (next === undefined) return;
    this.#letThrough();
    next();
  }

  #letThrough(): void {
    this.#isReleasing = true;
    // Order: after the microtasks of the one that is let through, which make its reply.
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#isReleasing = false;
        this.release();
      }),
    );
  }

  get unreadBytes(): number {
    return this.#socket.writableLength + this.#blockBytes;
  }

  send(line: Uint8Array, bytes: readonly Uint8Array[] = []): void {
    if (!this.#socket.writable) return;
    this.#write(line);
    for (const piece of bytes) this.#write(piece);
  }

  /** Reads the source only while the socket accepts more: the source must bound its queue, and drop lines if it is full. */
  stream(source: LineSource, req: RequestId | undefined): void {
    this.streams.add(source, req);
    this.#pull();
  }

  /**
   * Finds out whether a client that has closed its writing side is still there to read. Node reports both cases alike;
   * writing nothing to a socket whose peer is gone fails with EPIPE, which ends the socket.
   */
  probe(): void {
    if (this.#socket.writable && this.#socket.writableLength === 0) this.#socket.write(NOTHING);
  }

  /** Closes the writing side once everything is written. */
  end(): void {
    if (this.#socket.writableEnded) return;
    this.#writeBlock();
    this.#socket.end();
  }

  /** Closes both sides once everything is written. */
  close(): void {
    if (!this.#socket.writableEnded) this.#writeBlock();
    this.#socket.destroySoon();
  }

  #pull(): void {
    try {
      while (this.#socket.writable && !this.#socket.writableNeedDrain) {
        const line = this.streams.next();
        if (line === undefined) return;
        this.#write(line);
      }
    } catch (error) {
      this.#socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #write(piece: Uint8Array): void {
    const isSmall = piece.length < BLOCK_BYTES / 4;
    if (!isSmall || this.#blockBytes + piece.length > this.#block.length) this.#writeBlock();
    // Order: what was gathered is ahead of the piece, and "drain" comes.
    if (!isSmall || !this.#socket.writableNeedDrain) return this.#handOn(piece);
    if (this.#blockBytes === 0) this.#block = new Uint8Array(BLOCK_BYTES);
    this.#block.set(piece, this.#blockBytes);
    this.#blockBytes += piece.length;
  }

  #writeBlock(): void {
    if (this.#blockBytes === 0) return;
    // A view of a block that is nearly empty would keep all of it.
    const isFull = this.#blockBytes > BLOCK_BYTES / 2;
    const gathered = isFull ? this.#block.subarray(0, this.#blockBytes) : this.#block.slice(0, this.#blockBytes);
    this.#block = NOTHING;
    this.#blockBytes = 0;
    if (this.#socket.writable) this.#handOn(gathered);
  }

  /** All that is written in one turn of the event loop leaves in one system call. */
  #handOn(piece: Uint8Array): void {
    if (!this.#flushScheduled) {
      this.#flushScheduled = true;
      this.#socket.cork();
      process.nextTick(() => {
        this.#flushScheduled = false;
        this.#socket.uncork();
      });
    }
    this.#socket.write(piece);
  }
}
