/**
 * Cuts the daemon's bytes into replies: a line, and the raw bytes that its header announces. Chunks may have any size.
 */
import { concatBytes } from '../protocol/framing.js';
import type { ReplyBudget } from './reply-budget.js';

export type Header = Readonly<Record<string, unknown>>;

/** Judge of a reply, or of a line of a stream. @param cmd that was asked, if it is known @param lineBytes of it */
export type Received = (header: Header, cmd?: string, lineBytes?: number) => Header;

export interface ReplySink {
  reply(header: Header, bytes: Uint8Array | undefined, lineBytes: number): void;
  /** The bytes are not a reply of this protocol; nothing is reported after this. */
  garbage(start: string): void;
  /** Handler in place of `garbage` for a line that is none: it is left out, and what follows is read. */
  malformed?(): void;
  /** The budget has no room for so many bytes; nothing is reported after this. Needed with a budget. */
  noRoom?(bytes: number): void;
}

const NEWLINE = 0x0a;

/** No line begins with it, and the first frame of HTTP/2 does, whose server then waits for us. */
const NUL = 0;

/** Longer than any line or picture of the daemon: more bytes without a newline, or announced, are not its. */
const MAX_PART_BYTES = 1024 * 1024 * 1024;

export class ReplyReader {
  readonly #sink: ReplySink;
  readonly #budget: ReplyBudget | undefined;
  /** Bytes taken of the budget. */
  #taken = 0;
  #linePieces: Uint8Array[] = [];
  #lineBytes = 0;
  /** Set while raw bytes are due. */
  #body:
    | { readonly header: Header; readonly lineBytes: number; readonly bytes: Uint8Array; filled: number }
    | undefined;
  #failed = false;

  constructor(sink: ReplySink, budget?: ReplyBudget) {
    this.#sink = sink;
    this.#budget = budget;
  }

  /** Drops what has come of an incomplete reply, and all that comes. */
  dispose(): void {
    this.#failed = true;
    this.#linePieces = [];
    this.#body = undefined;
    this.#giveBack();
  }

  /** Whether an incomplete reply has begun. */
  get unfinished(): boolean {
    return this.#body !== undefined || this.#lineBytes > 0;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    while (start < chunk.length && !this.#failed) {
      start = this.#body === undefined ? this.#takeLine(chunk, start) : this.#takeBody(chunk, start);
    }
  }

  #takeLine(chunk: Uint8Array, start: number): number {
    if (this.#lineBytes === 0 && chunk[start] === NUL) {
      this.#fail(chunk.subarray(start));
      return chunk.length;
    }
    const newline = chunk.indexOf(NEWLINE, start);
    const end = newline === -1 ? chunk.length : newline;
    if (!this.#take(end - start)) return chunk.length;
    // A view, not a copy: Node gives every chunk memory of its own.
    this.#linePieces.push(chunk.subarray(start, end));
    this.#lineBytes += end - start;
    if (newline !== -1) this.#finishLine();
    else if (this.#lineBytes > MAX_PART_BYTES) this.#fail(chunk.subarray(start, end));
    return end + 1;
  }

  #finishLine(): void {
    const [first] = this.#linePieces;
    const line = this.#linePieces.length === 1 && first !== undefined ? first : concatBytes(this.#linePieces);
    this.#linePieces = [];
    this.#lineBytes = 0;
    this.#giveBack();
    const header = parseHeader(line);
    if (header === undefined) return this.#sink.malformed === undefined ? this.#fail(line) : this.#sink.malformed();
    const len = header['ok'] === true ? header['len'] : undefined;
    if (len === undefined || len === 0) return this.#sink.reply(header, undefined, line.length);
    if (typeof len !== 'number' || !Number.isInteger(len) || len < 0 || len > MAX_PART_BYTES) return this.#fail(line);
    if (!this.#take(len)) return;
    this.#body = { header, lineBytes: line.length, bytes: new Uint8Array(len), filled: 0 };
  }

  #takeBody(chunk: Uint8Array, start: number): number {
    const body = this.#body;
    if (body === undefined) return start;
    const piece = chunk.subarray(start, start + body.bytes.length - body.filled);
    body.bytes.set(piece, body.filled);
    body.filled += piece.length;
    if (body.filled === body.bytes.length) {
      this.#body = undefined;
      this.#giveBack();
      this.#sink.reply(body.header, body.bytes, body.lineBytes);
    }
    return start + piece.length;
  }

  #take(bytes: number): boolean {
    if (this.#budget === undefined) return true;
    if (this.#budget.take(bytes, this.#taken)) {
      this.#taken += bytes;
      return true;
    }
    const most = this.#taken + bytes;
    this.dispose();
    this.#sink.noRoom?.(most);
    return false;
  }

  #giveBack(): void {
    this.#budget?.giveBack(this.#taken);
    this.#taken = 0;
  }

  #fail(line: Uint8Array): void {
    this.#failed = true;
    this.#sink.garbage(textOf(line.subarray(0, 60)));
  }
}

function parseHeader(line: Uint8Array): Header | undefined {
  try {
    const value: unknown = JSON.parse(textOf(line));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Header) : undefined;
  } catch {
    return undefined;
  }
}

/** Creating a decoder would take longer than reading the first reply. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}
