/**
 * Output of a program for a file or a pipe, as lines: each as it stands at last. Simple output is printed as it is, a moment
 * late; from the first sequence on that can change what was printed, an emulator reads all of it (playback/final-lines.ts).
 */
import { StringDecoder } from 'node:string_decoder';
import type { FinalLines, ScreenSize } from '../../playback/final-lines.js';
import { simpleText, splitBegun } from '../../playback/simple-output.js';

/** Lines that are still on the screen are printed once they have stood for one to two of these: programs draw more often. */
const LOOK_MS = 125;
/** A line that has not ended is printed in pieces beyond it. */
const MOST_KEPT = 1024 * 1024;

const LF = 0x0a;

export interface PipedOptions {
  readonly size: ScreenSize;
  /** Loads the emulator. */
  readonly finalLines: () => Promise<typeof FinalLines>;
  /** Takes lines with their LF, and parts of a line. */
  readonly print: (text: string) => void;
}

export class PipedOutput {
  readonly #options: PipedOptions;
  readonly #decoder = new StringDecoder('utf8');
  #lines: FinalLines | undefined;
  /** Of an escape sequence or a line end. */
  #begun = '';
  /** Text that is not printed yet, and how much of it was there at the last look. */
  #held = '';
  #seen = 0;
  /** Output whose lines may be on the screen: what is printed, and what is held. */
  #printedBytes: Uint8Array = new Uint8Array(0);
  #heldBytes: Uint8Array = new Uint8Array(0);
  #timer: NodeJS.Timeout | undefined;
  /** Of what a look has printed: nobody waits for a look. */
  #failure: { readonly error: unknown } | undefined;

  constructor(options: PipedOptions) {
    this.#options = options;
  }

  /** @throws what a look before has thrown, too */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#lines === undefined) {
      const [output, begun] = splitBegun(this.#begun + this.#decoder.write(Buffer.from(bytes)));
      const text = simpleText(output);
      if (text !== undefined) {
        this.#begun = begun;
        this.#hold(text, bytes);
        return;
      }
      clearTimeout(this.#timer);
      this.#timer = undefined;
      const Lines = await this.#options.finalLines();
      this.#lines = new Lines(this.#options.size, this.#options.print);
      this.#lines.begin(this.#printedBytes, this.#heldBytes);
    }
    this.#lines.write(bytes);
    this.#lookLater();
  }

  /** Prints what is left. */
  end(): void {
    clearTimeout(this.#timer);
    if (this.#lines !== undefined) return this.#lines.end();
    const rest = this.#begun + this.#decoder.end();
    this.#options.print(this.#held + (simpleText(rest) ?? ''));
  }

  /** Prints the lines that have left the screen. */
  #hold(text: string, bytes: Uint8Array): void {
    this.#held += text;
    this.#heldBytes = Buffer.concat([this.#heldBytes, bytes]);
    const { rows } = this.#options.size;
    const from = startOfLines(this.#held, rows);
    if (from > 0) this.#printHeld(from);
    if (this.#held.length > MOST_KEPT) {
      this.#options.print(this.#held);
      this.#held = '';
      this.#printedBytes = this.#heldBytes = new Uint8Array(0);
    }
    this.#lookLater();
  }

  #printHeld(length: number): void {
    this.#options.print(this.#held.slice(0, length));
    this.#held = this.#held.slice(length);
    this.#seen = Math.max(0, this.#seen - length);
    const at = startOfHeld(this.#heldBytes, this.#held);
    const { rows } = this.#options.size;
    const printed = Buffer.concat([this.#printedBytes, this.#heldBytes.subarray(0, at)]);
    this.#printedBytes = printed.subarray(startOfRows(printed, rows));
    this.#heldBytes = this.#heldBytes.subarray(at);
  }

  #lookLater(): void {
    this.#timer ??= setTimeout(() => {
      try {
        this.#look();
      } catch (error) {
        this.#failure = { error };
      }
    }, LOOK_MS);
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#lines !== undefined) {
      if (this.#lines.look()) this.#lookLater();
      return;
    }
    const seen = this.#held.lastIndexOf('\n', this.#seen - 1) + 1;
    if (this.#seen > 0 && seen > 0) this.#printHeld(seen);
    this.#seen = this.#held.length;
    if (this.#held.includes('\n')) this.#lookLater();
  }
}

/** Where the last lines begin, as many as a screen has rows. */
function startOfLines(text: string, rows: number): number {
  return startOfLast(rows, text.length, (end) => text.lastIndexOf('\n', end));
}

/** The same of bytes, with a line more: the first may be cut. */
function startOfRows(bytes: Uint8Array, rows: number): number {
  return startOfLast(rows + 1, bytes.length, (end) => bytes.lastIndexOf(LF, end));
}

/** Both have the same line feeds. */
function startOfHeld(bytes: Uint8Array, held: string): number {
  return startOfLast(held.split('\n').length, bytes.length, (end) => bytes.lastIndexOf(LF, end));
}

/** @param lineFeedBefore index of the last line feed up to an index, or -1 @returns 0 if there are not so many */
function startOfLast(lines: number, length: number, lineFeedBefore: (end: number) => number): number {
  let at = length;
  for (let line = 0; line < lines; line++) {
    at = at === 0 ? -1 : lineFeedBefore(at - 1);
    if (at === -1) return 0;
  }
  return at + 1;
}
