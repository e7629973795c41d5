/** Output lines for `run`: whole lines as printed; of a long output the head and the tail. */
import type { Screen } from '../../vt/screen.js';
import { plainLine } from './line-formats.js';
import { type LineRange, linesIn } from '../../vt/region.js';

export interface OutputLines {
  readonly lines: string[];
  /** Those that `lines` has not, or only in part. */
  readonly omitted_lines: number;
  /** How many of `lines` stand before them. */
  readonly omitted_after?: number;
  /** Where they stand, as lasting numbers of rows. */
  readonly omitted?: { readonly from_line: number; readonly rows: number };
}

type OutputRange = LineRange & {
  readonly endCol?: number | undefined;
  readonly lead?: string | undefined;
  /** Its end is that of the output; else blank lines may be what the screen has below it. */
  readonly isTold?: boolean;
};

/**
 * Soft-wrapped rows are joined: a line is what the program printed as one. Blank lines at its end are dropped if they
 * may be none of the output.
 * @param maxLength characters of all lines; a line that has no room is cut between two rows
 */
export function outputLines(
  screen: Screen,
  range: OutputRange,
  maxLines: number,
  maxLength: number = Number.POSITIVE_INFINITY,
): OutputLines {
  const read = (line: LineRange): string =>
    plainLine(screen, line, true, {
      lastCols: line.end === range.end ? range.endCol : undefined,
      lead: line.first === range.first ? range.lead : undefined,
    });
  const spans = linesIn(screen, range, true);
  // Omitted lines are not read: a long output blocks the daemon no longer than a short one.
  for (let last = spans.at(-1); last !== undefined && read(last) === ''; last = spans.at(-1)) {
    // Without echo the row of the prompt is also that of the output's beginning.
    const isOfPrompt = last.first === range.first && range.lead !== undefined;
    if (range.isTold === true && !isOfPrompt) break;
    spans.pop();
  }
  if (spans.length <= maxLines) {
    const lines = spans.map(read);
    if (lines.reduce((sum, line) => sum + line.length, 0) <= maxLength) return { lines, omitted_lines: 0 };
  }
  const half = Math.ceil(maxLines / 2);
  const head = withinLength(spans.slice(0, half), maxLength / 2, read, false);
  const behind = head.at(-1)?.end ?? range.first;
  const lowest = spans.slice(Math.max(half, spans.length - (maxLines - half)));
  const below = spans.length <= maxLines ? spans.filter(({ end }) => end > behind) : lowest;
  const tail = withinLength(below.toReversed(), maxLength / 2, read, true).filter(({ first }) => first >= behind);
  const starts = new Set(spans.map(({ first }) => first));
  const ends = new Set(spans.map(({ end }) => end));
  const shown = [...head, ...tail.toReversed()];
  const whole = shown.filter(({ first, end }) => starts.has(first) && ends.has(end));
  const next = tail.at(-1)?.first ?? range.end;
  return {
    lines: shown.map(read),
    omitted_lines: spans.length - whole.length,
    omitted_after: head.length,
    omitted: { from_line: screen.firstShownNumber + behind, rows: next - behind },
  };
}

/** Lines in their order from an edge; the last one in part, with the rows of it that are nearest to the edge. */
function withinLength(
  lines: readonly LineRange[],
  maxLength: number,
  read: (line: LineRange) => string,
  isFromEnd: boolean,
): LineRange[] {
  const fitting: LineRange[] = [];
  let left = maxLength;
  for (const line of lines) {
    const { length } = read(line);
    if (length > left) {
      const rows = rowsWithin(line, left, read, isFromEnd);
      const part = isFromEnd
        ? { first: line.end - rows, end: line.end }
        : { first: line.first, end: line.first + rows };
      if (rows > 0) fitting.push(part);
      return fitting;
    }
    left -= length;
    fitting.push(line);
  }
  return fitting;
}

function rowsWithin(
  { first, end }: LineRange,
  maxLength: number,
  read: (line: LineRange) => string,
  isFromEnd: boolean,
): number {
  let left = maxLength;
  for (let rows = 0; rows < end - first; rows++) {
    const row = isFromEnd ? end - 1 - rows : first + rows;
    left -= read({ first: row, end: row + 1 }).length;
    if (left < 0) return rows;
  }
  return end - first;
}

/** The beginning and the end of a long list, within a budget. */
export interface HeadAndTail<T> {
  readonly head: readonly T[];
  readonly tail: readonly T[];
  readonly omitted: { readonly count: number; readonly bytes: number };
}

/** Whole items only: the head takes up to half of the budget, the tail what is left. */
export function headAndTail<T>(items: readonly T[], maxBytes: number, bytesOf: (item: T) => number): HeadAndTail<T> {
  const sizes = items.map(bytesOf);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= maxBytes) return { head: items, tail: [], omitted: { count: 0, bytes: 0 } };
  let headEnd = 0;
  let kept = 0;
  for (; kept + (sizes[headEnd] ?? 0) <= maxBytes / 2; headEnd++) kept += sizes[headEnd] ?? 0;
  let tailStart = items.length;
  for (; tailStart > headEnd && kept + (sizes[tailStart - 1] ?? 0) <= maxBytes; tailStart--) {
    kept += sizes[tailStart - 1] ?? 0;
  }
  return {
    head: items.slice(0, headEnd),
    tail: items.slice(tailStart),
    omitted: { count: tailStart - headEnd, bytes: total - kept },
  };
}
