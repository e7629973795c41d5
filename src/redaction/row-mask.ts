/**
 * Masks secrets in rows of cells, for pictures and texts of a screen: in lines with the rows that they wrap over, in rows that a program has
 * filled to their ends, and in links. Rows without any are the same objects as before.
 */
import type { MatchSpan } from '../search/regex.js';
import { CellWalk, type LogicalLine, logicalLine, wholeText } from '../vt/rows/logical-line.js';
import { endsInGap, rowCols } from '../vt/rows/row-text.js';
import {
  ATTR_WIDTH_MASK,
  ATTR_WIDTH_SHIFT,
  CELL_ATTRS,
  CELL_GRAPHEME,
  CELL_WORDS,
  graphemeAt,
  type Snapshot,
  type SnapshotRow,
} from '../vt/snapshot.js';
import { partsOfLine } from './drawn-row.js';
import { MASK, merged, type Redactor } from './redactor.js';

export interface MaskedRows {
  readonly rows: readonly SnapshotRow[];
  /** Secrets that were masked. */
  readonly count: number;
}

export class RowMask {
  readonly #redactor: Redactor;
  /** Masked rows by row and cells: unchanged rows stay the same objects. */
  readonly #made = new WeakMap<SnapshotRow, { readonly cells: string; readonly row: SnapshotRow }>();
  readonly #shown = new WeakMap<Snapshot, MaskedSnapshot>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** @param above rows over it, in which a secret may begin */
  snapshot(snapshot: Snapshot, above: readonly SnapshotRow[] = []): MaskedSnapshot {
    const known = this.#shown.get(snapshot);
    if (known !== undefined) return known;
    const { rows: all, count } = this.rows([...above, ...snapshot.lines]);
    const rows = all.slice(above.length);
    const title = this.#redactor.mask(snapshot.title);
    const isSame = count === 0 && title.count === 0;
    const masked = isSame ? snapshot : { ...snapshot, lines: rows, title: title.text };
    const made = { snapshot: masked, count: count + title.count };
    this.#shown.set(snapshot, made);
    return made;
  }

  rows(rows: readonly SnapshotRow[]): MaskedRows {
    const masked = [...rows];
    let count = 0;
    for (const { line, spans } of secretLines(this.#redactor, rows)) {
      const { firstRow: first } = line;
      const end = first + line.rows.length;
      count += spans.length;
      const cells = cellsOfRows(new CellWalk(line), spans);
      for (let y = first; y < end; y++) {
        const row = rows[y];
        if (row === undefined) continue;
        const links = this.#maskedLinks(row);
        count += links.count;
        if (cells.has(y) || links.count > 0) masked[y] = this.#masked(row, cells.get(y) ?? [], links.links);
      }
    }
    return { rows: masked, count };
  }

  #maskedLinks({ links }: SnapshotRow): { readonly links: SnapshotRow['links']; readonly count: number } {
    if (links === undefined) return { links, count: 0 };
    const masked = new Map(Array.from(links, ([col, target]) => [col, this.#redactor.mask(target)] as const));
    const found = new Set(Array.from(masked).flatMap(([, { text, count }]) => (count > 0 ? [text] : [])));
    return { links: new Map(Array.from(masked, ([col, { text }]) => [col, text])), count: found.size };
  }

  #masked(row: SnapshotRow, spans: readonly Cells[], links: SnapshotRow['links']): SnapshotRow {
    const key = JSON.stringify([spans, links === undefined ? [] : [...links]]);
    const known = this.#made.get(row);
    if (known?.cells === key) return known.row;
    const cells = row.cells.slice();
    for (const { col, cols } of spans) {
      for (let x = col; x < col + cols; x++) {
        cells[x * CELL_WORDS + CELL_GRAPHEME] = MASK.charCodeAt(0);
        const attributes = (cells[x * CELL_WORDS + CELL_ATTRS] ?? 0) & ~ATTR_WIDTH_MASK;
        cells[x * CELL_WORDS + CELL_ATTRS] = attributes | (1 << ATTR_WIDTH_SHIFT);
      }
    }
    const made = { ...row, cells, links };
    this.#made.set(row, { cells: key, row: made });
    return made;
  }
}

/** Lines with all rows that they go on in. */
function* secretLines(redactor: Redactor, rows: readonly SnapshotRow[]): Generator<SecretLine, void, void> {
  const secrets = redactor.lines();
  for (let first = 0, end = 0; first < rows.length; first = end) {
    end = first + 1;
    while (end < rows.length && goesOn(rows[end - 1], rows[end])) end++;
    const line = logicalLine(rows.slice(first, end), first);
    const spans = secrets.next(line.text);
    yield { line, spans: merged([...spans, ...spansOfParts(redactor, line)]) };
  }
}

/** Starts of the rows in the text of their line, and the end of the last one. */
function startsIn({ rows }: LogicalLine): number[] {
  const starts = [0];
  for (const [i, row] of rows.entries()) {
    const next = rows[i + 1];
    const gap = next !== undefined && endsInGap(row, next) ? 1 : 0;
    starts.push((starts.at(-1) ?? 0) + wholeText(row).length - gap);
  }
  return starts;
}

function spansOfParts(redactor: Redactor, line: LogicalLine): MatchSpan[] {
  const { rows } = line;
  const starts = startsIn(line);
  return partsOfLine(rows).flatMap(({ start, end }) => {
    const from = starts[start] ?? 0;
    const { text } = logicalLine(rows.slice(start, end));
    return redactor.spansIn(text).map((span) => ({ start: span.start + from, end: span.end + from }));
  });
}

/** Spans of secrets, or of parts of one, in the text of each row that has them. */
export function spansOfRows(redactor: Redactor, rows: readonly SnapshotRow[]): Map<number, MatchSpan[]> {
  const found = new Map<number, MatchSpan[]>();
  for (const { line, spans } of secretLines(redactor, rows)) {
    if (spans.length === 0) continue;
    const starts = startsIn(line);
    for (let i = 0; i < line.rows.length; i++) {
      const [from = 0, to = 0] = starts.slice(i);
      const within = spans
        .filter(({ start, end }) => start < to && end > from)
        .map(({ start, end }) => ({ start: Math.max(start, from) - from, end: Math.min(end, to) - from }));
      if (within.length > 0) found.set(line.firstRow + i, within);
    }
  }
  return found;
}

interface SecretLine {
  readonly line: LogicalLine;
  readonly spans: readonly MatchSpan[];
}

/** Texts of the secrets in these rows. */
export function secretsOfRows(redactor: Redactor, rows: readonly SnapshotRow[]): string[] {
  return Array.from(secretLines(redactor, rows)).flatMap(({ line, spans }) =>
    spans.map(({ start, end }) => line.text.slice(start, end)),
  );
}

export interface MaskedSnapshot {
  readonly snapshot: Snapshot;
  readonly count: number;
}

interface Cells {
  readonly col: number;
  readonly cols: number;
}

function cellsOfRows(walk: CellWalk, spans: readonly MatchSpan[]): Map<number, Cells[]> {
  const rows = new Map<number, Cells[]>();
  for (const { start, end } of spans) {
    for (const { row, col, cols } of walk.to(start, end)) rows.set(row, [...(rows.get(row) ?? []), { col, cols }]);
  }
  return rows;
}

/** Whether a row goes on in the next, by the terminal, or since the program has written up to the end of the row. */
function goesOn(row: SnapshotRow | undefined, next: SnapshotRow | undefined): boolean {
  if (row === undefined || next === undefined) return false;
  return next.wrapped || (hasText(row, rowCols(row) - 1) && hasText(next, 0));
}

function hasText(row: SnapshotRow, col: number): boolean {
  const isRightHalf = col > 0 && ((row.cells[col * CELL_WORDS + CELL_ATTRS] ?? 0) & ATTR_WIDTH_MASK) === 0;
  return graphemeAt(row, isRightHalf ? col - 1 : col).trim() !== '';
}
