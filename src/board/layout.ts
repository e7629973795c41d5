/** Where the parts of the shell are in the terminal of the person. Pure. */
import type { Size } from '../attach/size.js';

/** Tabs, one row, status. */
const MIN_ROWS_WITH_TABS = 3;
/** The least that a terminal may have. */
const MIN_COLS = 2;

export interface Layout {
  /** Rows above the screen: that of the tabs, or none. */
  readonly above: number;
  /** Columns of the screen. */
  readonly cols: number;
  /** Size of the terminal that is shown. */
  readonly screen: Size;
}

export function layoutOf({ cols, rows }: Size): Layout {
  const above = rows >= MIN_ROWS_WITH_TABS ? 1 : 0;
  return { above, cols, screen: { cols: Math.max(MIN_COLS, cols), rows: Math.max(1, rows - above - 1) } };
}
