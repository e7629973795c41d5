/**
 * The life of one palette: rows painted with it, as finished bands that stay valid while it only grows. It ends when the
 * palette overflows or outgrows the bit depth that its bands were packed with.
 */
import { agrees, type Band, BandStore, type FrameRow } from './band-store.js';
import type { PaletteMode } from './level-color.js';
import { Palette, type PixelBuffer, type RowColors, tooManyForFiner } from './palette.js';
import { PixelArena } from './pixel-arena.js';
import { type BitDepth, encodeSegment, type Segment } from './png/segment.js';
import type { RowPainter } from './row-painter.js';

export interface FrameGeometry {
  readonly width: number;
  readonly cellHeight: number;
  readonly pad: number;
  readonly background: number;
}

interface PaintedBand {
  readonly rows: readonly FrameRow[];
  readonly colors: Band['colors'];
  readonly pixels: PixelBuffer;
}

/** What is encoded without a pause: some 2 ms of deflate. */
const MAX_BAND_PIXELS = 1 << 20;

export class Epoch {
  readonly #painter: RowPainter;
  readonly #geometry: FrameGeometry;
  readonly #palette: Palette;
  readonly #depthFloor: BitDepth;
  readonly #store = new BandStore();
  #bands: readonly Band[] = [];
  #depth: BitDepth | undefined;
  /** Rows that by themselves keep the picture from a finer mode. */
  #tooMany: readonly RowColors[] = [];
  #padding: Segment | undefined;

  constructor(painter: RowPainter, geometry: FrameGeometry, mode: PaletteMode, depthFloor: BitDepth) {
    this.#painter = painter;
    this.#geometry = geometry;
    this.#palette = new Palette(mode, geometry.background);
    this.#depthFloor = depthFloor;
    this.#depth = mode === 'direct' ? 24 : undefined;
  }

  get depth(): BitDepth {
    return this.#depth ?? this.#depthFloor;
  }

  get colors(): readonly number[] {
    return this.#palette.colors;
  }

  /**
   * The segments of these rows, painting those that are missing. Undefined when that ends this epoch: the palette
   * overflowed, the depth is outgrown, or what is on screen now would fit a finer mode.
   * Yields where it may be interrupted; nothing else may use this epoch or the arena until it is done.
   */
  *segments(rows: readonly FrameRow[], arena: PixelArena): Generator<void, readonly Segment[] | undefined> {
    const bands = this.#matched(rows) ?? (yield* this.#painted(rows, arena));
    if (bands === undefined) return undefined;
    const changed = bands.length !== this.#bands.length || bands.some((band, at) => band !== this.#bands[at]);
    if (changed && this.#fitsFiner(bands)) return undefined;
    if (changed) this.#store.retain(rows, new Set(bands));
    this.#bands = bands;
    const segments = bands.map(({ segment }) => segment);
    return this.#geometry.pad === 0 ? segments : [this.#pad(), ...segments, this.#pad()];
  }

  #matched(rows: readonly FrameRow[]): readonly Band[] | undefined {
    const bands: Band[] = [];
    for (let y = 0; y < rows.length;) {
      const band = this.#store.find(rows, y);
      if (band === undefined) return undefined;
      bands.push(band);
      y += band.rows.length;
    }
    return bands;
  }

  /** All rows are painted before any is encoded: only then is it known how many colours there are, and how many bits. */
  *#painted(rows: readonly FrameRow[], arena: PixelArena): Generator<void, readonly Band[] | undefined> {
    const pieces: (Band | PaintedBand)[] = [];
    const fresh: (Band | PaintedBand)[] = [];
    arena.reset();
    for (let y = 0; y < rows.length;) {
      // Blank rows may be one object many times over.
      let piece: Band | PaintedBand | undefined =
        this.#store.find(rows, y) ?? fresh.find((painted) => agrees(painted.rows, rows, y));
      if (piece === undefined) {
        const painted = yield* this.#paint(rows.slice(y, y + this.#newBandLength(rows, y)), arena);
        if (this.#palette.overflowed) return undefined;
        piece = this.#palette.mode === 'direct' ? this.#finish(painted, false) : painted;
        // Truecolour takes four bytes a pixel, and its depth is known: no more than one band is held.
        if (this.#palette.mode === 'direct') arena.reset();
        fresh.push(piece);
      }
      pieces.push(piece);
      y += piece.rows.length;
    }
    const needed = Math.max(this.#depthFloor, depthFor(this.#palette)) as BitDepth;
    if (this.#depth !== undefined && needed > this.#depth) return undefined;
    this.#depth ??= needed;
    const finished = new Map<Band | PaintedBand, Band>();
    const haste = fresh.length === 1 && fresh[0]?.rows.length === 1;
    for (const piece of fresh) {
      if ('segment' in piece) continue;
      finished.set(piece, this.#finish(piece, haste));
      yield;
    }
    return pieces
      .map((piece) => ('segment' in piece ? piece : finished.get(piece)))
      .filter((band) => band !== undefined);
  }

  /** New rows in a row are one band. A row that was painted before, or has a cursor, is likely to change alone. */
  #newBandLength(rows: readonly FrameRow[], y: number): number {
    const joins = (at: number): boolean => {
      const row = rows[at];
      return row !== undefined && row.variant === '' && !this.#store.hasSeen(row.row);
    };
    let end = y + 1;
    const { width, cellHeight } = this.#geometry;
    const most = y + Math.max(1, Math.floor(MAX_BAND_PIXELS / (width * cellHeight)));
    if (joins(y)) while (end < most && joins(end)) end++;
    return end - y;
  }

  *#paint(rows: readonly FrameRow[], arena: PixelArena): Generator<void, PaintedBand> {
    const { width, cellHeight, pad } = this.#geometry;
    const pixels = this.#blank(cellHeight * rows.length, arena);
    const colors: (RowColors | undefined)[] = [];
    for (const { row, look } of rows) {
      if (this.#palette.overflowed) break;
      const origin = colors.length * width * cellHeight + pad;
      this.#painter.paint(row, { pixels, stride: width, origin, palette: this.#palette }, look);
      colors.push(this.#palette.takeRowColors());
      yield;
    }
    return { rows, colors, pixels };
  }

  #finish({ rows, colors, pixels }: PaintedBand, haste: boolean): Band {
    const { width, cellHeight } = this.#geometry;
    const segment = encodeSegment(pixels, width, cellHeight * rows.length, this.depth, haste);
    const band = { rows, colors, segment };
    this.#store.add(band);
    return band;
  }

  #fitsFiner(bands: readonly Band[]): boolean {
    const { mode } = this.#palette;
    if (mode === 'indexed-16') return false;
    const rows = colorsOf(bands);
    if (this.#tooMany.length > 0 && this.#tooMany.every((row) => rows.has(row))) return false;
    // Rows that were there before come first: they are likely to stay, and the next picture is then told apart at once.
    const staying = [...colorsOf(this.#bands)].filter((row) => rows.has(row));
    const tooMany = tooManyForFiner(mode, this.#geometry.background, [...new Set([...staying, ...rows])]);
    this.#tooMany = tooMany ?? [];
    return tooMany === undefined;
  }

  #pad(): Segment {
    const { width, pad } = this.#geometry;
    this.#padding ??= encodeSegment(this.#blank(pad, new PixelArena()), width, pad, this.depth);
    return this.#padding;
  }

  /** The background's index is 0. */
  #blank(height: number, arena: PixelArena): PixelBuffer {
    const length = this.#geometry.width * height;
    return this.#palette.mode === 'direct' ? arena.words(length, this.#geometry.background) : arena.bytes(length, 0);
  }
}

function colorsOf(bands: readonly Band[]): Set<RowColors> {
  const rows = new Set<RowColors>();
  for (const { colors } of bands) for (const row of colors) if (row !== undefined) rows.add(row);
  return rows;
}

function depthFor({ mode, colors }: Palette): BitDepth {
  if (mode === 'direct') return 24;
  if (colors.length <= 2) return 1;
  if (colors.length <= 4) return 2;
  return colors.length <= 16 ? 4 : 8;
}
