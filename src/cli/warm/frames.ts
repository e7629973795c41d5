/** Frames between the native client (native/t4a.c) and the host: a letter, the length in four bytes, the content. */
const HEAD_BYTES = 5;

/** The client has room for no more. */
export const MOST_CONTENT = 60 * 1024;

export interface WarmFrame {
  readonly letter: string;
  readonly content: Buffer;
}

export function warmFrameOf(letter: string, content: Uint8Array = Buffer.alloc(0)): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + content.length);
  frame.write(letter, 'latin1');
  frame.writeUInt32LE(content.length, 1);
  frame.set(content, HEAD_BYTES);
  return frame;
}

/** Bytes as they arrive to frames. */
export class FrameReader {
  readonly #most: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  /** @param most bytes of a frame */
  constructor(most: number) {
    this.#most = most;
  }

  /** @throws RangeError if a frame is too long */
  *read(bytes: Buffer): Generator<WarmFrame> {
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    for (let need = this.#need(); this.#bytes >= need; need = this.#need()) {
      const all = this.#joined();
      yield { letter: String.fromCharCode(all[0] ?? 0), content: all.subarray(HEAD_BYTES, need) };
      this.#parts = [all.subarray(need)];
      this.#bytes = all.length - need;
    }
  }

  /** Bytes of the next frame, as far as they are known. */
  #need(): number {
    if (this.#bytes < HEAD_BYTES) return HEAD_BYTES;
    const first = this.#parts[0] as Buffer;
    const length = (first.length >= HEAD_BYTES ? first : this.#joined()).readUInt32LE(1);
    if (length > this.#most) throw new RangeError(`a frame of ${length} bytes`);
    return HEAD_BYTES + length;
  }

  #joined(): Buffer {
    if (this.#parts.length !== 1) this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0] as Buffer;
  }
}
