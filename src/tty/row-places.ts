/** Rows of a screen as the text that they were printed as, the cells of places in it, and cells in other styles. Pure. */
import type { MirrorRow, MirrorRun } from '../mirror/mirror.js';
import { type MirrorCell, runCells } from '../mirror/run-cells.js';

/** Columns of one row. */
export interface RowSpan {
  /** Index among the given rows. */
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

export interface PlacedMatch {
  /** Index of the first row of its line. */
  readonly line: number;
  /** Matches before it in that line. */
  readonly nth: number;
  /** One for each row that it covers. */
  readonly spans: readonly RowSpan[];
}

export interface RowPaint {
  readonly from: number;
  readonly to: number;
  /** Parameters of SGR, in place of the style of the cells. */
  readonly style: string;
}

/** Matches as `grep` finds them: rows that were printed as one line are one, case is ignored. @param cols of the screen */
export function matchesIn(rows: readonly MirrorRow[], cols: number, words: string): PlacedMatch[] {
  const pattern = new RegExp(words.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu');
  const matches: PlacedMatch[] = [];
  for (let line = 0, end = 0; line < rows.length; line = end) {
    end = line + 1;
    while (rows[end]?.wrapped === true) end++;
    const cells = rows.slice(line, end).map((row, i) => lineCells(row, rows[line + i + 1], cols));
    const text = cells.map((row) => row.map((cell) => cell.text).join('')).join('');
    for (const [nth, match] of [...text.matchAll(pattern)].entries()) {
      matches.push({ line, nth, spans: spansOf(cells, line, match.index, match.index + match[0].length) });
    }
  }
  return matches;
}

/** The cells of a row that count for its line. @param next the row below */
export function lineCells(row: MirrorRow, next: MirrorRow | undefined, cols: number): MirrorCell[] {
  const cells = row.runs.flatMap(runCells);
  if (next?.wrapped !== true) return cells;
  const missing = cols - widthOf(cells);
  if (missing <= 0) return mayEndInGap(row, next, cols) ? cells.slice(0, -1) : cells;
  if (missing === 1 && beginsWide(next)) return cells;
  return [...cells, ...Array.from({ length: missing }, () => ({ text: ' ', width: 1 }))];
}

/**
 * Whether the last cell may be one that a wide character did not fit in, in a style of its own. It may also be a blank that was
 * printed: the cells of both are the same.
 */
export function mayEndInGap(row: MirrorRow, next: MirrorRow | undefined, cols: number): boolean {
  if (next?.wrapped !== true || !beginsWide(next)) return false;
  const cells = row.runs.flatMap(runCells);
  return widthOf(cells) === cols && cells.at(-1)?.text === ' ';
}

/** The row with these cells in other styles, and blank cells up to the last of them. @param paints the last one holds */
export function painted(row: MirrorRow, paints: readonly RowPaint[]): MirrorRow {
  if (paints.length === 0) return row;
  const runs: MirrorRun[] = [];
  let col = 0;
  const put = ({ text, width }: MirrorCell, style: string, link: string | undefined): void => {
    const paint = paints.findLast(({ from, to }) => col < to && col + width > from);
    col += width;
    const cells = width === 1 && Array.from(text).length === 1 ? 0 : width;
    const last = runs.at(-1);
    const shown = paint?.style ?? style;
    // Characters beyond ASCII stay alone: those of one run may not join where those of two do.
    const joins = cells === 0 && text < '\x7f' && last?.[1] === shown && last[2] === 0 && last[3] === link;
    if (joins && (last?.[0].at(-1) ?? '') < '\x7f') runs[runs.length - 1] = [`${last?.[0]}${text}`, shown, 0, link];
    else runs.push([text, shown, cells, link]);
  };
  for (const run of row.runs) for (const cell of runCells(run)) put(cell, run[1] ?? '', run[3]);
  const end = Math.max(...paints.map(({ to }) => to));
  while (col < end) put({ text: ' ', width: 1 }, '', undefined);
  return { ...row, runs };
}

/** @param line index of the first of these rows @param start of the text, in UTF-16 code units */
function spansOf(rows: readonly MirrorCell[][], line: number, start: number, end: number): RowSpan[] {
  const spans: RowSpan[] = [];
  let at = 0;
  for (const [i, cells] of rows.entries()) {
    let col = 0;
    let span: { row: number; from: number; to: number } | undefined;
    for (const { text, width } of cells) {
      if (at >= end) break;
      at += text.length;
      if (at > start) {
        span ??= { row: line + i, from: col, to: col };
        span.to = col + width;
      }
      col += width;
    }
    if (span !== undefined) spans.push(span);
    if (at >= end) break;
  }
  return spans;
}

function beginsWide({ runs: [first] }: MirrorRow): boolean {
  return first !== undefined && runCells(first)[0]?.width === 2;
}

function widthOf(cells: readonly MirrorCell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}
