/** Rows that are painted and encoded, as long as they are on screen: with the cursor, without it, standing back. */
import type { SnapshotRow } from '../../vt/snapshot.js';
import type { IndexSet } from './palette.js';
import type { Segment } from '../png/segment.js';
import type { RowColors } from './row-colors.js';
import type { RowLook, RowPainter, RowSketch } from './row-painter.js';

/** A row as it is to be drawn. Equal rows with equal `variant` have equal pixels; '' is the row as it is. */
export interface PictureRow {
  readonly row: SnapshotRow;
  readonly variant: string;
  readonly look: RowLook;
}

export interface FinishedRow {
  readonly variant: string;
  readonly colors: RowColors;
  /** Indices of the palette that the row uses. */
  readonly indices: IndexSet;
  readonly segment: Segment;
}

/** Most variants: with and without the cursor, and two to spare. */
const MAX_VARIANTS = 4;

export class RowStore {
  readonly #rows = new Map<SnapshotRow, FinishedRow[]>();

  find({ row, variant }: PictureRow): FinishedRow | undefined {
    return this.#rows.get(row)?.find((finished) => finished.variant === variant);
  }

  add(row: SnapshotRow, finished: FinishedRow): void {
    const known = this.#rows.get(row) ?? [];
    this.#rows.set(row, [finished, ...known].slice(0, MAX_VARIANTS));
  }

  /** Forgets rows that are gone. */
  retain(rows: readonly PictureRow[]): void {
    const present = new Set(rows.map(({ row }) => row));
    for (const row of this.#rows.keys()) if (!present.has(row)) this.#rows.delete(row);
  }
}

export class SketchCache {
  readonly #painter: RowPainter;
  readonly #sketches = new Map<SnapshotRow, Map<string, RowSketch>>();

  constructor(painter: RowPainter) {
    this.#painter = painter;
  }

  of({ row, variant, look }: PictureRow): RowSketch {
    const variants = this.#sketches.get(row) ?? new Map<string, RowSketch>();
    this.#sketches.set(row, variants);
    const sketch = variants.get(variant) ?? this.#painter.sketch(row, look);
    variants.set(variant, sketch);
    return sketch;
  }

  *colors(): Generator<RowColors, void> {
    for (const variants of this.#sketches.values()) for (const { colors } of variants.values()) yield colors;
  }
}
