/** Output as `run` tells it: lines as they were printed, of a long one the head and the tail. */
import type { Screen } from '../../vt/screen.js';
import { plainLine } from './line-formats.js';
import { type LineRange, type LineSpan, linesIn } from './region.js';

export interface OutputLines {
  readonly lines: string[];
  readonly omitted_lines: number;
}

/** Soft-wrapped rows are joined: a line is what the program printed as one. Blank lines at the end are none. */
export function outputLines(
  screen: Screen,
  range: LineRange & { readonly endCol?: number | undefined },
  maxLines: number,
): OutputLines {
  const read = (line: LineSpan): string =>
    plainLine(screen, line, true, line.end === range.end ? range.endCol : undefined);
  const spans = linesIn(screen, range, true);
  // What is left out is not read: a long output holds the daemon no longer than a short one.
  while (spans.length > 0 && read(spans[spans.length - 1] as LineSpan) === '') spans.pop();
  if (spans.length <= maxLines) return { lines: spans.map(read), omitted_lines: 0 };
  const head = spans.slice(0, Math.ceil(maxLines / 2));
  const tail = spans.slice(spans.length - (maxLines - head.length));
  return { lines: [...head, ...tail].map(read), omitted_lines: spans.length - maxLines };
}

/** The beginning and the end of something too long, within a budget. */
export interface HeadAndTail<T> {
  readonly head: readonly T[];
  readonly tail: readonly T[];
  readonly omitted: { readonly count: number; readonly bytes: number };
}

/** Whole items only: about half of the budget for the head, what that leaves for the tail. */
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
