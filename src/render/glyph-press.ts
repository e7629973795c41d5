/** Draws one glyph: by a sprite, by a face of the chain, or as tofu; then stretches and halves it for large lines. */
import type { LineSize } from '../vt/snapshot.js';
import { strokeOf } from './stroke.js';
import { SLANT, TextCanvas, type TextDrawing } from './canvas.js';
import { clusterOf } from './cluster.js';
import { BitmapFont } from './fonts/bitmap-font.js';
import { PRIMARY_ADVANCE_EM, PRIMARY_ASCENT_EM, PRIMARY_DESCENT_EM } from './fonts/faces.js';
import { type FaceChoice, FontChain } from './fonts/font-chain.js';
import {
  type ColorGlyph,
  type Glyph,
  type MaskGlyph,
  maskGlyph,
  quantise,
  remapped,
  STYLE_BOLD,
  STYLE_ITALIC,
  STYLE_WIDE,
  TOP_LEVEL,
} from './glyph.js';
import { inkBoxOf, type InkMask, rowsWithin } from './ink-mask.js';
import { MarkPress, X_HEIGHT } from './mark-press.js';
import { MOVES, withMarks } from './mark-stack.js';
import { drawSprite, isSprite } from './sprites/sprite.js';
import { drawTofu } from './tofu.js';

export interface GlyphRequest {
  /** A code point, or a whole grapheme cluster. */
  readonly grapheme: number | string;
  readonly style: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly lineSize: LineSize;
}

interface GlyphBox {
  readonly style: number;
  readonly cellWidth: number;
  /** Of one cell or two. */
  readonly width: number;
  readonly height: number;
}

/** Pixels to the right: half a pixel puts the stems of the primary face upon pixels at this width (bench/render-ocr.ts). */
const SHIFT_BY_CELL_WIDTH: ReadonlyMap<number, number> = new Map([[8, 0.5]]);

/** A cluster may be of any length, a cell has rows for few of its marks, and each costs 1 ms at 8x16, 4 ms at 64x128. */
const MOST_MARKS = 12;
const CELL_WIDTH_OF_TWO_MARKS = 7;

export class GlyphPress {
  readonly #fontsDir: string;
  readonly #canvas: TextCanvas;
  readonly #chain: FontChain;
  readonly #bitmapFonts = new Map<string, BitmapFont>();
  readonly #marks: MarkPress;

  constructor(fontsDir: string) {
    this.#fontsDir = fontsDir;
    this.#canvas = new TextCanvas(fontsDir);
    this.#chain = new FontChain(fontsDir);
    this.#marks = new MarkPress(this.#canvas, this.#chain, (name) => this.#bitmapFont(name));
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
    const choice = this.#choose(text, style);
    // Emoji of several characters, keycaps among them, are not taken apart.
    if (choice?.face.kind === 'color' && choice.rest.length === 0) return this.#drawText(choice, box);
    const { letter, marks } = clusterOf(text, (each) => this.#isDrawnWell(each, box));
    const bare = this.#drawLetter(letter, box);
    const all = [...bare.rest, ...marks].slice(0, MOST_MARKS);
    return all.length === 0 ? bare.glyph : this.#addMarks(letter, bare.glyph, all, box);
  }

  #choose(text: string, style: number): FaceChoice | undefined {
    return this.#chain.choose(text, (style & STYLE_BOLD) !== 0, (style & STYLE_ITALIC) !== 0);
  }

  /** Whole, as outlines, and with its marks within the cell. */
  #isDrawnWell(text: string, box: GlyphBox): boolean {
    const choice = this.#choose(text, box.style);
    if (choice === undefined || choice.rest.length > 0 || choice.face.kind === 'bitmap') return false;
    const parts = Array.from(text.normalize('NFD')).length;
    if (choice.face.kind !== 'text' || parts === 1) return true;
    // In narrower cells the rows of two marks of one glyph are one.
    if (parts > 2 && box.cellWidth < CELL_WIDTH_OF_TWO_MARKS) return false;
    const { mask, margin } = this.#drawTall(choice, box);
    const ink = inkBoxOf(mask);
    return ink === undefined || (ink.top >= margin && ink.bottom <= mask.height - margin);
  }

  /** `rest`: marks that the face of the letter does not have. */
  #drawLetter(letter: string, box: GlyphBox): { readonly glyph: Glyph; readonly rest: readonly number[] } {
    const { style, cellWidth, width, height } = box;
    const whole = (glyph: Glyph): { readonly glyph: Glyph; readonly rest: readonly number[] } => ({ glyph, rest: [] });
    const codePoint = letter.codePointAt(0);
    if (codePoint === undefined) return whole(maskGlyph(width, height, new Uint8Array(width * height)));
    const isAlone = letter.length === String.fromCodePoint(codePoint).length;
    const sprite = isAlone && isSprite(codePoint) ? drawSprite(codePoint, width, height) : undefined;
    if (sprite !== undefined) return whole(maskGlyph(sprite.width, sprite.height, sprite.alpha, true));
    if (letter === '_') return whole(drawUnderscore(cellWidth, height, (style & STYLE_BOLD) !== 0));
    const choice = this.#choose(letter, style);
    if (choice === undefined) return whole(drawTofu(letter, width, height));
    const { face, text, rest } = choice;
    if (face.kind !== 'bitmap') return { glyph: this.#drawText(choice, box), rest };
    const alpha = this.#bitmapFont(face.name).draw(text, width, height, (style & STYLE_BOLD) !== 0);
    return { glyph: maskGlyph(width, height, alpha), rest };
  }

  #addMarks(letter: string, bare: Glyph, codePoints: readonly number[], box: GlyphBox): Glyph {
    const { style, cellWidth, width, height } = box;
    // A mark has the colour of the text, so the letter under it has to be text, too.
    const glyph = bare.kind === 'mask' ? bare : this.#drawLetter(`${letter}\ufe0e`, box).glyph;
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

  #bitmapFont(name: string): BitmapFont {
    const known = this.#bitmapFonts.get(name);
    if (known !== undefined) return known;
    const coverage = this.#chain.coverageOf(name);
    if (coverage === undefined) throw new Error(`fonts/coverage.txt does not know ${name}.`);
    const font = new BitmapFont(this.#fontsDir, name, coverage);
    this.#bitmapFonts.set(name, font);
    return font;
  }

  #drawText(choice: FaceChoice, box: GlyphBox): Glyph {
    const { width, height } = box;
    if (choice.face.kind === 'color') {
      return colorGlyph(width, height, this.#canvas.drawColors(this.#drawing(choice, box, 0)));
    }
    const { mask, margin } = this.#drawTall(choice, box);
    const alpha = margin === 0 ? mask.alpha : rowsWithin(mask, margin, Math.round(height * MOVES));
    return maskGlyph(width, height, alpha);
  }

  /** With as many rows more above and below the cell as ink could need. */
  #drawTall(choice: FaceChoice, box: GlyphBox): { readonly mask: InkMask; readonly margin: number } {
    const margin = choice.face.kind === 'text' && isTall(choice.text) ? box.height >> 1 : 0;
    const drawing = this.#drawing(choice, box, margin);
    const rgba = this.#canvas.drawMask(drawing);
    const alpha = new Uint8Array(drawing.width * drawing.height);
    for (let pixel = 0; pixel < alpha.length; pixel++) alpha[pixel] = rgba[pixel * 4] ?? 0;
    return { mask: { width: drawing.width, height: drawing.height, alpha }, margin };
  }

  #drawing(
    { face, file, slant, text }: FaceChoice,
    { cellWidth, width, height }: GlyphBox,
    margin: number,
  ): TextDrawing {
    const isText = face.kind === 'text';
    return {
      text,
      file,
      slant,
      width,
      height: height + 2 * margin,
      emPixels: cellWidth / face.advanceEm,
      baseline: baselineOf(cellWidth, height) + margin,
      shift: isText ? (SHIFT_BY_CELL_WIDTH.get(cellWidth) ?? 0) : 0,
      fit: !isText,
    };
  }
}

/**
 * The primary face draws it two thirds of a pixel thick across the last row of a cell, where readers miss it: of twelve words
 * with an underscore tesseract read one. Here it is a full stroke, a row above where an underline lies.
 */
function drawUnderscore(cellWidth: number, cellHeight: number, bold: boolean): MaskGlyph {
  const stroke = strokeOf(cellWidth);
  const alpha = new Uint8Array(cellWidth * cellHeight);
  const top = Math.min(baselineOf(cellWidth, cellHeight) + stroke, cellHeight - 2 * stroke);
  alpha.fill(255, top * cellWidth, (top + (bold ? 2 * stroke : stroke)) * cellWidth);
  return maskGlyph(cellWidth, cellHeight, alpha);
}

/**
 * Letters other than ASCII's, which may have marks that reach out of a cell: at 8x16 the face has the tilde of a capital above
 * it. Pieces of brackets and the like, which meet at the edges of their cells, are no letters.
 */
function isTall(text: string): boolean {
  return /^\p{L}/u.test(text) && !/^[\0-\x7f]$/.test(text);
}

/** The row of pixels that letters stand on, counted from the top of the cell. */
export function baselineOf(cellWidth: number, cellHeight: number): number {
  const emPixels = cellWidth / PRIMARY_ADVANCE_EM;
  const lineHeight = (PRIMARY_ASCENT_EM + PRIMARY_DESCENT_EM) * emPixels;
  const centred = Math.round((cellHeight - lineHeight) / 2 + PRIMARY_ASCENT_EM * emPixels);
  // An underscore lies at the very bottom of the descent: it must not be cut.
  return Math.min(centred, Math.floor(cellHeight - PRIMARY_DESCENT_EM * emPixels));
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

function colorGlyph(width: number, height: number, rgba: Uint8ClampedArray): ColorGlyph {
  const colors = new Uint32Array(width * height);
  const levels = new Uint8Array(width * height);
  for (let pixel = 0; pixel < levels.length; pixel++) {
    const at = pixel * 4;
    colors[pixel] = ((rgba[at] ?? 0) << 16) | ((rgba[at + 1] ?? 0) << 8) | (rgba[at + 2] ?? 0);
    levels[pixel] = quantise(rgba[at + 3] ?? 0);
  }
  return { kind: 'color', width, height, colors, levels, graphic: true };
}
