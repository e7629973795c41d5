/** A screen of rows that a test places freely, for tests of code that reads lines. */
import type { ScannedScreen } from '../../src/search/line-scan.js';
import { rowText, type RowTextOptions } from '../../src/vt/rows/row-text.js';
import type { SnapshotRow } from '../../src/vt/snapshot.js';
import { FakeScreen, row } from '../events/screens.js';

export const COLS = 10;
const ROWS = 4;

export const lines = (...texts: string[]): SnapshotRow[] => texts.map((text) => row(text, COLS));
export const wrapped = (text: string): SnapshotRow => row(text, COLS, true);

/** The last ones are the viewport. */
export class ScannedRows implements ScannedScreen {
  rev = 0;
  looks = 0;
  altScreen = false;
  cursor = { row: 0, col: 0 };
  firstLineNumber: number;
  #rows: readonly SnapshotRow[] = [];

  constructor(rows: readonly SnapshotRow[], firstLineNumber = 0) {
    this.firstLineNumber = firstLineNumber;
    this.show(rows);
  }

  /** Fewer than a viewport's are followed by blank ones. */
  show(rows: readonly SnapshotRow[]): void {
    const missing = Math.max(0, ROWS - rows.length);
    this.#rows = [...rows, ...Array.from({ length: missing }, () => row('', COLS))];
    this.rev++;
  }

  get scrollbackLines(): number {
    return this.#rows.length - ROWS;
  }

  row(index: number): SnapshotRow | undefined {
    this.looks++;
    return this.#rows[index];
  }

  continuesLine(index: number): boolean {
    return this.row(index)?.wrapped === true;
  }

  /** Never: rows of the tests hold any text. */
  writeLineLatin1(): number {
    return -1;
  }

  lineText(index: number, options: RowTextOptions): string | undefined {
    const found = this.row(index);
    return found === undefined ? undefined : rowText(found, options);
  }

  snapshot() {
    const { altScreen, cursor, rev } = this;
    const shown = { ...new FakeScreen(COLS, ROWS).snapshot(), altScreen, rev };
    return { ...shown, lines: this.#rows.slice(-ROWS), cursor: { ...shown.cursor, ...cursor } };
  }
}
