/**
 * Lines on a byte stream, both ways. A line is UTF-8 and ends in a newline; a reply's raw bytes follow its line at once.
 */
import { HEADER_ALIGNMENT_BYTES } from './limits.js';

export const NEWLINE = 0x0a;
const SPACE = 0x20;

export interface LineSink {
  /** One line without its newline (and without a carriage return before it). */
  line(bytes: Uint8Array): void;
  /** The line under way is longer than allowed; nothing is reported after this. */
  tooLong(): void;
}

/**
 * From here on a line is put together as it comes: its pieces would be joined in one step at its end. Untouched memory of a buffer costs
 * nothing.
 */
const LONG_LINE_BYTES = 1024 * 1024;

/** Object and block of a piece, beside its bytes: a client may send a line byte by byte. */
const PIECE_BYTES = 256;
const SMALL_BYTES = 16 * 1024;

/** Cuts chunks of any size into lines. Holds at most `maxLineBytes` of an unfinished line. */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #maxLineBytes: number;
  #pieces: Uint8Array[] = [];
  /** Buffer of the greatest length, in place of the pieces. */
  #long: Uint8Array | undefined;
  #pendingBytes = 0;
  #overflowed = false;

  constructor(maxLineBytes: number, sink: LineSink) {
    this.#maxLineBytes = maxLineBytes;
    this.#sink = sink;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Memory of the line under way: each piece has its own object and block. */
  get heldBytes(): number {
    return this.#pendingBytes + PIECE_BYTES * this.#pieces.length;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    while (!this.#overflowed && start < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline === -1 ? chunk.length : newline;
      if (this.#pendingBytes + end - start > this.#maxLineBytes) return this.#overflow();
      if (end > start) this.#hold(chunk.subarray(start, end));
      if (newline === -1) return;
      this.#finishLine();
      start = newline + 1;
    }
  }

  /** Reports a last line that no newline ended. */
  end(): void {
    if (!this.#overflowed && this.#pendingBytes > 0) this.#finishLine();
  }

  /** Gives up the line under way, and all that comes. */
  drop(): void {
    this.#overflowed = true;
    this.#release();
  }

  /** A copy: the caller may reuse the chunk's memory, and a short tail must not keep a large chunk alive. */
  #hold(piece: Uint8Array): void {
    const before = this.#pendingBytes;
    this.#pendingBytes += piece.length;
    if (this.#long === undefined && this.#pendingBytes > LONG_LINE_BYTES && before > 0) {
      this.#long = new Uint8Array(this.#maxLineBytes);
      this.#long.set(concatBytes(this.#pieces));
      this.#pieces = [];
    }
    if (this.#long !== undefined) return this.#long.set(piece, before);
    let last: Uint8Array = piece.slice();
    // Small pieces are joined with those before that are no larger: some ten are left, and each byte is copied as often.
    for (let one = this.#pieces.at(-1); one !== undefined && one.length <= last.length; one = this.#pieces.at(-1)) {
      if (one.length > SMALL_BYTES) break;
      last = concatBytes([one, last]);
      this.#pieces.pop();
    }
    this.#pieces.push(last);
  }

  #release(): void {
    this.#pieces = [];
    this.#long = undefined;
    this.#pendingBytes = 0;
  }

  #finishLine(): void {
    const whole = this.#long?.subarray(0, this.#pendingBytes);
    let line = whole ?? (this.#pieces.length === 1 ? this.#pieces[0] : concatBytes(this.#pieces));
    line ??= new Uint8Array();
    this.#release();
    if (line.at(-1) === 0x0d) line = line.subarray(0, -1);
    this.#sink.line(line);
  }

  #overflow(): void {
    this.drop();
    this.#sink.tooLong();
  }
}

export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array {
  let total = 0;
  for (const piece of pieces) total += piece.length;
  const whole = new Uint8Array(total);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

const encoder = new TextEncoder();

export function encodeLine(value: object): Uint8Array {
  return encoder.encode(`${JSON.stringify(value)}\n`);
}

/**
 * A header line filled up with spaces before its newline to a multiple of {@link HEADER_ALIGNMENT_BYTES}: a client that
 * reads `recv(4096)` until the data ends in a newline then stops exactly where the raw bytes begin.
 */
export function encodePaddedLine(value: object): Uint8Array {
  const json = encoder.encode(JSON.stringify(value));
  const length = Math.ceil((json.length + 1) / HEADER_ALIGNMENT_BYTES) * HEADER_ALIGNMENT_BYTES;
  const line = new Uint8Array(length).fill(SPACE);
  line.set(json);
  line[length - 1] = NEWLINE;
  return line;
}
