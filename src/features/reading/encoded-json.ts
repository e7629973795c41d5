/** JSON of large values in pieces, between which others are served. */
import type { MadeBytes } from '../../rpc/made-bytes.js';
import type { Work } from '../../search/work.js';

/** A piece takes less than half a millisecond. */
const PIECE_LENGTH = 64 * 1024;

/** An item that is JSON already: a million runs of cells as objects take the collector half a second. */
export class Json {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An array, or a string. */
export function* encodedJson(value: readonly unknown[] | string, made: MadeBytes): Work<Uint8Array[]> {
  const pieces = new Pieces(made);
  if (typeof value === 'string') yield* addString(pieces, value);
  else yield* addArray(pieces, value);
  return pieces.end();
}

function* addArray(pieces: Pieces, items: readonly unknown[]): Work<void> {
  pieces.add('[');
  for (const [i, item] of items.entries()) {
    if (i > 0) pieces.add(',');
    pieces.add(item instanceof Json ? item.text : JSON.stringify(item));
    yield 1;
  }
  pieces.add(']');
}

function* addString(pieces: Pieces, text: string): Work<void> {
  pieces.add('"');
  for (let at = 0; at < text.length;) {
    let end = at + PIECE_LENGTH;
    if (isHighSurrogate(text.charCodeAt(end - 1))) end++;
    pieces.add(JSON.stringify(text.slice(at, end)).slice(1, -1));
    at = end;
    yield 1;
  }
  pieces.add('"');
}

/** Half a character alone would be escaped. */
function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

class Pieces {
  readonly #pieces: Uint8Array[] = [];
  readonly #made: MadeBytes;
  #text = '';

  constructor(made: MadeBytes) {
    this.#made = made;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE_LENGTH) this.#cut();
  }

  end(): Uint8Array[] {
    this.#cut();
    return this.#pieces;
  }

  #cut(): void {
    const piece = Buffer.from(this.#text);
    this.#pieces.push(piece);
    this.#made.add(piece.length);
    this.#text = '';
  }
}
