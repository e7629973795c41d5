/**
 * The life of one palette: rows painted with it, as finished segments that stay valid while it only grows. It ends when
 * the palette overflows or outgrows the bit depth that its segments were packed with.
 */
import type { SnapshotRow } from '../vt/snapshot.js';
import { ColorCensus } from './color-census.js';
import { Palette, type PaletteMode, type RowColors } from './palette.js';
import { type BitDepth, encodeSegment, type Segment } from './png/segment.js';
import type { RowLook, RowPainter } from './row-painter.js';

export interface FrameGeometry {
  readonly width: number;
  readonly cellHeight: number;
  readonly pad: number;
  readonly background: number;
}

/** A row as it is to be drawn. Equal rows with equal `variant` have equal pixels. */
export interface FrameRow {
  readonly row: SnapshotRow;
  readonly variant: string;
  readonly look: RowLook;
}

interface KeptSegment {
  readonly variant: string;
  readonly segment: Segment;
  readonly colors: RowColors | undefined;
}

interface PaintedRow {
  readonly row: FrameRow;
  readonly pixels: Uint8Array | Uint32Array;
  readonly colors: RowColors | undefined;
}

/** Variants of one row that are kept, newest first: the row without and with the cursor, and one to spare. */
const MAX_VARIANTS = 3;

export class Epoch {
  readonly #painter: RowPainter;
  readonly #geometry: FrameGeometry;
  readonly #palette: Palette;
  readonly #census: ColorCensus;
  readonly #depthFloor: BitDepth;
  readonly #kept = new Map<SnapshotRow, KeptSegment[]>();
  #depth: BitDepth | undefined;
  #padding: Segment | undefined;

  constructor(painter: RowPainter, geometry: FrameGeometry, mode: PaletteMode, depthFloor: BitDepth) {
    this.#painter = painter;
    this.#geometry = geometry;
    this.#palette = new Palette(mode, geometry.background);
    this.#census = new ColorCensus(geometry.background);
    this.#depthFloor = depthFloor;
  }

  get depth(): BitDepth {
    return this.#depth ?? this.#depthFloor;
  }

  get colors(): readonly number[] {
    return this.#palette.colors;
  }

  /** False where what is on screen now would fit a finer mode. */
  get finestPossible(): boolean {
    return this.#palette.mode === 'indexed-16' || this.#palette.mode === this.#census.finestMode();
  }

  /** The segments of these rows, painting those that are missing; undefined when that ends this epoch. */
  segments(rows: readonly FrameRow[]): readonly Segment[] | undefined {
    const found = rows.map((row) => this.#find(row));
    if (found.includes(undefined)) {
      this.#forgetOthers(rows);
      if (!this.#paintMissing(rows)) return undefined;
    }
    const segments = rows.map((row, y) => found[y] ?? this.#find(row)).filter((segment) => segment !== undefined);
    return this.#geometry.pad === 0 ? segments : [this.#pad(), ...segments, this.#pad()];
  }

  #find({ row, variant }: FrameRow): Segment | undefined {
    return this.#kept.get(row)?.find((kept) => kept.variant === variant)?.segment;
  }

  #forgetOthers(rows: readonly FrameRow[]): void {
    const present = new Set(rows.map(({ row }) => row));
    for (const [row, kept] of this.#kept) {
      if (present.has(row)) continue;
      for (const { colors } of kept) if (colors !== undefined) this.#census.remove(colors);
      this.#kept.delete(row);
    }
  }

  /** All rows are painted before any is encoded: only then is it known how many colours there are. */
  #paintMissing(rows: readonly FrameRow[]): boolean {
    const painted: PaintedRow[] = [];
    for (const row of rows) {
      if (this.#find(row) !== undefined || painted.some(({ row: other }) => isSame(row, other))) continue;
      painted.push(this.#paint(row));
      if (this.#palette.overflowed) return false;
    }
    const needed = Math.max(this.#depthFloor, depthFor(this.#palette)) as BitDepth;
    if (this.#depth !== undefined && needed > this.#depth) return false;
    this.#depth ??= needed;
    for (const each of painted) this.#keep(each);
    return true;
  }

  #paint(row: FrameRow): PaintedRow {
    const { width, cellHeight, pad, background } = this.#geometry;
    const pixels = this.#blank(cellHeight);
    if (this.#palette.mode === 'direct') pixels.fill(background);
    this.#painter.paint(row.row, { pixels, stride: width, origin: pad, palette: this.#palette }, row.look);
    return { row, pixels, colors: this.#palette.takeRowColors() };
  }

  #keep({ row, pixels, colors }: PaintedRow): void {
    const segment = encodeSegment(pixels, this.#geometry.width, this.#geometry.cellHeight, this.depth);
    const kept = this.#kept.get(row.row) ?? [];
    kept.unshift({ variant: row.variant, segment, colors });
    if (colors !== undefined) this.#census.add(colors);
    const dropped = kept.length > MAX_VARIANTS ? kept.pop() : undefined;
    if (dropped?.colors !== undefined) this.#census.remove(dropped.colors);
    this.#kept.set(row.row, kept);
  }

  #pad(): Segment {
    const { width, pad, background } = this.#geometry;
    if (this.#padding === undefined) {
      const pixels = this.#blank(pad);
      if (this.#palette.mode === 'direct') pixels.fill(background);
      this.#padding = encodeSegment(pixels, width, pad, this.depth);
    }
    return this.#padding;
  }

  /** Zeros: the background's index. */
  #blank(height: number): Uint8Array | Uint32Array {
    const length = this.#geometry.width * height;
    return this.#palette.mode === 'direct' ? new Uint32Array(length) : new Uint8Array(length);
  }
}

function isSame(a: FrameRow, b: FrameRow): boolean {
  return a.row === b.row && a.variant === b.variant;
}

function depthFor({ mode, colors }: Palette): BitDepth {
  if (mode === 'direct') return 24;
  if (colors.length <= 2) return 1;
  if (colors.length <= 4) return 2;
  return colors.length <= 16 ? 4 : 8;
}
