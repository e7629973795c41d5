/** Converts a program's bytes for the emulator: decoded as one stream, since characters may be split anywhere. */
import { isAscii } from 'node:buffer';

/** Smaller pieces are better joined, as strings, to fewer parses. */
export const MIN_PLAIN_BYTES = 4096;

/** Least byte that begins a character of several bytes. */
const FIRST_LEAD = 0xc0;
const MOST_CHARACTER_BYTES = 4;
const NO_BYTES = new Uint8Array(0);

export class StreamDecoder {
  // A byte order mark is text.
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The last piece may have ended within a character, whose rest the decoder must get. */
  #midCharacter = false;
  /** The last bytes, if so: of one character at most. */
  #end: Uint8Array = NO_BYTES;

  get isMidCharacter(): boolean {
    return this.#midCharacter;
  }

  /** Whether it has bytes of a character whose rest has not come. */
  get holdsBytes(): boolean {
    return this.heldBytes.length > 0;
  }

  /** Bytes that are held. */
  get heldBytes(): Uint8Array {
    const lead = this.#midCharacter ? this.#end.findLastIndex((byte) => byte >= FIRST_LEAD) : -1;
    if (lead === -1) return NO_BYTES;
    const held = this.#end.subarray(lead);
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(held, { stream: true });
    return text === '' ? held : NO_BYTES;
  }

  /** Large pieces of plain ASCII are passed on as bytes: making strings is a tenth of a flood's cost. */
  decode(pieces: readonly Uint8Array[]): string | Uint8Array {
    if (this.#isPlain(pieces))
      return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
    let text = '';
    for (const piece of pieces) text += this.#decoder.decode(piece, { stream: true });
    this.#midCharacter = (pieces.at(-1)?.at(-1) ?? 0) >= 0x80;
    this.#end = this.#midCharacter
      ? Buffer.concat([this.#end, ...pieces.map((piece) => piece.subarray(-MOST_CHARACTER_BYTES))]).subarray(
          -MOST_CHARACTER_BYTES,
        )
      : NO_BYTES;
    return text;
  }

  #isPlain(pieces: readonly Uint8Array[]): boolean {
    if (this.#midCharacter) return false;
    let length = 0;
    for (const piece of pieces) length += piece.length;
    return length >= MIN_PLAIN_BYTES && pieces.every((piece) => isAscii(piece));
  }
}
