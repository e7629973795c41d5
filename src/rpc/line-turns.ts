/**
 * Cuts what a client sends into lines, in turns with the requests of all: one line in each, so that what is refused, or empty, costs
 * nobody else more than a request does. A long line has several turns: its extent is counted, its text decoded, and then it is parsed.
 */
import { concatBytes, LineSplitter, NEWLINE } from '../protocol/framing.js';
import { readLineAhead } from '../protocol/request-line.js';
import type { RequestSchedule } from './request-schedule.js';

/** Bytes from which on the text of a line takes more than a millisecond to be read. */
const LONG_LINE_BYTES = 256 * 1024;

export interface LineTurnsOptions {
  /** Owner by whom the schedule gives turns. */
  readonly owner: () => object;
  readonly schedule: RequestSchedule;
  readonly maxLineBytes: number;
  /** No line is cut while it says so. */
  readonly isFull: () => boolean;
  readonly line: (line: Uint8Array) => void;
  readonly tooLong: () => void;
  /** All that came has been cut. */
  readonly onCut: () => void;
}

export class LineTurns {
  readonly #options: LineTurnsOptions;
  readonly #splitter: LineSplitter;
  #uncut: Uint8Array | undefined;
  /** Cut, and not parsed yet: nothing is cut until it is. */
  #long: { readonly line: Uint8Array; isRead: boolean } | undefined;
  #isAsked = false;

  constructor(options: LineTurnsOptions) {
    this.#options = options;
    const { maxLineBytes, line, tooLong } = options;
    this.#splitter = new LineSplitter(maxLineBytes, {
      line: (bytes) => {
        if (bytes.length <= LONG_LINE_BYTES) line(bytes);
        else this.#long = { line: bytes, isRead: false };
      },
      tooLong,
    });
  }

  /** Something has come that has had no turn: nothing more should be read. */
  get isBehind(): boolean {
    return this.#uncut !== undefined || this.#long !== undefined;
  }

  /** A part of a chunk keeps all of it. */
  get heldBytes(): number {
    return (this.#uncut?.buffer.byteLength ?? 0) + (this.#long?.line.length ?? 0) + this.#splitter.heldBytes;
  }

  /** Whole ones, without empty ones, that have had no turn. */
  get lines(): number {
    return linesIn(this.#uncut) + (this.#long === undefined ? 0 : 1);
  }

  push(chunk: Uint8Array): void {
    this.#uncut = this.#uncut === undefined ? chunk : concatBytes([this.#uncut, chunk]);
    this.offer();
  }

  /** Call it when there may be room. */
  offer(): void {
    const { schedule, owner, isFull } = this.#options;
    if (this.#isAsked || !this.isBehind || isFull()) return;
    this.#isAsked = true;
    schedule.begin(owner(), this.#onTurn);
  }

  /** A last line that nothing ended is one, too. @returns whether it has had its turn */
  end(): boolean {
    if (this.#uncut === undefined) this.#splitter.end();
    this.offer();
    return !this.isBehind;
  }

  /** Drops what has had no turn; the line under way may go on. */
  dropUncut(): void {
    this.#uncut = undefined;
    this.#long = undefined;
  }

  /** Gives up the line under way as well, and all that comes. */
  drop(): void {
    this.dropUncut();
    this.#splitter.drop();
  }

  readonly #onTurn = (): void => {
    this.#isAsked = false;
    if (!this.isBehind || this.#options.isFull()) return;
    if (this.#long === undefined) this.#cut();
    else this.#read(this.#long);
    if (this.isBehind) this.offer();
    else this.#options.onCut();
  };

  #cut(): void {
    const bytes = this.#uncut as Uint8Array;
    const newline = bytes.indexOf(NEWLINE);
    let end = newline === -1 ? bytes.length : newline + 1;
    // Line feeds behind it are no requests.
    end = endOfLineFeeds(bytes, end);
    this.#uncut = end < bytes.length ? bytes.subarray(end) : undefined;
    this.#splitter.push(bytes.subarray(0, newline + 1 || end));
  }

  #read(long: { readonly line: Uint8Array; isRead: boolean }): void {
    if (long.isRead) {
      this.#long = undefined;
      return this.#options.line(long.line);
    }
    long.isRead = readLineAhead(long.line);
  }
}

/** Compared at once: byte by byte, 64 KiB of them take longer than a request. */
const LINE_FEEDS = new Uint8Array(1024).fill(NEWLINE);

/** Index of the first byte from `start` on that is none. */
export function endOfLineFeeds(bytes: Uint8Array, start: number): number {
  let end = start;
  if (bytes[end] !== NEWLINE) return end;
  while (end + LINE_FEEDS.length <= bytes.length) {
    if (Buffer.compare(bytes.subarray(end, end + LINE_FEEDS.length), LINE_FEEDS) !== 0) break;
    end += LINE_FEEDS.length;
  }
  while (bytes[end] === NEWLINE) end++;
  return end;
}

/** Number of whole lines of requests. */
function linesIn(bytes: Uint8Array | undefined): number {
  let [lines, from] = [0, 0];
  for (;;) {
    const at = bytes?.indexOf(NEWLINE, from) ?? -1;
    if (at === -1) return lines;
    if (at > from) lines++;
    from = at + 1;
  }
}
