/** The line that the cursor is in, with the rows that were printed as one with it. */
import { logicalLine, wholeText } from '../vt/rows/logical-line.js';
import { ATTR_WIDTH_MASK, CELL_ATTRS, CELL_WORDS, graphemeAt, type SnapshotRow } from '../vt/snapshot.js';
import { rowsAt, type ScannedScreen } from './scanned-lines.js';

export interface CursorLine {
  /** Lasting number of its first row. */
  readonly number: number;
  readonly text: string;
  readonly rows: readonly SnapshotRow[];
  /** Characters before the cursor; more than the text has if the cursor is beyond its end. */
  readonly before: string;
}

/** Rows that a line is followed, upwards and downwards. */
const MAX_WRAPPED_ROWS = 200;

export function cursorLine(screen: ScannedScreen): CursorLine {
  const { cursor } = screen.snapshot();
  const index = screen.scrollbackLines + cursor.row;
  const { first, count } = lineAround(screen, index);
  const rows = rowsAt(screen, first, count);
  const own = rows[index - first];
  const above = rows.slice(0, index - first).map(wholeText);
  const left = own === undefined ? '' : beforeColumn(own, cursor.col);
  return { number: screen.firstLineNumber + first, text: logicalLine(rows).text, rows, before: above.join('') + left };
}

/** Lasting number of the line that this row of the viewport is in; negative rows have scrolled off. */
export function lineNumberAt(screen: ScannedScreen, row: number): number {
  return screen.firstLineNumber + lineAround(screen, screen.scrollbackLines + row).first;
}

/** The line with this number, undefined if it is gone. */
export function lineWith(
  screen: ScannedScreen,
  number: number,
): { readonly number: number; readonly text: string; readonly rows: readonly SnapshotRow[] } | undefined {
  const index = number - screen.firstLineNumber;
  if (index < 0 || index >= screen.scrollbackLines + screen.snapshot().rows) return undefined;
  const { first, count } = lineAround(screen, index);
  if (first !== index) return undefined;
  const rows = rowsAt(screen, first, count);
  return { number, text: logicalLine(rows).text, rows };
}

function lineAround(screen: ScannedScreen, index: number): { readonly first: number; readonly count: number } {
  let first = index;
  while (first > 0 && index - first < MAX_WRAPPED_ROWS && screen.continuesLine(first)) first--;
  const total = screen.scrollbackLines + screen.snapshot().rows;
  let end = index + 1;
  while (end < total && end - index < MAX_WRAPPED_ROWS && screen.continuesLine(end)) end++;
  return { first, count: end - first };
}

function beforeColumn(row: SnapshotRow, end: number): string {
  let text = '';
  for (let col = 0; col < end; col++) {
    const isHalf = ((row.cells[col * CELL_WORDS + CELL_ATTRS] ?? 0) & ATTR_WIDTH_MASK) === 0;
    if (!isHalf) text += graphemeAt(row, col) || ' ';
  }
  return text;
}
