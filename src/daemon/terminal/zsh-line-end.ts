/**
 * Output that does not end its last line: zsh writes an inverse `%` (for root `#`) after it, and blanks up to the end of the
 * row and beyond, before any hook of its could say where the output ends (PROMPT_SP in zshoptions(1)).
 */
import { cellWidth, rowCols } from '../../vt/rows/row-text.js';
import { ATTR_INVERSE, CELL_ATTRS, CELL_WORDS, graphemeAt, type SnapshotRow } from '../../vt/snapshot.js';

/** Column of that mark, if it is there. */
export function zshMarkColumn(row: SnapshotRow): number | undefined {
  const cols = rowCols(row);
  let col = cols - 1;
  while (col >= 0 && graphemeAt(row, col) === ' ' && cellWidth(row, col) === 1) col--;
  if (col < 0 || !['%', '#'].includes(graphemeAt(row, col))) return undefined;
  return ((row.cells[col * CELL_WORDS + CELL_ATTRS] ?? 0) & ATTR_INVERSE) === 0 ? undefined : col;
}
