/** Lines of a screen in the formats of `text`. */
import { CELL_ATTRIBUTES, UNDERLINES, type cellRun } from '../../protocol/commands/text.js';
import type { z } from 'zod';
import { rowAnsi } from '../../vt/rows/row-ansi.js';
import { hexColor } from '../../vt/rows/row-html.js';
import { rowRuns, type Run } from '../../vt/rows/row-runs.js';
import { rowOfSpans, type RowOfSpans } from '../../vt/rows/row-spans.js';
import { rowText } from '../../vt/rows/row-text.js';
import type { ReadableLines } from '../../vt/readable-lines.js';
import {
  ATTR_BLINK,
  ATTR_BOLD,
  ATTR_DIM,
  ATTR_INVERSE,
  ATTR_INVISIBLE,
  ATTR_ITALIC,
  ATTR_OVERLINE,
  ATTR_STRIKETHROUGH,
  ATTR_UNDERLINE_MASK,
  ATTR_UNDERLINE_SHIFT,
  COLOR_DEFAULT,
  COLOR_KIND_MASK,
  COLOR_PALETTE,
  COLOR_VALUE_MASK,
  type SnapshotRow,
} from '../../vt/snapshot.js';
import type { LineRange } from '../../vt/region.js';

export type CellRun = z.output<typeof cellRun>;

/** What counts of a line, if not all does. */
export interface LinePart {
  /** Columns of the last row. */
  readonly lastCols?: number | undefined;
  /** Text that does not count, if the line begins with it. */
  readonly lead?: string | undefined;
}

export function plainLine(
  screen: ReadableLines,
  { first, end }: LineRange,
  trim: boolean,
  { lastCols, lead = '' }: LinePart = {},
): string {
  let text = '';
  for (let index = first; index < end; index++) {
    const isLast = index === end - 1;
    // A row by itself has all of its cells; one that others follow, its part of their line.
    const isWhole = lastCols !== undefined || (!trim && end - first === 1);
    const row = isLast && isWhole ? screen.row(index) : undefined;
    if (row !== undefined) text += rowText(row, { trim, ...(lastCols === undefined ? {} : { to: lastCols }) });
    else text += screen.lineText(index, { trim: isLast && (trim || end - first > 1) }) ?? '';
  }
  // Its blanks may be trimmed.
  if (text === lead.trimEnd()) text = '';
  else if (text.startsWith(lead)) text = text.slice(lead.length);
  return trim ? text.trimEnd() : text;
}

/** Like {@link plainLine}, of the line as it is now: what takes long is done by the result. */
export function capturedPlain(
  screen: ReadableLines,
  { first, end }: LineRange,
  trim: boolean,
  part: LinePart,
): () => string {
  const { lastCols, lead } = part;
  const row =
    !trim && lastCols === undefined && lead === undefined && end - first === 1 ? screen.row(first) : undefined;
  if (row !== undefined) return () => rowText(row, { trim: false });
  const text = plainLine(screen, { first, end }, trim, part);
  return () => text;
}

/** @param rows of one line */
export function ansiLine(rows: readonly SnapshotRow[]): string {
  return rows.map((row, i) => rowAnsi(row, rows[i + 1])).join('');
}

/** @param rows of one line */
export function cellsLine(rows: readonly SnapshotRow[]): CellRun[] {
  return rows.flatMap((row) => rowRuns(row).map(describeRun));
}

/** @param rows one */
export function spansLine([row]: readonly SnapshotRow[]): RowOfSpans {
  return row === undefined ? { runs: [] } : rowOfSpans(row);
}

export function rowsOf(screen: ReadableLines, { first, end }: LineRange): SnapshotRow[] {
  const rows: SnapshotRow[] = [];
  for (let index = first; index < end; index++) {
    const row = screen.row(index);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** In the order of {@link CELL_ATTRIBUTES}. */
const FLAGS = [
  ATTR_BOLD,
  ATTR_DIM,
  ATTR_ITALIC,
  ATTR_BLINK,
  ATTR_INVERSE,
  ATTR_INVISIBLE,
  ATTR_STRIKETHROUGH,
  ATTR_OVERLINE,
];

function describeRun({ col, cols, width, graphemes, style, link }: Run): CellRun {
  const attributes = CELL_ATTRIBUTES.filter((_, i) => (style.attributes & (FLAGS[i] ?? 0)) !== 0);
  const underline = UNDERLINES[((style.attributes & ATTR_UNDERLINE_MASK) >> ATTR_UNDERLINE_SHIFT) - 1];
  return {
    col,
    cols,
    width,
    text: graphemes.join(''),
    ...namedColor('fg', style.fg),
    ...namedColor('bg', style.bg),
    ...(attributes.length === 0 ? {} : { attributes }),
    ...(underline === undefined ? {} : { underline }),
    ...namedColor('underline_color', style.underlineColor),
    ...(link === undefined ? {} : { link }),
  };
}

/** The field for a colour word; empty for the default colour. */
export function namedColor<Name extends string>(name: Name, word: number): { [Key in Name]?: number | string } {
  if (word === COLOR_DEFAULT) return {};
  const value = word & COLOR_VALUE_MASK;
  const color = (word & COLOR_KIND_MASK) === COLOR_PALETTE ? value : hexColor(value);
  return { [name]: color } as { [Key in Name]?: number | string };
}
