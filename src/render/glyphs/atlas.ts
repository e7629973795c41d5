/**
 * Every distinct glyph, drawn once at the exact size asked for and kept for all terminals.
 * Bounded by two generations: when the young one is full it becomes the old one, and whatever is not asked for until the
 * next change is dropped.
 */
import type { LineSize } from '../../vt/snapshot.js';
import { GlyphRasterizer } from './rasterizer.js';
import type { Glyph } from './glyph.js';

/** 16 MiB are 50,000 glyphs of 8x16, 16,000 of 20x40. */
const DEFAULT_ATLAS_BYTES = 16 << 20;
/** Cost of an entry beside its pixels. */
const ENTRY_BYTES = 200;

export class GlyphAtlas {
  readonly #press: GlyphRasterizer;
  readonly #mostBytes: () => number;
  readonly #sheets = new Map<string, GlyphSheet>();
  #bytes = 0;

  /** @param mostBytes of both generations */
  constructor(fontsDir: string, mostBytes: () => number = () => DEFAULT_ATLAS_BYTES) {
    this.#mostBytes = mostBytes;
    this.#press = new GlyphRasterizer(fontsDir);
  }

  /** Size of all kept glyphs, counted at each call. */
  get byteLength(): number {
    let bytes = 0;
    for (const sheet of this.#sheets.values()) bytes += sheet.byteLength;
    return bytes;
  }

  sheet(cellWidth: number, cellHeight: number, lineSize: LineSize): GlyphSheet {
    const key = `${cellWidth} ${cellHeight} ${lineSize}`;
    let sheet = this.#sheets.get(key);
    if (sheet === undefined) {
      sheet = new GlyphSheet(
        (grapheme, style) => this.#press.draw({ grapheme, style, cellWidth, cellHeight, lineSize }),
        (glyph) => this.#account(glyph),
      );
      this.#sheets.set(key, sheet);
    }
    return sheet;
  }

  /** Called before the glyph enters the young generation: a full generation becomes the old one first. */
  #account(glyph: Glyph): void {
    const bytes = bytesOf(glyph);
    if (this.#bytes + bytes > this.#mostBytes() / 2) {
      this.#bytes = 0;
      // All of them: a sheet of a size that is not used any more would keep its glyphs for ever.
      for (const sheet of this.#sheets.values()) sheet.age();
    }
    this.#bytes += bytes;
  }
}

/** The glyphs of one cell size and line size. */
export class GlyphSheet {
  readonly #draw: (grapheme: number | string, style: number) => Glyph;
  readonly #becomesYoung: (glyph: Glyph) => void;
  #young = new Map<number | string, Glyph>();
  #old = new Map<number | string, Glyph>();

  constructor(draw: (grapheme: number | string, style: number) => Glyph, becomesYoung: (glyph: Glyph) => void) {
    this.#draw = draw;
    this.#becomesYoung = becomesYoung;
  }

  get byteLength(): number {
    let bytes = 0;
    for (const glyph of new Set([...this.#young.values(), ...this.#old.values()])) bytes += bytesOf(glyph);
    return bytes;
  }

  glyph(grapheme: number | string, style: number): Glyph {
    const key = typeof grapheme === 'number' ? grapheme * 8 + style : `${style}${grapheme}`;
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const glyph = this.#old.get(key) ?? this.#draw(grapheme, style);
    this.#becomesYoung(glyph);
    this.#young.set(key, glyph);
    return glyph;
  }

  /** Makes young entries old; old ones that have not been asked for go. */
  age(): void {
    this.#old = this.#young;
    this.#young = new Map();
  }
}

function bytesOf(glyph: Glyph): number {
  return ENTRY_BYTES + glyph.levels.length * (glyph.kind === 'color' ? 5 : 1);
}
