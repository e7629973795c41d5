/** Lines of text out of a screen's buffer; 0 is the oldest line of the scrollback. */
import { rowText } from '../vt/row-text.js';
import type { Screen } from '../vt/screen.js';

/** Rows `first` up to, not including, `end`; untrimmed ones are as wide as the grid. */
export function readLines(screen: Screen, first: number, end: number, trim: boolean): string[] {
  const lines: string[] = [];
  for (let index = first; index < end; index++) {
    const row = screen.row(index);
    if (row !== undefined) lines.push(trim ? rowText(row).trimEnd() : rowText(row, { trim: false }));
  }
  return lines;
}

/** Everything that was printed, as it was printed: soft-wrapped rows are joined, blanks at the ends are cut. */
export function readLogicalLines(screen: Screen): string[] {
  const lines: string[] = [];
  for (let index = 0; index < screen.totalLines; index++) {
    const row = screen.row(index);
    if (row === undefined) continue;
    const continues = row.wrapped && lines.length > 0;
    const text = rowText(row, { trim: screen.row(index + 1)?.wrapped !== true });
    if (continues) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  return lines.map((line) => line.trimEnd());
}
