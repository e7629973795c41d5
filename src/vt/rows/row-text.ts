/** The characters of a row. Clusters come whole; empty cells are spaces; a wide character counts once. */
import {
  ATTR_WIDTH_MASK,
  ATTR_WIDTH_SHIFT,
  CELL_ATTRS,
  CELL_GRAPHEME,
  CELL_WORDS,
  graphemeAt,
  type SnapshotRow,
} from '../snapshot.js';

export interface RowTextOptions {
  /** Leave out trailing empty cells; printed spaces stay. Default true. */
  readonly trim?: boolean;
  /** First column. A wide character that starts before it is left out. */
  readonly from?: number;
  /** Column to stop before. */
  readonly to?: number;
}

export function rowText(row: SnapshotRow, { trim = true, from = 0, to = rowCols(row) }: RowTextOptions = {}): string {
  const end = Math.min(to, trim ? textEnd(row) : rowCols(row));
  let text = '';
  for (let col = from; col < end; col++) {
    if (cellWidth(row, col) === 0) continue;
    text += graphemeAt(row, col) || ' ';
  }
  return text;
}

const trimmed = new WeakMap<SnapshotRow, string>();

/** The whole row without blanks at its end. It is kept with the row, which stays the same object while its content does. */
export function trimmedText(row: SnapshotRow): string {
  let text = trimmed.get(row);
  if (text === undefined) trimmed.set(row, (text = rowText(row).trimEnd()));
  return text;
}

export function rowCols(row: SnapshotRow): number {
  return row.cells.length / CELL_WORDS;
}

/** The column after the last one that was written to. */
export function textEnd(row: SnapshotRow): number {
  let end = rowCols(row);
  while (end > 0 && row.cells[(end - 1) * CELL_WORDS + CELL_GRAPHEME] === 0 && cellWidth(row, end - 1) !== 0) end--;
  return end;
}

/**
 * Whether the last cell of the row stayed empty because the wide character that begins the next row did not fit into it:
 * no part of the line that both rows are.
 * @param next the row below, which continues this one
 */
export function endsInGap(row: SnapshotRow, next: SnapshotRow): boolean {
  const last = rowCols(row) - 1;
  return cellWidth(next, 0) === 2 && cellWidth(row, last) === 1 && row.cells[last * CELL_WORDS + CELL_GRAPHEME] === 0;
}

/** The row without the cell of {@link endsInGap}, if it ends in one. */
export function withoutGap(row: SnapshotRow, next: SnapshotRow | undefined): SnapshotRow {
  if (next === undefined || !endsInGap(row, next)) return row;
  return { ...row, cells: row.cells.subarray(0, row.cells.length - CELL_WORDS) };
}

/** 1, 2, or 0 for the right half of a wide character. */
export function cellWidth(row: SnapshotRow, col: number): number {
  return ((row.cells[col * CELL_WORDS + CELL_ATTRS] ?? 0) & ATTR_WIDTH_MASK) >> ATTR_WIDTH_SHIFT;
}
