/**
 * Every distinct glyph, drawn once at the exact size asked for and kept for all terminals.
 * Bounded by two generations: when the young one is full it becomes the old one, and whatever is not asked for until the
 * next change is dropped.
 */
import type { LineSize } from '../vt/snapshot.js';
import { GlyphPress } from './glyph-press.js';
import type { Glyph } from './glyph.js';

/** 16 MiB are 50,000 glyphs of 8x16, 16,000 of 20x40. */
const DEFAULT_ATLAS_BYTES = 16 << 20;
/** What an entry costs beside its pixels. */
const ENTRY_BYTES = 200;

export class GlyphAtlas {
  readonly #press: GlyphPress;
  readonly #mostBytes: () => number;
  readonly #sheets = new Map<string, GlyphSheet>();
  #generation = 0;
  #bytes = 0;

  /** @param mostBytes of both generations */
  constructor(fontsDir: string, mostBytes: () => number = () => DEFAULT_ATLAS_BYTES) {
    this.#mostBytes = mostBytes;
    this.#press = new GlyphPress(fontsDir);
  }

  /** Number of times that the young generation became the old one. */
  get generation(): number {
    return this.#generation;
  }

  sheet(cellWidth: number, cellHeight: number, lineSize: LineSize): GlyphSheet {
    const key = `${cellWidth} ${cellHeight} ${lineSize}`;
    let sheet = this.#sheets.get(key);
    if (sheet === undefined) {
      sheet = new GlyphSheet(this, (grapheme, style) => {
        const glyph = this.#press.draw({ grapheme, style, cellWidth, cellHeight, lineSize });
        this.#account(glyph);
        return glyph;
      });
      this.#sheets.set(key, sheet);
    }
    return sheet;
  }

  #account(glyph: Glyph): void {
    this.#bytes += ENTRY_BYTES + glyph.levels.length * (glyph.kind === 'color' ? 5 : 1);
    if (this.#bytes < this.#mostBytes() / 2) return;
    this.#bytes = 0;
    this.#generation++;
  }
}

/** The glyphs of one cell size and line size. */
export class GlyphSheet {
  readonly #atlas: GlyphAtlas;
  readonly #draw: (grapheme: number | string, style: number) => Glyph;
  #generation = 0;
  #young = new Map<number | string, Glyph>();
  #old = new Map<number | string, Glyph>();

  constructor(atlas: GlyphAtlas, draw: (grapheme: number | string, style: number) => Glyph) {
    this.#atlas = atlas;
    this.#draw = draw;
  }

  glyph(grapheme: number | string, style: number): Glyph {
    if (this.#generation !== this.#atlas.generation) this.#age();
    const key = typeof grapheme === 'number' ? grapheme * 8 + style : `${style}${grapheme}`;
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const glyph = this.#old.get(key) ?? this.#draw(grapheme, style);
    this.#young.set(key, glyph);
    return glyph;
  }

  #age(): void {
    this.#old = this.#atlas.generation === this.#generation + 1 ? this.#young : new Map();
    this.#young = new Map();
    this.#generation = this.#atlas.generation;
  }
}
