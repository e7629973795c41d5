/** How a picture is to look. */
import { cellSizeOfWidth, PictureSizeError } from './cell-size.js';
import type { Theme } from './theme.js';
import type { Region } from './view.js';

export interface PictureOptions {
  /** Pixels: 4 to 64 wide, twice as high. */
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** Blank pixels on every side. */
  readonly pad: number;
  readonly cursor: boolean;
  readonly theme: Theme;
  /** Contrast (WCAG) that text reaches upon its background, 4.5 unless told; 1 leaves colours alone. */
  readonly minimumContrast?: number | undefined;
  /** Bold text in colours 0 to 7 takes 8 to 15. */
  readonly boldAsBright?: boolean | undefined;
  /** False draws the cursor hollow. */
  readonly focused?: boolean | undefined;
  /** Only this part of the screen. */
  readonly region?: Region | undefined;
  /** Row and column numbers of the grid at the left and the top; they take cells of their own. */
  readonly rulers?: boolean | undefined;
  /** Boxes around these cells of the grid. */
  readonly marks?: readonly Region[] | undefined;
  /** Rows of the grid that stand back, because nothing in them is new. */
  readonly unchangedRows?: ReadonlySet<number> | undefined;
}

/** Pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** @throws PictureSizeError */
export function checkedSize({ cellWidth, cellHeight, pad }: PictureOptions): void {
  if (cellSizeOfWidth(cellWidth).cellHeight !== cellHeight) {
    throw new PictureSizeError(
      `A cell of ${cellWidth}x${cellHeight} pixels cannot be drawn: it is twice as high as wide.`,
    );
  }
  if (!Number.isInteger(pad) || pad < 0) throw new PictureSizeError(`A pad of ${pad} pixels cannot be drawn.`);
}
