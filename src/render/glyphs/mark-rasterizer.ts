/** Draws combining marks alone, as large as their faces have them, to be put on a letter by mark-stack.ts. */
import { placeOf } from '../fonts/combining-marks.js';
import type { FaceLoader } from './faces.js';
import { THIN_STROKES } from '../fonts/bitmap-font.js';
import { STYLE_BOLD } from './glyph.js';
import { cutOut, inkBoxOf, type InkMask } from './ink-mask.js';
import type { StackedMark } from './mark-stack.js';

export interface MarkBox {
  readonly style: number;
  readonly cellWidth: number;
  readonly height: number;
}

/** `detailX`, `detailY`: its pixels for each pixel of the cell. */
interface LoneMark {
  readonly mask: InkMask;
  readonly detailX: number;
  readonly detailY: number;
  readonly baseline: number;
}

/** Pixels drawn for each pixel of a small cell, across and down, of which a mark then takes whole rows by area. */
const MOST_DETAIL = 4;
/** Pixels across a cell that are detail enough: more of them cost time alone. */
const DETAILED_WIDTH = 40;
/** Room in widths of a cell: across for a mark over two letters, upwards and downwards for 1.2 and 0.6 em. */
const ROOM_ACROSS = 3;
const ROOM_ABOVE = 2;
const ROOM_BELOW = 1;
/** Unifont is drawn for cells of 8x16, and has its baseline two rows from the bottom. */
const BITMAP_SIZE = 16;
const BITMAP_BASELINE = 14;
/** Height of a letter without ascender, in widths of a cell. */
export const X_HEIGHT = 0.9;

/** Small box in place of a mark that no face has. */
const MISSING: InkMask = {
  width: 5,
  height: 3,
  alpha: Uint8Array.from([1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1], (ink) => ink * 255),
};

export class MarkRasterizer {
  readonly #faces: FaceLoader;

  constructor(faces: FaceLoader) {
    this.#faces = faces;
  }

  draw(codePoint: number, box: MarkBox): StackedMark {
    const alone = this.#drawAlone(codePoint, box);
    const found = alone === undefined ? undefined : inkBoxOf(alone.mask);
    if (alone === undefined || found === undefined) {
      const place = placeOf(codePoint, 'above');
      return { ink: MISSING, place, width: (box.cellWidth * 5) / 8, height: (box.height * 3) / 16 };
    }
    const { mask, detailX, detailY, baseline } = alone;
    const middle = (baseline - (found.top + found.bottom) / 2) / detailY;
    const seen = middle < (box.cellWidth * X_HEIGHT) / 4 ? 'below' : 'above';
    const ink = cutOut(mask, found);
    return { ink, place: placeOf(codePoint, seen), width: ink.width / detailX, height: ink.height / detailY };
  }

  #drawAlone(codePoint: number, { style, cellWidth, height }: MarkBox): LoneMark | undefined {
    const text = String.fromCodePoint(codePoint);
    const choice = this.#faces.choose(text, style, cellWidth);
    if (choice === undefined || choice.face.kind === 'color') return undefined;
    const { face, file, slant } = choice;
    if (face.kind === 'bitmap') {
      const isBold = (style & STYLE_BOLD) !== 0;
      const alpha = this.#faces.bitmapFont(face.name).draw(text, BITMAP_SIZE, BITMAP_SIZE, isBold, THIN_STROKES);
      const mask = { width: BITMAP_SIZE, height: BITMAP_SIZE, alpha };
      const detailX = BITMAP_SIZE / 2 / cellWidth;
      return { mask, detailX, detailY: BITMAP_SIZE / height, baseline: BITMAP_BASELINE };
    }
    const detail = Math.max(1, Math.min(MOST_DETAIL, Math.floor(DETAILED_WIDTH / cellWidth)));
    const cell = cellWidth * detail;
    const baseline = cell * ROOM_ABOVE;
    const room = { width: cell * ROOM_ACROSS, height: cell * (ROOM_ABOVE + ROOM_BELOW) };
    const place = { baseline, shift: 0, stretch: 1, fit: true };
    const drawing = { text, file, slant, ...room, emPixels: cell / face.advanceEm, ...place };
    const rgba = this.#faces.canvas.drawMask(drawing);
    const alpha = Uint8Array.from({ length: room.width * room.height }, (_, pixel) => rgba[pixel * 4] ?? 0);
    return { mask: { ...room, alpha }, detailX: detail, detailY: detail, baseline };
  }
}
