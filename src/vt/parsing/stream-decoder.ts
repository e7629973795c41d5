/** Converts a program's bytes for the emulator: decoded as one stream, since characters may be split anywhere. */
import { isAscii } from 'node:buffer';

/** Smaller pieces are better joined, as strings, to fewer parses. */
export const MIN_PLAIN_BYTES = 4096;

export class StreamDecoder {
  // A byte order mark is text.
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The last piece may have ended within a character, whose rest the decoder must get. */
  #midCharacter = false;

  get isMidCharacter(): boolean {
    return this.#midCharacter;
  }

  /** Large pieces of plain ASCII are passed on as bytes: making strings is a tenth of a flood's cost. */
  decode(pieces: readonly Uint8Array[]): string | Uint8Array {
    if (this.#isPlain(pieces))
      return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
    let text = '';
    for (const piece of pieces) text += this.#decoder.decode(piece, { stream: true });
    this.#midCharacter = (pieces.at(-1)?.at(-1) ?? 0) >= 0x80;
    return text;
  }

  #isPlain(pieces: readonly Uint8Array[]): boolean {
    if (this.#midCharacter) return false;
    let length = 0;
    for (const piece of pieces) length += piece.length;
    return length >= MIN_PLAIN_BYTES && pieces.every((piece) => isAscii(piece));
  }
}
