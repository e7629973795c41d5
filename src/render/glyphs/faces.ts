/** The faces of fonts/ and what draws with them, which letters and marks share. */
import { TextCanvas } from './canvas.js';
import { BitmapFont } from '../fonts/bitmap-font.js';
import { type FaceChoice, FontChain } from '../fonts/font-chain.js';
import { STYLE_BOLD, STYLE_ITALIC } from './glyph.js';

export class FaceLoader {
  readonly canvas: TextCanvas;
  readonly #fontsDir: string;
  readonly #chain: FontChain;
  readonly #bitmapFonts = new Map<string, BitmapFont>();

  constructor(fontsDir: string) {
    this.canvas = new TextCanvas(fontsDir);
    this.#fontsDir = fontsDir;
    this.#chain = new FontChain(fontsDir);
  }

  choose(text: string, style: number, cellWidth: number): FaceChoice | undefined {
    return this.#chain.choose(text, (style & STYLE_BOLD) !== 0, (style & STYLE_ITALIC) !== 0, cellWidth);
  }

  bitmapFont(name: string): BitmapFont {
    const known = this.#bitmapFonts.get(name);
    if (known !== undefined) return known;
    const coverage = this.#chain.coverageOf(name);
    if (coverage === undefined) throw new Error(`fonts/coverage.txt does not know ${name}.`);
    const font = new BitmapFont(this.#fontsDir, name, coverage);
    this.#bitmapFonts.set(name, font);
    return font;
  }
}
