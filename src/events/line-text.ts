/** Rows as text that can be searched, and places in that text as places on the screen. */
import {
  ATTR_WIDTH_MASK,
  CELL_ATTRS,
  CELL_GRAPHEME,
  CELL_WORDS,
  type SnapshotRow,
  graphemeAt,
} from '../vt/snapshot.js';

/** What was printed as one line: a row and those that continue it (soft wrap). Ends with the last cell written to. */
export interface LogicalLine {
  readonly rows: readonly SnapshotRow[];
  readonly text: string;
}

export function logicalLine(rows: readonly SnapshotRow[]): LogicalLine {
  const last = rows.at(-1);
  const unwritten = last === undefined ? 0 : unwrittenCols(last);
  const text = rows.map(cachedText).join('');
  return { rows, text: text.slice(0, text.length - unwritten) };
}

/** Row within the line, and column, of the character at `index` of its text. */
export function placeOf(line: LogicalLine, index: number): { row: number; col: number } {
  let start = 0;
  for (const [row, cells] of line.rows.entries()) {
    const end = start + cachedText(cells).length;
    if (index < end) return { row, col: columnOf(cells, index - start) };
    start = end;
  }
  return { row: Math.max(0, line.rows.length - 1), col: 0 };
}

/** Empty cells at the end; a prompt's last blank was written, and stays. */
function unwrittenCols(row: SnapshotRow): number {
  const cols = row.cells.length / CELL_WORDS;
  let end = cols;
  while (end > 0 && row.cells[(end - 1) * CELL_WORDS + CELL_GRAPHEME] === 0 && charactersAt(row, end - 1) === ' ')
    end--;
  return cols - end;
}

const texts = new WeakMap<SnapshotRow, string>();

/** All cells of the row, empty ones as blanks: joined rows keep their columns. */
function cachedText(row: SnapshotRow): string {
  let text = texts.get(row);
  if (text === undefined) {
    text = '';
    for (let col = 0; col * CELL_WORDS < row.cells.length; col++) text += charactersAt(row, col);
    texts.set(row, text);
  }
  return text;
}

function columnOf(row: SnapshotRow, index: number): number {
  let at = 0;
  for (let col = 0; col * CELL_WORDS < row.cells.length; col++) {
    at += charactersAt(row, col).length;
    if (index < at) return col;
  }
  return 0;
}

function charactersAt(row: SnapshotRow, col: number): string {
  const at = col * CELL_WORDS;
  const isRightHalf =
    ((row.cells[at + CELL_ATTRS] ?? 0) & ATTR_WIDTH_MASK) === 0 && row.cells[at + CELL_GRAPHEME] === 0;
  if (isRightHalf && col > 0 && isWide(row, col - 1)) return '';
  return graphemeAt(row, col) || ' ';
}

function isWide(row: SnapshotRow, col: number): boolean {
  return ((row.cells[col * CELL_WORDS + CELL_ATTRS] ?? 0) & ATTR_WIDTH_MASK) >> 8 === 2;
}
