/** The rows of a drawn screen and those above it, searched once after each change, and before what they hold is gone. */
import {
  blankRow,
  type DrawnCell,
  type DrawnRow,
  fitDrawnRow,
  forgetOlder,
  partsOfLine,
  rowsOfLine,
} from './drawn-row.js';

/** Bound of a line that goes on over rows. */
const MAX_LINE_LENGTH = 8 * 1024;

type Search = (cells: readonly DrawnCell[]) => void;

export class SearchedRows {
  readonly #search: Search;
  #cols: number;
  #above: DrawnRow[] = [];
  #shown: DrawnRow[];
  /** While the alternate screen is shown. */
  #main: DrawnRow[] | undefined;
  readonly #dirty = new Set<DrawnRow>();

  constructor(cols: number, rows: number, search: Search) {
    this.#cols = cols;
    this.#shown = blankRows(cols, rows);
    this.#search = search;
  }

  get shown(): readonly DrawnRow[] {
    return this.#shown;
  }

  get isSearched(): boolean {
    return this.#dirty.size === 0;
  }

  get isAlternate(): boolean {
    return this.#main !== undefined;
  }

  change(row: DrawnRow): void {
    this.#dirty.add(row);
  }

  /** All rows of the line that goes over the shown row `y`. */
  lineAt(y: number): readonly DrawnRow[] {
    return this.#lineOf(this.#above.length + y);
  }

  /** Searches these rows, and not again before they change. @param search default: that of all */
  searchLine(rows: readonly DrawnRow[], search = this.#search): void {
    for (const each of rows) this.#dirty.delete(each);
    search(rows.flatMap(({ cells }) => cells));
    for (const { start, end } of partsOfLine(rows)) this.#search(rows.slice(start, end).flatMap(({ cells }) => cells));
  }

  /** Searches the line of a row, if that has changed. */
  searchRow(row: DrawnRow): void {
    if (this.#dirty.size === 0) return;
    const shown = this.#shown.indexOf(row);
    const rows = this.#lineOf(shown === -1 ? this.#above.lastIndexOf(row) : shown + this.#above.length);
    if (rows.some((each) => this.#dirty.has(each))) this.searchLine(rows);
    this.#dirty.delete(row);
  }

  /** Lines that have changed since they were searched. */
  searchChanged(): void {
    for (const row of this.#dirty) this.searchRow(row);
  }

  /** @param count rows that come in below; negative: above */
  scroll(top: number, bottom: number, count: number): void {
    for (let i = Math.min(Math.abs(count), bottom - top + 1); i > 0; i--) {
      const gone = this.#shown[count > 0 ? top : bottom] as DrawnRow;
      const isKept = count > 0 && top === 0;
      if (!isKept) this.searchRow(gone);
      this.#shown.splice(count > 0 ? top : bottom, 1);
      this.#shown.splice(count > 0 ? bottom : top, 0, blankRow(this.#cols));
      if (isKept) this.#above.push(gone);
    }
  }

  showAlternate(isAlternate: boolean): void {
    this.searchChanged();
    this.#above = [];
    const main = this.#main ?? this.#shown;
    this.#shown = isAlternate ? blankRows(this.#cols, main.length) : main;
    this.#main = isAlternate ? main : undefined;
  }

  reset(): void {
    this.searchChanged();
    this.#main = undefined;
    this.#above = [];
    this.#shown = blankRows(this.#cols, this.#shown.length);
  }

  /** @param first the uppermost row that stays */
  resize(cols: number, rows: number, first: number): void {
    this.searchChanged();
    const resized = (all: readonly DrawnRow[]): DrawnRow[] => {
      const kept = all.slice(first, first + rows);
      for (const row of kept) fitDrawnRow(row, cols);
      return [...kept, ...blankRows(cols, rows - kept.length)];
    };
    this.#shown = resized(this.#shown);
    this.#main = this.#main && resized(this.#main);
    this.#above = [];
    this.#cols = cols;
  }

  /** Forgets what stands before a place in the output: nothing of it can be changed any more. */
  forget(end: number): void {
    for (const row of [...this.#above, ...this.#shown, ...(this.#main ?? [])]) forgetOlder(row, end);
    this.#above = this.#above.slice(-Math.ceil(MAX_LINE_LENGTH / this.#cols));
  }

  /** Counted from the first row above. */
  #lineOf(index: number): DrawnRow[] {
    const above = this.#above.length;
    const rowAt = (i: number): DrawnRow | undefined => (i < above ? this.#above[i] : this.#shown[i - above]);
    return rowsOfLine(rowAt, index, Math.ceil(MAX_LINE_LENGTH / this.#cols));
  }
}

function blankRows(cols: number, rows: number): DrawnRow[] {
  return Array.from({ length: rows }, () => blankRow(cols));
}
