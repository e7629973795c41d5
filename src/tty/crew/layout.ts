/** Places of the parts of the shell in the terminal of the person. Pure. */
import type { Size } from '../../mirror/fit.js';

/** Tabs, one row, status. */
const MIN_ROWS_WITH_TABS = 3;
/** The least that a terminal may have. */
const MIN_COLS = 2;
/** Fewest columns with a rail. With less the screen would have no room beside it: all that is in it is in tabs and palette, too. */
const MIN_COLS_WITH_RAIL = 60;
const MIN_ROWS_WITH_RAIL = 8;
const MIN_RAIL_COLS = 20;
const MAX_RAIL_COLS = 34;
const MIN_COLS_BESIDE_RAIL = 40;

export interface Layout {
  /** All of them. */
  readonly rows: number;
  /** Rows above the screen: that of the tabs, or none. */
  readonly above: number;
  /** Columns of the screen and of the tabs. */
  readonly cols: number;
  /** Right of them, over all rows but the last; 0 for no rail. */
  readonly railCols: number;
  /** Size of the terminal that is shown. */
  readonly screen: Size;
}

/** @param wanted columns of the rail, as far as there is room; 0 for none, undefined for a quarter */
export function layoutOf({ cols: all, rows }: Size, wanted?: number): Layout {
  const above = rows >= MIN_ROWS_WITH_TABS ? 1 : 0;
  const hasRail = all >= MIN_COLS_WITH_RAIL && rows >= MIN_ROWS_WITH_RAIL;
  const quarter = Math.min(MAX_RAIL_COLS, Math.max(MIN_RAIL_COLS, Math.floor(all / 4)));
  const railCols = hasRail ? Math.min(wanted ?? quarter, all - MIN_COLS_BESIDE_RAIL) : 0;
  const cols = all - railCols;
  return {
    rows,
    above,
    cols,
    railCols,
    screen: { cols: Math.max(MIN_COLS, cols), rows: Math.max(1, rows - above - 1) },
  };
}
