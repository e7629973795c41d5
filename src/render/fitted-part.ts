/** The part of a screen that a small budget shows: around what matters, in cells as large as the budget allows. Pure. */
import type { CellSize } from './cell-size.js';
import type { ViewRegion } from './view.js';

export interface PartRequest {
  /** Area that would be shown without a budget. */
  readonly area: ViewRegion;
  readonly focus: Focus;
  /** The largest cells of a picture with this part; undefined if it cannot be read within the budget. */
  readonly cellsOf: (part: ViewRegion) => CellSize | undefined;
}

/** Part that matters most; its rows are within the area. */
export interface Focus {
  /** Rows that have changed; undefined if that was not asked, or none has. */
  readonly changed: { readonly row: number; readonly rows: number } | undefined;
  /** One of them, or any row. */
  readonly row: number;
  /** Columns around it are shown, or those of the area that are nearest to it. */
  readonly col: number;
}

export interface FittedPart {
  readonly region: ViewRegion;
  readonly cells: CellSize;
}

/**
 * The rows that have changed, in the largest cells, if they fit with all their columns; then what is around them, in the
 * same cells. Else as many rows as fit in the smallest cells, and of a row too long for the budget the columns around the focus.
 * @returns undefined if not even one cell fits
 */
export function fittedPart({ area, focus, cellsOf }: PartRequest): FittedPart | undefined {
  const { changed } = focus;
  const whole = changed && { ...area, ...changed };
  const largest = whole && cellsOf(whole);
  if (whole !== undefined && largest !== undefined)
    return { region: grown(whole, area, largest, cellsOf), cells: largest };
  const least = narrowed({ ...area, row: focus.row, rows: 1 }, focus.col, cellsOf);
  const smallest = least && smallestCells(least, area, cellsOf);
  if (least === undefined || smallest === undefined) return undefined;
  const { col, cols } = least;
  const start = whole === undefined ? least : grown(least, { ...whole, col, cols }, smallest, cellsOf);
  const region = grown(start, { ...area, col, cols }, smallest, cellsOf);
  return { region, cells: cellsOf(region) ?? smallest };
}

/** Row cut to as many columns around that one as fit. */
function narrowed(row: ViewRegion, col: number, cellsOf: PartRequest['cellsOf']): ViewRegion | undefined {
  for (let cols = row.cols; cols > 0; cols--) {
    const first = Math.max(row.col, Math.min(col - (cols >> 1), row.col + row.cols - cols));
    const part = { ...row, col: first, cols };
    if (cellsOf(part) !== undefined) return part;
  }
  return undefined;
}

/** The cells of the part with as many rows of the area as fit at all. */
function smallestCells(part: ViewRegion, area: ViewRegion, cellsOf: PartRequest['cellsOf']): CellSize | undefined {
  for (let rows = area.rows; rows > 0; rows--) {
    const cells = cellsOf({ ...part, rows });
    if (cells !== undefined) return cells;
  }
  return undefined;
}

/** Part with rows of the area above and below, two above for one below, as long as the cells need not be smaller. */
function grown(
  part: ViewRegion,
  area: ViewRegion,
  { cellWidth }: CellSize,
  cellsOf: PartRequest['cellsOf'],
): ViewRegion {
  let region = part;
  const end = area.row + area.rows;
  for (let step = 0; ; step++) {
    const isAbove = region.row > area.row;
    const isBelow = region.row + region.rows < end;
    if (!isAbove && !isBelow) return region;
    const goesUp = isAbove && (!isBelow || step % 3 < 2);
    const next = { ...region, row: region.row - (goesUp ? 1 : 0), rows: region.rows + 1 };
    if ((cellsOf(next)?.cellWidth ?? 0) < cellWidth) return region;
    region = next;
  }
}
