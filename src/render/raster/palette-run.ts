/**
 * The life of one palette: rows painted with it, each encoded by itself, as long as what is on screen has exactly these
 * colours. So a picture's bytes do not depend on what was drawn before it.
 */
import type { PixelBuffer } from '../png/lines.js';
import {
  type IndexSet,
  PixelPalette,
  unionSize,
  type ChosenPalette,
  isFinest,
  type Reserved,
  reservedColors,
  tooManyForFiner,
} from './palette.js';
import type { PixelArena } from './blit.js';
import { type BitDepth, encodeSegment, lineStartOf, type Segment } from '../png/segment.js';
import { RowColors } from './row-colors.js';
import type { RowPainter, RowSketch } from './row-painter.js';
import { type FinishedRow, type PictureRow, RowStore, type SketchCache } from './row-store.js';

export interface PictureGeometry {
  readonly width: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly pad: number;
}

/** A row to be painted. */
interface Plan {
  readonly sketch: RowSketch;
  readonly variant: string;
  readonly colors: RowColors;
  readonly indices: IndexSet;
}

export class PaletteRun {
  readonly depth: BitDepth;
  /** Place of the first one in a line of pixels, and the number of them. */
  readonly #lineStart: number;
  readonly #stride: number;
  readonly #painter: RowPainter;
  readonly #geometry: PictureGeometry;
  readonly #reserved: Reserved;
  readonly #kind: ChosenPalette['kind'];
  readonly #palette: PixelPalette;
  readonly #reservedIndices: IndexSet | undefined;
  readonly #store = new RowStore();
  #rows: readonly FinishedRow[] = [];
  #segments: readonly Segment[] = [];
  /** Rows that by themselves keep the picture from a finer kind of palette. */
  #tooMany: readonly RowColors[] = [];
  #padding: Segment | undefined;

  constructor(painter: RowPainter, geometry: PictureGeometry, reserved: Reserved, chosen: ChosenPalette) {
    this.#painter = painter;
    this.#geometry = geometry;
    this.#reserved = reserved;
    this.#kind = chosen.kind;
    this.#palette = new PixelPalette(chosen);
    this.#reservedIndices = this.#palette.indicesOf(plainColors(reservedColors(reserved, chosen.kind)));
    this.depth = depthOf(this.#palette);
    this.#lineStart = lineStartOf(this.depth);
    this.#stride = this.#lineStart + geometry.width;
  }

  get colors(): readonly number[] {
    return this.#palette.colors;
  }

  /**
   * The segments of these rows, painting those that are missing: the same list as the last time where all are the same.
   * Undefined when that ends this run: what is on screen has other colours, or would fit a finer kind of palette.
   * Yields where it may be interrupted; nothing else may use this run or the arena until it is done.
   */
  *segments(
    rows: readonly PictureRow[],
    sketches: SketchCache,
    arena: PixelArena,
  ): Generator<void, readonly Segment[] | undefined> {
    const plans = new Map<RowSketch, Plan>();
    const parts: (FinishedRow | Plan)[] = [];
    for (const row of rows) {
      const part = this.#store.find(row) ?? this.#plan(row, sketches, plans);
      if (part === undefined) return undefined;
      parts.push(part);
      if (!('segment' in part)) yield;
    }
    if (parts.length === this.#rows.length && parts.every((part, at) => part === this.#rows[at])) return this.#segments;
    if (!this.#isOf(parts)) return undefined;
    const finished = new Map<Plan, FinishedRow>();
    for (const plan of plans.values()) {
      finished.set(plan, this.#finish(plan, arena));
      yield;
    }
    this.#store.retain(rows);
    this.#rows = parts
      .map((part) => ('segment' in part ? part : finished.get(part)))
      .filter((row) => row !== undefined);
    const segments = this.#rows.map(({ segment }) => segment);
    this.#segments = this.#geometry.pad === 0 ? segments : [this.#pad(arena), ...segments, this.#pad(arena)];
    return this.#segments;
  }

  /** Rows that are one and the same many times over, such as blank ones, are one plan. */
  #plan(row: PictureRow, sketches: SketchCache, plans: Map<RowSketch, Plan>): Plan | undefined {
    const sketch = sketches.of(row);
    const known = plans.get(sketch);
    if (known !== undefined) return known;
    const indices = this.#palette.indicesOf(sketch.colors);
    if (indices === undefined) return undefined;
    const plan = { sketch, variant: row.variant, colors: sketch.colors, indices };
    plans.set(sketch, plan);
    return plan;
  }

  /** Whether this is the palette that would be chosen for these rows. */
  #isOf(parts: readonly (FinishedRow | Plan)[]): boolean {
    const sets = parts.map(({ indices }) => indices);
    if (this.#reservedIndices !== undefined) sets.push(this.#reservedIndices);
    if (unionSize(sets) !== this.#palette.colors.length) return false;
    // Chosen for the very rows that are painted first.
    return isFinest(this.#kind) || this.#rows.length === 0 || !this.#fitsFiner(parts);
  }

  #fitsFiner(parts: readonly (FinishedRow | Plan)[]): boolean {
    const rows = new Set(parts.map(({ colors }) => colors));
    if (this.#tooMany.length > 0 && this.#tooMany.every((row) => rows.has(row))) return false;
    // Rows that were there before come first: they are likely to stay, and the next picture is then told apart at once.
    const staying = this.#rows.map(({ colors }) => colors).filter((row) => rows.has(row));
    const tooMany = tooManyForFiner(this.#kind, this.#reserved, [...new Set([...staying, ...rows])]);
    this.#tooMany = tooMany ?? [];
    return tooMany === undefined;
  }

  #finish({ sketch, variant, colors, indices }: Plan, arena: PixelArena): FinishedRow {
    const { cellHeight, pad } = this.#geometry;
    const pixels = this.#blank(cellHeight, arena);
    const view =
      pixels instanceof Uint8Array ? new DataView(pixels.buffer, pixels.byteOffset, pixels.length) : undefined;
    const origin = this.#lineStart + pad;
    this.#painter.paint(sketch, { pixels, view, stride: this.#stride, origin, palette: this.#palette });
    const row = { variant, colors, indices, segment: this.#encoded(pixels, cellHeight) };
    this.#store.add(sketch.row, row);
    return row;
  }

  #pad(arena: PixelArena): Segment {
    const { pad } = this.#geometry;
    this.#padding ??= this.#encoded(this.#blank(pad, arena), pad);
    return this.#padding;
  }

  #encoded(pixels: PixelBuffer, height: number): Segment {
    const { width, cellWidth, pad } = this.#geometry;
    return encodeSegment(pixels, { width, height, start: pad, cellWidth }, this.depth);
  }

  /** The background's index is 0. */
  #blank(height: number, arena: PixelArena): PixelBuffer {
    const length = this.#stride * height;
    return this.#kind.mode === 'direct' ? arena.words(length, this.#reserved.background) : arena.bytes(length);
  }
}

function plainColors(colors: Iterable<number>): RowColors {
  const row = new RowColors();
  for (const rgb of colors) row.plain.add(rgb);
  return row;
}

function depthOf({ mode, colors }: PixelPalette): BitDepth {
  if (mode === 'direct') return 24;
  if (colors.length <= 2) return 1;
  if (colors.length <= 4) return 2;
  return colors.length <= 16 ? 4 : 8;
}
