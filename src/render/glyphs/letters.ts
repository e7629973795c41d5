/** Draws a letter without its loose marks, or any other character: by a sprite, by a face of the chain, or as tofu. */
import { baselineOf, strokeOf } from '../cell-size.js';
import type { TextDrawing } from './canvas.js';
import type { FaceLoader } from './faces.js';
import { REGULAR_STROKES } from '../fonts/bitmap-font.js';
import type { FaceChoice } from '../fonts/font-chain.js';
import { type ColorGlyph, type Glyph, type MaskGlyph, maskGlyph, quantise, STYLE_BOLD } from './glyph.js';
import { inkBoxOf, type InkMask, rowsWithin } from './ink-mask.js';
import { movesIn } from './mark-stack.js';
import { drawSprite, isSprite } from '../sprites/sprite.js';
import { drawTofu } from './tofu.js';

export interface GlyphBox {
  readonly style: number;
  readonly cellWidth: number;
  /** Width of one cell or two, in pixels. */
  readonly width: number;
  readonly height: number;
}

export interface Letter {
  readonly glyph: Glyph;
  /** Marks that its face does not have. */
  readonly rest: readonly number[];
}

/** Pixels to the right: half a pixel puts the stems of the primary face upon pixels at this width (bench/render-ocr.ts). */
const SHIFT_BY_CELL_WIDTH: ReadonlyMap<number, number> = new Map([[8, 0.5]]);

/**
 * Upwards. At 7 and 10, hinting would end b, f and l on the row of digits and capitals and leave rows of the cell empty: an l
 * that is higher than a 1 or an I is read as neither (at 10 a third fewer words are misread, bench/render-peers.bench.ts). At 9
 * and 15 it would have the digits of two faces on unequal rows.
 */
const STRETCH_BY_CELL_WIDTH: ReadonlyMap<number, number> = new Map([
  [7, 1.05],
  [9, 0.99],
  [10, 1.04],
  [15, 0.99],
]);

/** Least width of a cell with two marks on one glyph: in narrower ones the rows of both are one. */
const CELL_WIDTH_OF_TWO_MARKS = 7;

export class LetterRasterizer {
  readonly #faces: FaceLoader;

  constructor(faces: FaceLoader) {
    this.#faces = faces;
  }

  draw(letter: string, box: GlyphBox): Letter {
    const { style, cellWidth, width, height } = box;
    const codePoint = letter.codePointAt(0);
    if (codePoint === undefined) return whole(maskGlyph(width, height, new Uint8Array(width * height)));
    const isAlone = letter.length === String.fromCodePoint(codePoint).length;
    const sprite = isAlone && isSprite(codePoint) ? drawSprite(codePoint, width, height) : undefined;
    if (sprite !== undefined) return whole(maskGlyph(sprite.width, sprite.height, sprite.alpha, true));
    if (letter === '_') return whole(drawUnderscore(cellWidth, height, (style & STYLE_BOLD) !== 0));
    const choice = this.#faces.choose(letter, style, cellWidth);
    if (choice === undefined) return whole(drawTofu(letter, width, height));
    const { face, text, rest } = choice;
    if (face.kind !== 'bitmap') return { glyph: this.#drawText(choice, box), rest };
    const isBold = (style & STYLE_BOLD) !== 0;
    const alpha = this.#faces.bitmapFont(face.name).draw(text, width, height, isBold, REGULAR_STROKES);
    return { glyph: maskGlyph(width, height, alpha), rest };
  }

  /** Emoji of several characters, keycaps among them, are not to be taken apart. */
  drawEmoji(text: string, box: GlyphBox): Glyph | undefined {
    const choice = this.#faces.choose(text, box.style, box.cellWidth);
    return choice?.face.kind === 'color' && choice.rest.length === 0 ? this.#drawText(choice, box) : undefined;
  }

  /** Whole, as outlines, and with its marks within the cell. */
  drawsWell(text: string, box: GlyphBox): boolean {
    const choice = this.#faces.choose(text, box.style, box.cellWidth);
    if (choice === undefined || choice.rest.length > 0 || choice.face.kind === 'bitmap') return false;
    const parts = Array.from(text.normalize('NFD')).length;
    if (choice.face.kind !== 'text' || parts === 1) return true;
    if (parts > 2 && box.cellWidth < CELL_WIDTH_OF_TWO_MARKS) return false;
    const { mask, margin } = this.#drawTall(choice, box);
    const ink = inkBoxOf(mask);
    // Two marks in one glyph stand closer, often side by side: moving it as far as that goes is better than to stack them.
    const reach = parts > 2 ? margin - movesIn(box.height) : margin;
    return ink === undefined || (ink.top >= reach && ink.bottom <= mask.height - margin);
  }

  #drawText(choice: FaceChoice, box: GlyphBox): Glyph {
    const { width, height } = box;
    if (choice.face.kind === 'color') {
      return colorGlyph(width, height, this.#faces.canvas.drawColors(this.#drawing(choice, box, 0)));
    }
    const { mask, margin } = this.#drawTall(choice, box);
    const alpha =
      margin === 0 ? mask.alpha : rowsWithin(mask, margin, baselineOf(box.cellWidth, height) + margin, movesIn(height));
    return maskGlyph(width, height, alpha);
  }

  /** Draws with as many rows more above and below the cell as ink could need. */
  #drawTall(choice: FaceChoice, box: GlyphBox): { readonly mask: InkMask; readonly margin: number } {
    const margin = choice.face.kind === 'text' && isTall(choice.text) ? box.height >> 1 : 0;
    const drawing = this.#drawing(choice, box, margin);
    const rgba = this.#faces.canvas.drawMask(drawing);
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
      stretch: isText ? (STRETCH_BY_CELL_WIDTH.get(cellWidth) ?? 1) : 1,
      fit: !isText,
    };
  }
}

function whole(glyph: Glyph): Letter {
  return { glyph, rest: [] };
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
