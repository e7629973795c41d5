/** Output lines for `run`: whole lines as printed; of a long output the head and the tail. */
import type { Screen } from '../../vt/screen.js';
import { plainLine } from './line-formats.js';
import { type LineRange, type LineSpan, linesIn } from '../../vt/region.js';

export interface OutputLines {
  readonly lines: string[];
  readonly omitted_lines: number;
  /** Where they stand, as lasting numbers of rows. */
  readonly omitted?: { readonly from_line: number; readonly rows: number };
}

/** Soft-wrapped rows are joined: a line is what the program printed as one. Trailing blank lines are dropped. */
export function outputLines(
  screen: Screen,
  range: LineRange & { readonly endCol?: number | undefined; readonly lead?: string | undefined },
  maxLines: number,
): OutputLines {
  const read = (line: LineSpan): string =>
    plainLine(screen, line, true, {
      lastCols: line.end === range.end ? range.endCol : undefined,
      lead: line.first === range.first ? range.lead : undefined,
    });
  const spans = linesIn(screen, range, true);
  // Omitted lines are not read: a long output blocks the daemon no longer than a short one.
  while (spans.length > 0 && read(spans[spans.length - 1] as LineSpan) === '') spans.pop();
  if (spans.length <= maxLines) return { lines: spans.map(read), omitted_lines: 0 };
  const head = spans.slice(0, Math.ceil(maxLines / 2));
  const tail = spans.slice(spans.length - (maxLines - head.length));
  const [firstLeftOut, firstOfTail] = [spans[head.length], spans[spans.length - tail.length]];
  const from = firstLeftOut?.number ?? 0;
  return {
    lines: [...head, ...tail].map(read),
    omitted_lines: spans.length - maxLines,
    omitted: { from_line: from, rows: (firstOfTail?.number ?? screen.firstShownNumber + range.end) - from },
  };
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
