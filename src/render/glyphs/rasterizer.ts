/** Draws one glyph: a letter, and the marks that its face has not put on it; then stretches and halves it for large lines. */
import type { LineSize } from '../../vt/snapshot.js';
import { baselineOf } from '../cell-size.js';
import { SLANT } from './canvas.js';
import { clusterOf } from './cluster.js';
import { FaceLoader } from './faces.js';
import { type Glyph, type MaskGlyph, maskGlyph, remapped, STYLE_ITALIC, STYLE_WIDE, TOP_LEVEL } from './glyph.js';
import { type GlyphBox, LetterRasterizer } from './letters.js';
import { MarkRasterizer, X_HEIGHT } from './mark-rasterizer.js';
import { withMarks } from './mark-stack.js';

export interface GlyphRequest {
  /** A code point, or a whole grapheme cluster. */
  readonly grapheme: number | string;
  readonly style: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly lineSize: LineSize;
}

/** A cluster may be of any length, a cell has rows for few of its marks, and each costs 1 ms at 8x16, 4 ms at 64x128. */
const MOST_MARKS = 12;

export class GlyphRasterizer {
  readonly #letters: LetterRasterizer;
  readonly #marks: MarkRasterizer;

  constructor(fontsDir: string) {
    const faces = new FaceLoader(fontsDir);
    this.#letters = new LetterRasterizer(faces);
    this.#marks = new MarkRasterizer(faces);
  }

  draw(request: GlyphRequest): Glyph {
    const { cellWidth, cellHeight, lineSize } = request;
    if (lineSize === 'single') return this.#drawBox(request, cellWidth, cellHeight);
    // A double-width line is the narrow glyph stretched; a double-height one the glyph of a cell twice as large, halved.
    if (lineSize === 'double-width') return forLineSize(this.#drawBox(request, cellWidth, cellHeight), lineSize);
    return forLineSize(this.#drawBox(request, cellWidth * 2, cellHeight * 2), lineSize);
  }

  #drawBox({ grapheme, style }: GlyphRequest, cellWidth: number, height: number): Glyph {
    const text = typeof grapheme === 'number' ? String.fromCodePoint(grapheme) : grapheme;
    const box = { style, cellWidth, width: (style & STYLE_WIDE) === 0 ? cellWidth : cellWidth * 2, height };
    const emoji = this.#letters.drawEmoji(text, box);
    if (emoji !== undefined) return emoji;
    const { letter, marks } = clusterOf(text, (each) => this.#letters.drawsWell(each, box));
    const bare = this.#letters.draw(letter, box);
    const all = [...bare.rest, ...marks].slice(0, MOST_MARKS);
    return all.length === 0 ? bare.glyph : this.#addMarks(letter, bare.glyph, all, box);
  }

  #addMarks(letter: string, bare: Glyph, codePoints: readonly number[], box: GlyphBox): Glyph {
    const { style, cellWidth, width, height } = box;
    // A mark has the colour of the text, so the letter under it has to be text, too.
    const glyph = bare.kind === 'mask' ? bare : this.#letters.draw(`${letter}\ufe0e`, box).glyph;
    const marks = codePoints.map((codePoint) => this.#marks.draw(codePoint, box));
    const bottom = baselineOf(cellWidth, height);
    const blank = { left: 0, right: width, top: bottom - Math.round(cellWidth * X_HEIGHT), bottom };
    const metrics = {
      blank,
      gap: Math.max(1, Math.round(cellWidth / 9)),
      slant: (style & STYLE_ITALIC) === 0 ? 0 : SLANT,
    };
    const alpha = glyph.levels.map((level) => Math.round((level * 255) / TOP_LEVEL));
    const marked = withMarks({ width, height, alpha }, marks, metrics);
    return maskGlyph(width, height, marked.alpha, glyph.graphic);
  }
}

/** `double-width`: twice as wide. `double-top`, `double-bottom`: the upper or lower half of what was drawn twice as large. */
export function forLineSize(glyph: MaskGlyph, lineSize: LineSize): MaskGlyph;
export function forLineSize(glyph: Glyph, lineSize: LineSize): Glyph;
export function forLineSize(glyph: Glyph, lineSize: LineSize): Glyph {
  const { width, height } = glyph;
  if (lineSize === 'single') return glyph;
  if (lineSize === 'double-width') return remapped(glyph, width * 2, height, (x, y) => y * width + (x >> 1));
  const top = lineSize === 'double-top' ? 0 : height >> 1;
  return remapped(glyph, width, height >> 1, (x, y) => (top + y) * width + x);
}
