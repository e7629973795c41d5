/** Lines of a cell that are not its glyph: underlines in five styles, strikethrough, overline. Masks that tile. */
import {
  ATTR_OVERLINE,
  ATTR_STRIKETHROUGH,
  ATTR_UNDERLINE_MASK,
  ATTR_UNDERLINE_SHIFT,
  type LineSize,
} from '../../vt/snapshot.js';
import { baselineOf, strokeOf } from '../cell-size.js';
import { forLineSize } from '../glyphs/rasterizer.js';
import { type MaskGlyph, maskGlyph } from '../glyphs/glyph.js';

export interface DecorationBox {
  readonly width: number;
  readonly height: number;
  readonly baseline: number;
}

type DrawDecoration = (alpha: Uint8Array, box: DecorationBox, thickness: number) => void;

/** Decorations by the number of SGR 4:n. */
const UNDERLINES: readonly (DrawDecoration | undefined)[] = [undefined, single, double, curly, dotted, dashed];

/** These take the text's colour always. */
const OTHERS: readonly (readonly [number, DrawDecoration])[] = [
  [ATTR_STRIKETHROUGH, strikethrough],
  [ATTR_OVERLINE, overline],
];

/** The attributes that are drawn here. */
export const ATTR_DECORATIONS = ATTR_UNDERLINE_MASK | ATTR_STRIKETHROUGH | ATTR_OVERLINE;

export interface LineMasks {
  /** Apart from the others, because it may have its own colour. */
  readonly underline: MaskGlyph | undefined;
  readonly others: MaskGlyph | undefined;
}

/** The lines of one cell size, drawn once each. */
export class DecorationSheet {
  readonly #cellWidth: number;
  readonly #cellHeight: number;
  readonly #drawn = new Map<string, LineMasks>();

  constructor(cellWidth: number, cellHeight: number) {
    this.#cellWidth = cellWidth;
    this.#cellHeight = cellHeight;
  }

  lines(attrs: number, lineSize: LineSize): LineMasks {
    const key = `${attrs & ATTR_DECORATIONS} ${lineSize}`;
    let lines = this.#drawn.get(key);
    if (lines === undefined) {
      lines = this.#draw(attrs, lineSize);
      this.#drawn.set(key, lines);
    }
    return lines;
  }

  #draw(attrs: number, lineSize: LineSize): LineMasks {
    const factor = lineSize === 'double-top' || lineSize === 'double-bottom' ? 2 : 1;
    const width = this.#cellWidth * factor;
    const height = this.#cellHeight * factor;
    const box = { width, height, baseline: baselineOf(width, height) };
    const underline = UNDERLINES[(attrs & ATTR_UNDERLINE_MASK) >> ATTR_UNDERLINE_SHIFT];
    const others = OTHERS.filter(([attr]) => (attrs & attr) !== 0).map(([, draw]) => draw);
    return {
      underline: underline === undefined ? undefined : forLineSize(drawn([underline], box), lineSize),
      others: others.length === 0 ? undefined : forLineSize(drawn(others, box), lineSize),
    };
  }
}

function drawn(draws: readonly DrawDecoration[], box: DecorationBox): MaskGlyph {
  const alpha = new Uint8Array(box.width * box.height);
  for (const draw of draws) draw(alpha, box, strokeOf(box.width));
  return maskGlyph(box.width, box.height, alpha);
}

function single(alpha: Uint8Array, box: DecorationBox, thickness: number): void {
  line(alpha, box, underlineTop(box, thickness), thickness);
}

function double(alpha: Uint8Array, box: DecorationBox, thickness: number): void {
  const lower = box.height - thickness;
  line(alpha, box, lower, thickness);
  line(alpha, box, lower - 2 * thickness, thickness);
}

/** One period per cell, antialiased vertically by the distance to the curve. */
function curly(alpha: Uint8Array, box: DecorationBox, thickness: number): void {
  const amplitude = Math.max(1, Math.min(box.width / 8, (box.height - box.baseline - thickness) / 2));
  const middle = box.height - amplitude - thickness / 2;
  for (let x = 0; x < box.width; x++) {
    const wave = middle - Math.cos(((x + 0.5) / box.width) * 2 * Math.PI) * amplitude;
    for (let y = 0; y < box.height; y++) {
      const cover = thickness / 2 + 0.75 - Math.abs(y + 0.5 - wave);
      alpha[y * box.width + x] = Math.round(255 * Math.max(0, Math.min(1, cover)));
    }
  }
}

/** Draws as many dots as fit with gaps of their own size, spread evenly so that cells agree. */
function dotted(alpha: Uint8Array, box: DecorationBox, thickness: number): void {
  const dots = Math.max(1, Math.floor(box.width / (2 * thickness)));
  for (let dot = 0; dot < dots; dot++) {
    const left = Math.floor((dot * box.width) / dots);
    line(alpha, box, underlineTop(box, thickness), thickness, left, left + thickness);
  }
}

/** Half a dash at either end of the cell, a gap in its middle. */
function dashed(alpha: Uint8Array, box: DecorationBox, thickness: number): void {
  const dash = Math.floor(box.width / 3);
  line(alpha, box, underlineTop(box, thickness), thickness, 0, dash);
  line(alpha, box, underlineTop(box, thickness), thickness, box.width - dash, box.width);
}

function strikethrough(alpha: Uint8Array, box: DecorationBox, thickness: number): void {
  line(alpha, box, Math.round(box.baseline - box.width * 0.5), thickness);
}

function overline(alpha: Uint8Array, box: DecorationBox, thickness: number): void {
  line(alpha, box, 0, thickness);
}

function underlineTop(box: DecorationBox, thickness: number): number {
  return Math.min(Math.max(box.baseline + thickness, box.height - 2 * thickness), box.height - thickness);
}

function line(
  alpha: Uint8Array,
  box: DecorationBox,
  top: number,
  thickness: number,
  left = 0,
  right = box.width,
): void {
  for (let y = Math.max(0, top); y < Math.min(box.height, top + thickness); y++) {
    alpha.fill(255, y * box.width + left, y * box.width + Math.min(right, box.width));
  }
}
