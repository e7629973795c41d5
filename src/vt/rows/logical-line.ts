/** Rows that were printed as one line, as searchable text, and the cells of places in that text. */
import { graphemeAt, type SnapshotRow } from '../snapshot.js';
import { cellWidth, endsInGap, rowCols, rowText, textEnd } from './row-text.js';

export interface LogicalLine {
  /** Index of its first row among the given rows. */
  readonly firstRow: number;
  readonly rows: readonly SnapshotRow[];
  /** Trailing empty cells are left out; empty cells of rows that continue are spaces, but for those of {@link endsInGap}. */
  readonly text: string;
}

/** Cells of one row. */
export interface CellSpan {
  readonly row: number;
  readonly col: number;
  readonly cols: number;
}

/** Each row with those that continue it (soft wrap). A row whose beginning is missing starts a line of its own. */
export function logicalLines(rows: readonly SnapshotRow[]): LogicalLine[] {
  const lines: LogicalLine[] = [];
  for (let first = 0, end = 0; first < rows.length; first = end) {
    end = first + 1;
    while (rows[end]?.wrapped === true) end++;
    lines.push(logicalLine(rows.slice(first, end), first));
  }
  return lines;
}

/** A row and those that continue it. */
export function logicalLine(rows: readonly SnapshotRow[], firstRow = 0): LogicalLine {
  const last = rows.at(-1);
  const unwritten = last === undefined ? 0 : rowCols(last) - textEnd(last);
  const text = rows.map((row, i) => textBefore(row, rows[i + 1])).join('');
  return { firstRow, rows, text: text.slice(0, text.length - unwritten) };
}

/** @param next the row that continues this one, if one does */
function textBefore(row: SnapshotRow, next: SnapshotRow | undefined): string {
  const text = wholeText(row);
  return next !== undefined && endsInGap(row, next) ? text.slice(0, -1) : text;
}

/** Cells of the characters from `start` to before `end`, one span for each row. */
export function cellsOf(line: LogicalLine, start: number, end: number): CellSpan[] {
  return new CellWalk(line).to(start, end);
}

/** Cells of many places of one line, from left to right: the line is walked once, not once for each. */
export class CellWalk {
  readonly #line: LogicalLine;
  /** The first cell that does not end before the last place's start, and the index of its text. */
  #row = 0;
  #col = 0;
  #at = 0;

  constructor(line: LogicalLine) {
    this.#line = line;
  }

  /** @param start no less than in the last call */
  to(start: number, end: number): CellSpan[] {
    const { rows, firstRow } = this.#line;
    const spans: CellSpan[] = [];
    let at = this.#at;
    for (let i = this.#row, from = this.#col; i < rows.length && at < end; i++, from = 0) {
      const row = rows[i] as SnapshotRow;
      let span: { row: number; col: number; cols: number } | undefined;
      const next = rows[i + 1];
      const cols = rowCols(row) - (next !== undefined && endsInGap(row, next) ? 1 : 0);
      for (let col = from; col < cols && at < end; col++) {
        const width = cellWidth(row, col);
        if (width === 0) continue;
        const after = at + (graphemeAt(row, col).length || 1);
        if (after > start) {
          if (spans.length === 0 && span === undefined) [this.#row, this.#col, this.#at] = [i, col, at];
          span ??= { row: firstRow + i, col, cols: 0 };
          span.cols = col + width - span.col;
        }
        at = after;
      }
      if (span !== undefined) spans.push(span);
    }
    return spans;
  }
}

/** Unchanged rows are the same objects, and waits read them again and again. */
const texts = new WeakMap<SnapshotRow, string>();

/** Text of all of its cells, the empty ones at the end included. */
export function wholeText(row: SnapshotRow): string {
  const text = texts.get(row) ?? rowText(row, { trim: false });
  texts.set(row, text);
  return text;
}
