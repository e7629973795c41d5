/**
 * The new layout of one soft-wrapped line, as the library makes it (its buffer/BufferReflow and Buffer._reflowSmaller, with
 * the same order of copies), in steps. Rows are changed in place.
 */
import type { RawCell, RawLine } from './internals.js';

/** Rows between two steps. */
const ROWS_A_STEP = 32;

/**
 * Of rows that have `newCols` cells by now, and were wrapped at fewer.
 * @returns how many rows at the end are left over
 */
export function* joinRows(
  rows: readonly RawLine[],
  oldCols: number,
  newCols: number,
  blank: RawCell,
): Generator<undefined, number> {
  let to = 0;
  let toCol = wrappedLength(rows, 0, oldCols);
  let from = 1;
  let fromCol = 0;
  while (from < rows.length) {
    const length = wrappedLength(rows, from, oldCols);
    const count = Math.min(length - fromCol, newCols - toCol);
    at(rows, to).copyCellsFrom(at(rows, from), fromCol, toCol, count, false);
    toCol += count;
    if (toCol === newCols) {
      to++;
      toCol = 0;
    }
    fromCol += count;
    if (fromCol === length) {
      from++;
      fromCol = 0;
      if (from % ROWS_A_STEP === 0) yield;
    }
    if (toCol !== 0 || to === 0 || at(rows, to - 1).getWidth(newCols - 1) !== 2) continue;
    // The last cell would be the left half of a wide character.
    at(rows, to).copyCellsFrom(at(rows, to - 1), newCols - 1, toCol++, 1, false);
    at(rows, to - 1).setCell(newCols - 1, blank);
  }
  at(rows, to).replaceCells(toCol, newCols, blank);
  let left = 0;
  for (let row = rows.length - 1; row > 0 && (row > to || at(rows, row).getTrimmedLength() === 0); row--) left++;
  return left;
}

/**
 * Of rows that have more than `newCols` cells still: what is beyond them is to be cut off afterwards. New rows are added to `rows`.
 * @returns how many were added; below 0 if fewer are needed, and none is taken away
 */
export function* splitRows(
  rows: RawLine[],
  oldCols: number,
  newCols: number,
  { blank, newRow }: { readonly blank: RawCell; readonly newRow: () => RawLine },
): Generator<undefined, number> {
  const count = rows.length;
  const lastLength = at(rows, count - 1).getTrimmedLength();
  const lengths = yield* splitLengths(rows, oldCols, newCols);
  const added = lengths.length - count;
  for (let row = 0; row < added; row++) rows.push(newRow());
  let to = lengths.length - 1;
  let toCol = lengths[to] ?? 0;
  if (toCol === 0) toCol = lengths[--to] ?? 0;
  let from = rows.length - added - 1;
  let fromCol = lastLength;
  while (from >= 0) {
    const target = rows[to];
    if (target === undefined) break;
    const cells = Math.min(fromCol, toCol);
    target.copyCellsFrom(at(rows, from), fromCol - cells, toCol - cells, cells, true);
    toCol -= cells;
    if (toCol === 0) toCol = lengths[--to] ?? Number.NaN;
    fromCol -= cells;
    if (fromCol !== 0) continue;
    from--;
    fromCol = wrappedLength(rows, Math.max(from, 0), oldCols);
    if (from % ROWS_A_STEP === 0) yield;
  }
  for (const [row, line] of rows.entries()) {
    const length = lengths[row];
    if (length !== undefined && length < newCols) line.setCell(length, blank);
  }
  return added;
}

function* splitLengths(rows: readonly RawLine[], oldCols: number, newCols: number): Generator<undefined, number[]> {
  const lengths: number[] = [];
  let needed = 0;
  for (let row = 0; row < rows.length; row++) needed += wrappedLength(rows, row, oldCols);
  let fromCol = 0;
  let from = 0;
  let available = 0;
  while (available < needed) {
    if (needed - available < newCols) {
      lengths.push(needed - available);
      break;
    }
    fromCol += newCols;
    const oldLength = wrappedLength(rows, from, oldCols);
    if (fromCol > oldLength) {
      fromCol -= oldLength;
      from++;
    }
    const endsWithWide = at(rows, from).getWidth(fromCol - 1) === 2;
    if (endsWithWide) fromCol--;
    lengths.push(endsWithWide ? newCols - 1 : newCols);
    available += endsWithWide ? newCols - 1 : newCols;
    if (lengths.length % ROWS_A_STEP === 0) yield;
  }
  return lengths;
}

/** Length without the cell that stayed empty before a wide character. */
function wrappedLength(rows: readonly RawLine[], row: number, cols: number): number {
  const line = at(rows, row);
  if (row === rows.length - 1) return line.getTrimmedLength();
  const endsInBlank = line.hasContent(cols - 1) === 0 && line.getWidth(cols - 1) === 1;
  return endsInBlank && at(rows, row + 1).getWidth(0) === 2 ? cols - 1 : cols;
}

function at(rows: readonly RawLine[], row: number): RawLine {
  const line = rows[row];
  if (line === undefined) throw new Error(`a wrapped line has no row ${row} of ${rows.length}`);
  return line;
}
