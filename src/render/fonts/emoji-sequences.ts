/**
 * Emoji made of several characters: flags, families, skin tones, keycaps. Each is one glyph of the colour face, under a code
 * point of its own (scripts/fonts-sequences.mjs), so that no shaper has a say in it. Read with the first of them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FIRST_SEQUENCE = 0x10_0000;

export class EmojiSequences {
  readonly #path: string;
  #byCodePoints: ReadonlyMap<string, number> | undefined;

  constructor(fontsDir: string, face: string) {
    this.#path = join(fontsDir, `${face}.sequences.txt`);
  }

  /** The character that draws these code points, which hold no variation selectors. */
  find(codePoints: readonly number[]): string | undefined {
    this.#byCodePoints ??= this.#read();
    const found = this.#byCodePoints.get(codePoints.map((codePoint) => codePoint.toString(16)).join('-'));
    return found === undefined ? undefined : String.fromCodePoint(found);
  }

  #read(): ReadonlyMap<string, number> {
    const lines = readFileSync(this.#path, 'utf8').trimEnd().split('\n');
    return new Map(lines.map((line, index) => [line, FIRST_SEQUENCE + index]));
  }
}
