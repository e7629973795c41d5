/**
 * Finished bands: one or more rows of cells encoded as one segment. A screen painted at once is one band, because
 * deflate sees repetitions between its rows then; rows that change one by one become bands of their own.
 */
import type { SnapshotRow } from '../vt/snapshot.js';
import type { RowColors } from './palette.js';
import type { Segment } from './png/segment.js';
import type { RowLook } from './row-painter.js';

/** A row as it is to be drawn. Equal rows with equal `variant` have equal pixels; '' is the row as it is. */
export interface FrameRow {
  readonly row: SnapshotRow;
  readonly variant: string;
  readonly look: RowLook;
}

export interface Band {
  readonly rows: readonly FrameRow[];
  /** By row; undefined in the finest mode. */
  readonly colors: readonly (RowColors | undefined)[];
  readonly segment: Segment;
}

/** Bands that start with one row: without and with the cursor, and two to spare. */
const MAX_BANDS_PER_ROW = 4;

export class BandStore {
  /** By their first row. */
  readonly #bands = new Map<SnapshotRow, Band[]>();
  readonly #seen = new WeakSet<SnapshotRow>();

  /** The band that starts at `rows[y]` and agrees with the rows after it. */
  find(rows: readonly FrameRow[], y: number): Band | undefined {
    const first = rows[y];
    if (first === undefined) return undefined;
    return this.#bands.get(first.row)?.find((band) => agrees(band.rows, rows, y));
  }

  /** A row that was painted before, and is again: it lives longer than its neighbours. */
  hasSeen(row: SnapshotRow): boolean {
    return this.#seen.has(row);
  }

  add(band: Band): void {
    for (const { row } of band.rows) this.#seen.add(row);
    const first = band.rows[0];
    if (first === undefined) return;
    const bands = this.#bands.get(first.row) ?? [];
    this.#bands.set(first.row, [band, ...bands].slice(0, MAX_BANDS_PER_ROW));
  }

  /** Forgets bands of rows that are gone, and longer bands that have come apart. */
  retain(rows: readonly FrameRow[], used: ReadonlySet<Band>): void {
    const present = new Set(rows.map(({ row }) => row));
    for (const [row, bands] of this.#bands) {
      const kept = present.has(row) ? bands.filter((band) => band.rows.length === 1 || used.has(band)) : [];
      if (kept.length === 0) this.#bands.delete(row);
      else this.#bands.set(row, kept);
    }
  }
}

/** Whether the rows of a band are those from `rows[y]` on. */
export function agrees(band: readonly FrameRow[], rows: readonly FrameRow[], y: number): boolean {
  return band.every((row, index) => isSame(row, rows[y + index]));
}

function isSame(a: FrameRow, b: FrameRow | undefined): boolean {
  return a.row === b?.row && a.variant === b.variant;
}
