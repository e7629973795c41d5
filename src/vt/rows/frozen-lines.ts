/** Lines of a frozen screen, packed: the words of all in one block, and of most lines no more than their number. */
import type { FrozenLine } from '../xterm/frozen-emulator.js';

/** Number of its words; with the other parts of the line, unless it is a plain one. */
export type PackedLine = number | readonly [length: number, others: Omit<FrozenLine, 'words'>];

/** The lines are views of the words. @returns `taken`: how many of the words they have */
export function unpackLines(
  packed: readonly PackedLine[],
  words: Uint32Array,
): { readonly lines: FrozenLine[]; readonly taken: number } {
  let taken = 0;
  const lines = packed.map((of): FrozenLine => {
    const [length, others] = typeof of === 'number' ? [of, PLAIN] : of;
    taken += length;
    return { ...others, words: words.subarray(taken - length, taken) };
  });
  return { lines, taken };
}

/** Words of all lines, one behind the other. */
export function wordsOf(lines: readonly FrozenLine[]): Uint32Array {
  const count = lines.reduce((length, line) => length + line.words.length, 0);
  const [first] = lines;
  // Those of one screen are one block, unless the other one has lines, too.
  if (first !== undefined && first.words.buffer.byteLength === 4 * count) return new Uint32Array(first.words.buffer);
  const words = new Uint32Array(count);
  let at = 0;
  for (const line of lines) {
    words.set(line.words, at);
    at += line.words.length;
  }
  return words;
}

const PLAIN: Omit<FrozenLine, 'words'> = { combined: [], extended: [], wrapped: false, size: 'single' };

export function packLine({ words, ...others }: FrozenLine): PackedLine {
  const { combined, extended, wrapped, size, cut } = others;
  const isPlain = combined.length === 0 && extended.length === 0 && !wrapped && size === 'single' && cut === undefined;
  return isPlain ? words.length : [words.length, others];
}
