/** The size of a cell on the page, in device pixels: a whole number, so that cells meet without a gap. Pure. */

export interface CellSize {
  /** Device pixels. A cell is twice as high. */
  readonly width: number;
  readonly dpr: number;
}

export interface Room {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly dpr: number;
}

/** CSS pixels of a cell that is comfortable to read, and of the smallest and largest. */
const COMFORTABLE = 8.4;
const LARGEST = 10;
const SMALLEST = 5.5;
const SMALLEST_ON_PHONES = 3.5;

/** Rows that a phone shows at least. */
const LEAST_ROWS = 8;

/** Up to this width a screen is a phone's. */
export const PHONE_WIDTH = 720;

/** The whole grid is shown if it can be read then; a phone fits the width alone. @param zoom 1, or more of a magnified phone */
export function cellSize({ width, height, dpr }: Room, { cols, rows }: Grid, zoom = 1): CellSize {
  const isPhone = width <= PHONE_WIDTH;
  const inWidth = (width * dpr) / cols;
  const fits = isPhone ? inWidth : Math.min(inWidth, (height * dpr) / rows / 2);
  const least = (isPhone ? SMALLEST_ON_PHONES : SMALLEST) * dpr;
  const wanted = Math.min(LARGEST * dpr, Math.max(least, fits)) * zoom;
  // A phone's keyboard leaves rows enough, as long as they can be read.
  const inHeight = isPhone ? Math.max(least, (height * dpr) / LEAST_ROWS / 2) : Infinity;
  return { width: Math.max(2, Math.floor(Math.min(wanted, inHeight))), dpr };
}

interface Grid {
  readonly cols: number;
  readonly rows: number;
}

/** The grid that fills the room in cells of a comfortable size. */
export function fittedGrid({ width, height }: Pick<Room, 'width' | 'height'>): Grid {
  const cell = width <= PHONE_WIDTH ? COMFORTABLE - 0.8 : COMFORTABLE;
  return {
    cols: Math.max(20, Math.min(400, Math.floor(width / cell))),
    rows: Math.max(5, Math.min(200, Math.floor(height / (2 * cell)))),
  };
}

/** CSS pixels. */
export function cssSize({ width, dpr }: CellSize): { readonly width: number; readonly height: number } {
  return { width: width / dpr, height: (2 * width) / dpr };
}
