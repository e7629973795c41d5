/**
 * Values with blobs over a byte stream between two processes of this product: each frame is a head of 32-bit words (little endian), the
 * length of the JSON, the number of blobs and the length of each, then the JSON and the blobs.
 */
import type { Socket } from 'node:net';
import { decodeWithBlobs, encodeWithBlobs } from '../../base/json-blobs.js';

const WORD_BYTES = 4;

/** Bound of one frame: beyond it the other side is not this product. */
const MAX_FRAME_BYTES = 2 ** 31;

export class FrameChannel<Sent extends object, Received extends object> {
  readonly #socket: Socket;
  readonly #frames: Received[] = [];
  #pieces: Buffer[] = [];
  /** The frame that has begun, with room for all of it. */
  #begun: { readonly bytes: Buffer; filled: number } | undefined;
  #bytes = 0;
  #isOver = false;
  #wake = (): void => {};
  #lastSent = Promise.resolve();
  #onFrame: ((frame: Received) => void) | undefined;
  onEnd: (() => void) | undefined;
  /** Why what came is no frame, as the end of a sentence. Nothing is read behind it. */
  wrong: string | undefined;
  sentBytes = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#received(chunk));
    // An error is followed by the close.
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#bytes > 0) this.wrong ??= 'ends within a frame';
      this.#isOver = true;
      this.#wake();
      this.onEnd?.();
    });
  }

  /** Resolves once the other side's kernel may take more. */
  send(frame: Sent): Promise<void> {
    const { json, blobs } = encodeWithBlobs(frame);
    const text = Buffer.from(json);
    const head = Buffer.alloc(WORD_BYTES * (2 + blobs.length));
    [text.length, blobs.length, ...blobs.map((blob) => blob.length)].forEach((word, at) =>
      head.writeUInt32LE(word, at * WORD_BYTES),
    );
    const parts = [head, text, ...blobs];
    this.sentBytes += parts.reduce((sum, part) => sum + part.length, 0);
    if (this.#isOver) return Promise.resolve();
    for (const part of parts.slice(0, -1)) this.#socket.write(part);
    this.#lastSent = new Promise((resolve) => {
      this.#socket.write(parts.at(-1) ?? head, () => resolve());
    });
    return this.#lastSent;
  }

  /** Replaces {@link next}: the first handler is called with each frame, those that have come included, the second with the end. */
  follow(onFrame: (frame: Received) => void, onEnd: () => void): void {
    this.#onFrame = onFrame;
    this.onEnd = onEnd;
    for (const frame of this.#frames.splice(0)) onFrame(frame);
    if (this.isOver) onEnd();
  }

  /** Resolves once the kernel has all that was sent before. */
  async sent(): Promise<void> {
    await this.#lastSent;
  }

  /** @returns undefined if the other side has ended, or nothing came in time */
  async next(withinMs: number): Promise<Received | undefined> {
    const endMs = performance.now() + withinMs;
    while (this.#frames.length === 0 && !this.isOver) {
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) return undefined;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#frames.shift();
  }

  /** Nothing more is wanted of the other side, which may be none of this product. @param why as the end of a sentence */
  refuse(why: string): undefined {
    this.wrong = why;
    this.#pieces = [];
    this.#begun = undefined;
    this.#bytes = 0;
    // An answer gets lost where nothing reads what follows: it is read and dropped.
    if (this.onEnd !== undefined) this.close();
  }

  /** Resolves once the other side has ended, or after a while. */
  async ended(withinMs: number): Promise<void> {
    if (this.#isOver) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#wake = () => {
        if (!this.#isOver) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  /** The other side has ended, or said what is no frame. */
  get isOver(): boolean {
    return this.#isOver || this.wrong !== undefined;
  }

  /** The process does not stay for it. */
  unref(): void {
    this.#socket.unref();
  }

  #received(chunk: Buffer): void {
    if (this.wrong !== undefined) return;
    this.#bytes += chunk.length;
    const rest = this.#fill(chunk);
    if (rest.length > 0) this.#pieces.push(rest);
    for (let frame = this.#cut(); frame !== undefined; frame = this.#cut()) {
      if (this.#onFrame !== undefined) this.#onFrame(frame);
      else this.#frames.push(frame);
    }
    this.#wake();
  }

  /** @returns what is behind the frame that has begun */
  #fill(chunk: Buffer): Buffer {
    if (this.#begun === undefined) return chunk;
    const { bytes, filled } = this.#begun;
    this.#begun.filled += chunk.copy(bytes, filled);
    return chunk.subarray(this.#begun.filled - filled);
  }

  #cut(): Received | undefined {
    if (this.#begun !== undefined) {
      const { bytes, filled } = this.#begun;
      if (filled < bytes.length) return undefined;
      this.#pieces.unshift(bytes);
      this.#begun = undefined;
    }
    const head = this.#peek(2 * WORD_BYTES);
    if (head === undefined) return undefined;
    const count = head.readUInt32LE(WORD_BYTES);
    if (count * WORD_BYTES > MAX_FRAME_BYTES) return this.refuse(`has a frame of ${count} blobs`);
    const whole = this.#peek(WORD_BYTES * (2 + count));
    if (whole === undefined) return undefined;
    const lengths = [
      head.readUInt32LE(0),
      ...Array.from({ length: count }, (_, at) => whole.readUInt32LE((2 + at) * WORD_BYTES)),
    ];
    const frameBytes = whole.length + lengths.reduce((sum, length) => sum + length, 0);
    if (frameBytes > MAX_FRAME_BYTES)
      return this.refuse(`has a frame of ${frameBytes} bytes, of ${MAX_FRAME_BYTES} at most`);
    if (this.#bytes < frameBytes) return this.#begin(frameBytes);
    // A frame that had begun before is one piece, and what follows it stays where it is.
    const bytes = this.#pieces[0]?.length === frameBytes ? this.#pieces[0] : this.#joined();
    this.#pieces.shift();
    if (bytes.length > frameBytes) this.#pieces.unshift(bytes.subarray(frameBytes));
    this.#bytes -= frameBytes;
    let at = whole.length;
    const [json = Buffer.alloc(0), ...blobs] = lengths.map((length) => bytes.subarray(at, (at += length)));
    try {
      return decodeWithBlobs({ json: json.toString(), blobs }) as Received;
    } catch (error) {
      return this.refuse(`has a frame that is none: ${(error as Error).message}`);
    }
  }

  /** The pieces of a large frame are copied as they come, not all at its end. */
  #begin(frameBytes: number): undefined {
    try {
      this.#begun = { bytes: Buffer.allocUnsafeSlow(frameBytes), filled: 0 };
    } catch {
      return this.refuse(`has a frame of ${frameBytes} bytes, for which there is no memory`);
    }
    for (const piece of this.#pieces.splice(0)) this.#fill(piece);
    return undefined;
  }

  #peek(count: number): Buffer | undefined {
    if (this.#bytes < count) return undefined;
    if ((this.#pieces[0]?.length ?? 0) < count) this.#joined();
    return this.#pieces[0]?.subarray(0, count);
  }

  #joined(): Buffer {
    const bytes = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#pieces = bytes === undefined ? [] : [bytes];
    return bytes ?? Buffer.alloc(0);
  }
}
