/** The sketches of one picture: each row is sketched once, however often it is shown or looked at. */
import type { SnapshotRow } from '../../vt/snapshot.js';
import type { RowColors } from './row-colors.js';
import type { RowPainter, RowSketch } from './row-painter.js';
import type { FrameRow } from './row-store.js';

export class SketchBook {
  readonly #painter: RowPainter;
  readonly #sketches = new Map<SnapshotRow, Map<string, RowSketch>>();

  constructor(painter: RowPainter) {
    this.#painter = painter;
  }

  of({ row, variant, look }: FrameRow): RowSketch {
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
