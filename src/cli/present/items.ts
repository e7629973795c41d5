/** What a command lists: a table for people, the reply as it came for programs. */
import { type Color, paintOf } from '../output/color.js';
import type { Answer } from '../presenters.js';
import type { Surroundings } from '../host.js';
import { formatTable } from '../output/table.js';
import { replyLine } from './fields.js';

export interface Column<Item> {
  readonly heading: string;
  readonly cell: (item: Item) => string;
  readonly color?: (item: Item) => Color | undefined;
}

/** @param none said where there are no items */
export function presentItems<Item>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
  none: string,
  answer: Answer,
  surroundings: Surroundings,
): void {
  if (!surroundings.stdoutIsTerminal) return surroundings.out(replyLine(answer));
  if (items.length === 0) return surroundings.note(`${none}\n`);
  const headings = columns.map(({ heading }) => heading);
  const rows = items.map((item) => columns.map(({ cell }) => cell(item)));
  const paint = paintOf(answer.invocation.options['color'], surroundings);
  const width = surroundings.columns() ?? Number.POSITIVE_INFINITY;
  surroundings.out(
    formatTable([headings, ...rows], width, (text, row, column) => {
      if (row === 0) return paint('bold', text);
      const item = items[row - 1];
      const color = item === undefined ? undefined : columns[column]?.color?.(item);
      return color === undefined ? text : paint(color, text);
    }),
  );
}
