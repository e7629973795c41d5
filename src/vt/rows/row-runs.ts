/** A row cut into runs of cells with the same style: the basis of every format but plain text. */
import {
  ATTR_WIDTH_MASK,
  CELL_ATTRS,
  CELL_BG,
  CELL_FG,
  CELL_GRAPHEME,
  CELL_WORDS,
  graphemeAt,
  type SnapshotRow,
} from '../snapshot.js';
import { cellWidth, rowCols } from './row-text.js';
import type { Style } from './sgr.js';

export interface Run {
  readonly col: number;
  /** Number of cells. */
  readonly cols: number;
  /** One for each character; an empty cell is a space. */
  readonly graphemes: readonly string[];
  /** Cells that each character covers; within a run all cover the same. */
  readonly width: 1 | 2;
  readonly style: Style;
  /** Target of the hyperlink (OSC 8). */
  readonly link: string | undefined;
}

/** The runs from the first column up to the last cell that is not blank and unstyled. */
export function rowRuns(row: SnapshotRow): Run[] {
  const runs: Run[] = [];
  const end = styledEnd(row);
  let open: (Run & { cols: number; graphemes: string[] }) | undefined;
  for (let col = 0; col < end; col++) {
    const width = cellWidth(row, col);
    // A right half without its left one, which a resize can leave, is a blank.
    if (width === 0 && col > 0 && cellWidth(row, col - 1) === 2) continue;
    // A wide character without its right half (the row ends, or a cluster grew where nothing wraps) cannot be printed again
    // in its place.
    const isCut = width === 2 && (col + 1 >= rowCols(row) || cellWidth(row, col + 1) !== 0);
    const grapheme = isCut ? ' ' : graphemeAt(row, col) || ' ';
    const cols = width === 2 && !isCut ? 2 : 1;
    if (open === undefined || open.width !== cols || !hasStyleOf(row, col, open)) {
      open = { col, cols: 0, graphemes: [], width: cols, style: styleAt(row, col), link: row.links?.get(col) };
      runs.push(open);
    }
    open.graphemes.push(grapheme);
    open.cols += cols;
  }
  return runs;
}

/** The column after the last cell with a character or a style. */
function styledEnd(row: SnapshotRow): number {
  const { cells } = row;
  let end = rowCols(row);
  while (end > 0) {
    const at = (end - 1) * CELL_WORDS;
    const attributes = (cells[at + CELL_ATTRS] ?? 0) & ~ATTR_WIDTH_MASK;
    const isBlank = ((cells[at + CELL_GRAPHEME] ?? 0) | (cells[at + CELL_FG] ?? 0) | (cells[at + CELL_BG] ?? 0)) === 0;
    if (!isBlank || attributes !== 0 || cellWidth(row, end - 1) === 0 || row.links?.has(end - 1) === true) break;
    end--;
  }
  return end;
}

function styleAt(row: SnapshotRow, col: number): Style {
  const at = col * CELL_WORDS;
  return {
    fg: row.cells[at + CELL_FG] ?? 0,
    bg: row.cells[at + CELL_BG] ?? 0,
    attributes: (row.cells[at + CELL_ATTRS] ?? 0) & ~ATTR_WIDTH_MASK,
    underlineColor: row.underlineColors?.get(col) ?? 0,
  };
}

function hasStyleOf(row: SnapshotRow, col: number, { style, link }: Run): boolean {
  const at = col * CELL_WORDS;
  return (
    row.cells[at + CELL_FG] === style.fg &&
    row.cells[at + CELL_BG] === style.bg &&
    ((row.cells[at + CELL_ATTRS] ?? 0) & ~ATTR_WIDTH_MASK) === style.attributes &&
    (row.underlineColors?.get(col) ?? 0) === style.underlineColor &&
    row.links?.get(col) === link
  );
}
