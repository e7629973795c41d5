/** The line that was begun by input, and not ended. Pure. */

/** CR, LF, and the keys that send or drop a line: Ctrl+C, Ctrl+D, Ctrl+U. */
const ENDS: ReadonlySet<number> = new Set([13, 10, 3, 4, 21]);

export function endsLine(byte: number): boolean {
  return ENDS.has(byte);
}

export class UnendedLine {
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(bytes: Uint8Array): void {
    const end = bytes.findLastIndex(endsLine);
    this.#bytes = end < 0 ? this.#bytes + bytes.length : bytes.length - end - 1;
  }

  drop(): void {
    this.#bytes = 0;
  }
}
