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
