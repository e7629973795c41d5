/** Selection of a person: from one cell to another, both included, by lasting numbers of rows. Pure. */
import { columnMove, ROW_MOVES } from './scrollback-keys.js';

export interface CellPoint {
  /** Lasting number of the row. */
  readonly line: number;
  readonly col: number;
}

export interface Selection {
  readonly anchor: CellPoint;
  /** The end that moves. */
  readonly cursor: CellPoint;
}

/** Bounds of the rows that there are. */
export interface Bounds {
  readonly oldest: number;
  readonly last: number;
  readonly cols: number;
  /** Rows that the person sees. */
  readonly seen: number;
}

/** Ends of a selection, the upper left one first. */
export function ordered({ anchor, cursor }: Selection): { readonly from: CellPoint; readonly to: CellPoint } {
  const isDown = cursor.line > anchor.line || (cursor.line === anchor.line && cursor.col >= anchor.col);
  return isDown ? { from: anchor, to: cursor } : { from: cursor, to: anchor };
}

/** The selected columns of a row. @param cols of the screen */
export function selectedColumns(
  selection: Selection,
  line: number,
  cols: number,
): { readonly from: number; readonly to: number } | undefined {
  const { from, to } = ordered(selection);
  if (line < from.line || line > to.line) return undefined;
  return { from: line === from.line ? from.col : 0, to: line === to.line ? to.col + 1 : cols };
}

/** After a key. */
export function moved({ anchor, cursor }: Selection, key: string, { oldest, last, cols, seen }: Bounds): Selection {
  const line = between(oldest, cursor.line + (ROW_MOVES[key]?.(seen) ?? 0), last);
  const col = between(0, cursor.col + columnMove(key, 1), cols - 1);
  return { anchor, cursor: { line, col } };
}

export function between(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
