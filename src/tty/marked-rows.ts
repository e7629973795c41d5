/** Rows of the scrollback as they are drawn: matches of a search, and what is selected, in styles of their own. Pure. */
import type { MirrorRow } from '../mirror/mirror.js';
import { painted, type PlacedMatch } from './row-places.js';
import type { RowsPage } from './scrollback-rows.js';
import { selectedColumns, type Selection } from './selection.js';

export interface MarkedParts {
  readonly page: RowsPage;
  /** Lasting number of the first row that is seen, and the number of them. */
  readonly top: number;
  readonly count: number;
  /** Columns of the screen. */
  readonly cols: number;
  readonly matches: readonly PlacedMatch[];
  readonly current: PlacedMatch | undefined;
  readonly selection: Selection | undefined;
}

const MATCH = '30;43';
const CURRENT = '30;106';
/** Inverse: seen on every ground. */
const SELECTED = '7';

export function rowsWithMarks({
  page,
  top,
  count,
  cols,
  matches,
  current,
  selection,
}: MarkedParts): readonly MirrorRow[] {
  const at = Math.max(0, top - page.from);
  const marks = matches.flatMap((match) => {
    const style = match === current ? CURRENT : MATCH;
    return match.spans.map(({ row, from, to }) => ({ row, paint: { from, to, style } }));
  });
  return page.rows.slice(at, at + count).map((row, i) => {
    const paints = marks.filter((mark) => mark.row === at + i).map(({ paint }) => paint);
    const span = selection && selectedColumns(selection, page.from + at + i, cols);
    return painted(row, span === undefined ? paints : [...paints, { ...span, style: SELECTED }]);
  });
}
