/** Size of a drawn cell: a box of w by 2w pixels, always at its native size, never resampled. */
import { PRIMARY_ADVANCE_EM, PRIMARY_ASCENT_EM, PRIMARY_DESCENT_EM } from './fonts/faces.js';

/** Pixels: 4 to 64 wide, twice as high. */
export interface CellSize {
  readonly cellWidth: number;
  readonly cellHeight: number;
}

export interface SizeProfile extends CellSize {
  /** Blank pixels on every side. */
  readonly pad: number;
}

/** Pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export const MIN_CELL_WIDTH = 4;
export const MAX_CELL_WIDTH = 64;

/** `scale` is a percentage of this width. */
const FULL_SCALE_WIDTH = 10;

export const DEFAULT_PROFILE = 'llm';

export const PROFILES: Readonly<Record<'llm' | 'cheap' | 'exact' | 'human', SizeProfile>> = {
  llm: { cellWidth: 8, cellHeight: 16, pad: 0 },
  cheap: { cellWidth: 7, cellHeight: 14, pad: 0 },
  exact: { cellWidth: 10, cellHeight: 20, pad: 0 },
  human: { cellWidth: 20, cellHeight: 40, pad: 20 },
};

/** The caller asked for a size that no picture can have. */
export class PictureSizeError extends RangeError {
  override readonly name = 'PictureSizeError';
}

/** The cell of `scale` percent: 66 -> 7x14, 80 -> 8x16, 100 -> 10x20. */
export function cellSizeOfScale(scalePercent: number): CellSize {
  return cellSizeOfWidth(Math.round((FULL_SCALE_WIDTH * scalePercent) / 100));
}

export function cellSizeOfWidth(cellWidth: number): CellSize {
  if (!Number.isInteger(cellWidth) || cellWidth < MIN_CELL_WIDTH || cellWidth > MAX_CELL_WIDTH) {
    throw new PictureSizeError(
      `A cell ${cellWidth} pixels wide cannot be drawn: it must be ${MIN_CELL_WIDTH} to ${MAX_CELL_WIDTH} ` +
        `(scale ${(MIN_CELL_WIDTH * 100) / FULL_SCALE_WIDTH} to ${(MAX_CELL_WIDTH * 100) / FULL_SCALE_WIDTH}).`,
    );
  }
  return { cellWidth, cellHeight: cellWidth * 2 };
}

/** @throws PictureSizeError */
export function checkCellSize({ cellWidth, cellHeight, pad }: SizeProfile): void {
  if (cellSizeOfWidth(cellWidth).cellHeight !== cellHeight) {
    throw new PictureSizeError(
      `A cell of ${cellWidth}x${cellHeight} pixels cannot be drawn: it is twice as high as wide.`,
    );
  }
  if (!Number.isInteger(pad) || pad < 0) throw new PictureSizeError(`A pad of ${pad} pixels cannot be drawn.`);
}

/** Thickness of lines in pixels: an eighth of the cell's width, the same as the light lines of box drawing. */
export function strokeOf(cellWidth: number): number {
  return Math.max(1, Math.round(cellWidth / 8));
}

/** The row of pixels that letters stand on, counted from the top of the cell. */
export function baselineOf(cellWidth: number, cellHeight: number): number {
  const emPixels = cellWidth / PRIMARY_ADVANCE_EM;
  const lineHeight = (PRIMARY_ASCENT_EM + PRIMARY_DESCENT_EM) * emPixels;
  const centred = Math.round((cellHeight - lineHeight) / 2 + PRIMARY_ASCENT_EM * emPixels);
  // An underscore lies at the very bottom of the descent: it must not be cut.
  return Math.min(centred, Math.floor(cellHeight - PRIMARY_DESCENT_EM * emPixels));
}
