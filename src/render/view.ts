/**
 * What part of a screen is shown, and with what around it: a snapshot made from a snapshot, so that every format shows
 * the same. Rows made from the same row in the same way are the same object, as everywhere.
 */
import {
  ATTR_DIM,
  ATTR_UNDERLINE_SHIFT,
  ATTR_WIDTH_MASK,
  ATTR_WIDTH_SHIFT,
  CELL_ATTRS,
  CELL_GRAPHEME,
  CELL_WORDS,
  type Snapshot,
  type SnapshotRow,
} from '../vt/snapshot.js';

/** Rows and columns of the grid, 0-based. */
export interface ViewRegion {
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
}

export interface ScreenView {
  readonly snapshot: Snapshot;
  /** Numbers to add to a row and a column of the grid to find it in the view. */
  readonly rowOffset: number;
  readonly colOffset: number;
}

/** The caller asked for cells that the screen does not have. */
export class PictureRegionError extends RangeError {
  override readonly name = 'PictureRegionError';
}

const SINGLE_WIDTH = 1 << ATTR_WIDTH_SHIFT;
const RULER_ATTRS = SINGLE_WIDTH | ATTR_DIM;
const UNDERLINED = 1 << ATTR_UNDERLINE_SHIFT;
/** A number at every tenth column, a dot halfway. */
const RULER_STEP = 10;

type ViewOptions = { readonly region?: ViewRegion | undefined; readonly rulers?: boolean | undefined };

/** Size of the view, in cells. */
export function viewGrid(
  grid: { readonly rows: number; readonly cols: number },
  { region, rulers }: ViewOptions,
): { rows: number; cols: number } {
  const { rows, cols } = region ?? grid;
  return rulers === true ? { rows: rows + 1, cols: cols + gutterOf((region?.row ?? 0) + rows) } : { rows, cols };
}

export function viewOf(snapshot: Snapshot, options: ViewOptions): ScreenView {
  const { region } = options;
  const cropped = region === undefined ? snapshot : crop(snapshot, region);
  const top = region?.row ?? 0;
  const left = region?.col ?? 0;
  if (options.rulers !== true) return { snapshot: cropped, rowOffset: -top, colOffset: -left };
  const gutter = gutterOf(top + cropped.rows);
  return { snapshot: withRulers(cropped, top, left, gutter), rowOffset: 1 - top, colOffset: gutter - left };
}

/** Columns of the row numbers and the line beside them. */
function gutterOf(endRow: number): number {
  return String(endRow - 1).length + 1;
}

function crop(snapshot: Snapshot, region: ViewRegion): Snapshot {
  const { row, col, rows, cols } = region;
  const whole = [row, col, rows, cols].every((each) => Number.isInteger(each)) && row >= 0 && col >= 0;
  if (!whole || rows < 1 || cols < 1 || row + rows > snapshot.rows || col + cols > snapshot.cols) {
    throw new PictureRegionError(
      `A region of ${rows} rows and ${cols} columns at row ${row}, column ${col} is not within the screen of ` +
        `${snapshot.rows} rows and ${snapshot.cols} columns.`,
    );
  }
  const lines = snapshot.lines
    .slice(row, row + rows)
    .map((line) => derived(line, `crop ${col} ${cols}`, () => cropRow(line, col, cols)));
  const at = Math.min(snapshot.cursor.col, snapshot.cols - 1);
  const inside = snapshot.cursor.row >= row && snapshot.cursor.row < row + rows && at >= col && at < col + cols;
  const cursor = {
    ...snapshot.cursor,
    row: snapshot.cursor.row - row,
    col: at - col,
    visible: snapshot.cursor.visible && inside,
  };
  return { ...snapshot, rows, cols, lines, cursor };
}

function cropRow(row: SnapshotRow, col: number, cols: number): SnapshotRow {
  // Cells of large lines are two columns wide.
  const first = row.lineSize === 'single' ? col : col >> 1;
  const cells = new Uint32Array(cols * CELL_WORDS);
  cells.set(row.cells.subarray(first * CELL_WORDS, (first + cols) * CELL_WORDS));
  // Half of a wide character is a blank.
  if (widthAt(cells, 0) === 0) blank(cells, 0);
  if (widthAt(cells, cols - 1) === 2) blank(cells, cols - 1);
  return {
    ...row,
    cells,
    underlineColors: shifted(row.underlineColors, -first, cols),
    links: shifted(row.links, -first, cols),
  };
}

function withRulers(snapshot: Snapshot, top: number, left: number, gutter: number): Snapshot {
  const cols = snapshot.cols + gutter;
  const lines = snapshot.lines.map((line, y) =>
    derived(line, `ruler ${top + y} ${gutter}`, () => withRowNumber(line, top + y, gutter)),
  );
  const { row, col } = snapshot.cursor;
  const cursor = { ...snapshot.cursor, row: row + 1, col: col + gutter };
  return { ...snapshot, cols, rows: snapshot.rows + 1, lines: [columnRuler(cols, left, gutter), ...lines], cursor };
}

/** Numbers of large lines would be large too: those lines keep their cells and get no number. */
function withRowNumber(row: SnapshotRow, number: number, gutter: number): SnapshotRow {
  const large = row.lineSize !== 'single';
  const cells = new Uint32Array(row.cells.length + gutter * CELL_WORDS);
  const shift = large ? gutter >> 1 : gutter;
  cells.set(row.cells.subarray(0, cells.length - shift * CELL_WORDS), shift * CELL_WORDS);
  const label = large ? '' : `${String(number).padStart(gutter - 1)}│`;
  for (let col = 0; col < shift; col++) putRuler(cells, col, label.codePointAt(col) ?? 0, RULER_ATTRS);
  return {
    ...row,
    cells,
    underlineColors: shifted(row.underlineColors, shift, cells.length),
    links: shifted(row.links, shift, cells.length),
  };
}

const columnRulers = new Map<string, SnapshotRow>();
const MAX_COLUMN_RULERS = 64;

function columnRuler(cols: number, left: number, gutter: number): SnapshotRow {
  const key = `${cols} ${left} ${gutter}`;
  const known = columnRulers.get(key);
  if (known !== undefined) return known;
  const cells = new Uint32Array(cols * CELL_WORDS);
  for (let col = 0; col < cols; col++) putRuler(cells, col, 0, RULER_ATTRS | UNDERLINED);
  for (let col = gutter; col < cols; col++) {
    const number = left + col - gutter;
    if (number % RULER_STEP === RULER_STEP / 2) putRuler(cells, col, 0xb7, RULER_ATTRS | UNDERLINED);
    if (number % RULER_STEP !== 0) continue;
    for (const [index, digit] of Array.from(String(number)).entries()) {
      if (col + index < cols) putRuler(cells, col + index, digit.charCodeAt(0), RULER_ATTRS | UNDERLINED);
    }
  }
  const row: SnapshotRow = {
    cells,
    clusters: [],
    underlineColors: undefined,
    links: undefined,
    wrapped: false,
    lineSize: 'single',
  };
  if (columnRulers.size >= MAX_COLUMN_RULERS) columnRulers.clear();
  columnRulers.set(key, row);
  return row;
}

/** Ways in which one row is shown that are kept: a scrolling screen with rulers makes a new one per line scrolled. */
const MAX_DERIVED = 4;
const derivedRows = new WeakMap<SnapshotRow, Map<string, SnapshotRow>>();

function derived(row: SnapshotRow, how: string, make: () => SnapshotRow): SnapshotRow {
  const known = derivedRows.get(row) ?? new Map<string, SnapshotRow>();
  derivedRows.set(row, known);
  let made = known.get(how);
  if (made === undefined) {
    if (known.size >= MAX_DERIVED) known.clear();
    made = make();
    known.set(how, made);
  }
  return made;
}

function shifted<T>(
  byCol: ReadonlyMap<number, T> | undefined,
  by: number,
  cols: number,
): ReadonlyMap<number, T> | undefined {
  if (byCol === undefined) return undefined;
  const entries = [...byCol].map(([col, value]) => [col + by, value] as const);
  return new Map(entries.filter(([col]) => col >= 0 && col < cols));
}

function putRuler(cells: Uint32Array, col: number, codePoint: number, attrs: number): void {
  cells[col * CELL_WORDS + CELL_GRAPHEME] = codePoint;
  cells[col * CELL_WORDS + CELL_ATTRS] = attrs;
}

function blank(cells: Uint32Array, col: number): void {
  const attrs = cells[col * CELL_WORDS + CELL_ATTRS] ?? 0;
  cells[col * CELL_WORDS + CELL_GRAPHEME] = 0;
  cells[col * CELL_WORDS + CELL_ATTRS] = (attrs & ~ATTR_WIDTH_MASK) | SINGLE_WIDTH;
}

function widthAt(cells: Uint32Array, col: number): number {
  return ((cells[col * CELL_WORDS + CELL_ATTRS] ?? 0) & ATTR_WIDTH_MASK) >> ATTR_WIDTH_SHIFT;
}
