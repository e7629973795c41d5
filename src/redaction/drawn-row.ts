/** Rows of a drawn screen, whose cells know where their characters stand in what a program wrote. */

import type { MatchSpan } from '../search/regex.js';

export interface DrawnCell {
  /** A cluster; empty for what has no place of its own in the text, as the right half of a wide character. */
  text: string;
  /** Place in the output; -1 if it is not known. */
  readonly at: number;
  readonly length: number;
  /** Columns that the output there takes. */
  cols: number;
  /** Marks of no width, that came later. */
  marks?: { readonly at: number; readonly length: number }[];
  /** Cell that stood there before. */
  older: DrawnCell | undefined;
  isMasked: boolean;
}

export interface DrawnRow {
  cells: DrawnCell[];
  /** Whether it goes on with the text of the row above. */
  wrapped: boolean;
}

export const BLANK: DrawnCell = { text: ' ', at: -1, length: 0, cols: 1, older: undefined, isMasked: false };
export const NOTHING: DrawnCell = { text: '', at: -1, length: 0, cols: 0, older: undefined, isMasked: false };

export function over(cell: DrawnCell, before: DrawnCell | undefined): DrawnCell {
  const older = before === undefined || before.at >= 0 ? before : before.older;
  if (older === undefined) return cell;
  return { ...cell, older };
}

export function blankRow(cols: number): DrawnRow {
  return { cells: Array.from({ length: cols }, () => BLANK), wrapped: false };
}

export function isBlank(cell: DrawnCell | undefined): boolean {
  return cell === undefined || cell.text === ' ' || (cell.text === '' && cell.older === undefined);
}

/** Also by the right half of a wide character. */
export function isTaken({ cells }: DrawnRow, col: number): boolean {
  const cell = cells[col];
  if (cell?.text === '' && col > 0) return (cells[col - 1]?.cols ?? 0) > 1;
  return cell !== undefined && cell.text.trim() !== '';
}

/**
 * Rows that go on with each other, by the terminal or since the program has written up to the end of a row. @param most in each
 * direction
 */
export function rowsOfLine(rowAt: (index: number) => DrawnRow | undefined, index: number, most: number): DrawnRow[] {
  let first = index;
  let end = index + 1;
  while (first > 0 && index - first < most && goesOn(rowAt(first - 1), rowAt(first))) first--;
  while (end - index < most && goesOn(rowAt(end - 1), rowAt(end))) end++;
  return Array.from({ length: end - first }, (_, i) => rowAt(first + i)).filter((row) => row !== undefined);
}

function goesOn(row: DrawnRow | undefined, next: DrawnRow | undefined): boolean {
  if (row === undefined || next === undefined) return false;
  return next.wrapped || (isTaken(row, row.cells.length - 1) && isTaken(next, 0));
}

/** Rows may only look as if they went on: those that the terminal has wrapped, and each alone. Empty for a single row. */
export function partsOfLine(rows: readonly { readonly wrapped: boolean }[]): MatchSpan[] {
  if (rows.length < 2) return [];
  const starts = rows.flatMap(({ wrapped }, i) => (wrapped && i > 0 ? [] : [i]));
  const wrapped = starts.map((start, i) => ({ start, end: starts[i + 1] ?? rows.length }));
  const single = rows.map((_, i) => ({ start: i, end: i + 1 }));
  return [...(wrapped.length > 1 ? wrapped.filter(({ start, end }) => end - start > 1) : []), ...single];
}

export function eraseCells(row: DrawnRow, from: number, to: number): void {
  if (from === 0) row.wrapped = false;
  for (let i = from; i < to; i++) row.cells[i] = over(BLANK, row.cells[i]);
}

/** @param count cells that come in; negative: that are taken out */
export function shiftCells(row: DrawnRow, col: number, count: number): void {
  const cols = row.cells.length;
  const blanks = blankRow(cols).cells;
  const before = row.cells.slice(0, col);
  const after = count > 0 ? [...blanks.slice(0, count), ...row.cells.slice(col)] : row.cells.slice(col - count);
  row.cells = [...before, ...after, ...blanks].slice(0, cols);
}

/** Makes a row one with fewer cells, or with blank ones at its end. */
export function fitDrawnRow(row: DrawnRow, cols: number): void {
  row.cells = [...row.cells, ...blankRow(cols).cells].slice(0, cols);
}

/** Forgets what stood in its cells before that place of the output. */
export function forgetOlder({ cells }: DrawnRow, end: number): void {
  for (const cell of cells) {
    for (let each: DrawnCell | undefined = cell; each !== undefined; each = each.older)
      if (each.older !== undefined && each.older.at < end) each.older = undefined;
  }
}
