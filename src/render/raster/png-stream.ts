/**
 * The pictures of one terminal under one set of options. A picture is the same, byte for byte, whatever was painted
 * before it: palette and bit depth depend on the colours on screen alone, and every row is encoded by itself.
 */
import { PaletteRun, type PictureGeometry } from './palette-run.js';
import { choosePalette, type Reserved } from './palette.js';
import type { PixelArena } from './blit.js';
import { pngData, pngHead } from '../png/image.js';
import type { Segment } from '../png/segment.js';
import type { RowPainter } from './row-painter.js';
import { type PictureRow, SketchCache } from './row-store.js';

export interface EncodedPng {
  readonly format: 'png';
  /** The picture's bytes in order. Pictures share chunks: read only. */
  readonly chunks: readonly Uint8Array[];
  readonly byteLength: number;
  readonly width: number;
  readonly height: number;
}

interface Head {
  readonly run: PaletteRun;
  readonly height: number;
  readonly bytes: Uint8Array;
}

export class PngStream {
  readonly #painter: RowPainter;
  readonly #geometry: PictureGeometry;
  readonly #reserved: Reserved;
  #run: PaletteRun | undefined;
  #segments: readonly Segment[] = [];
  #picture: EncodedPng | undefined;
  /** Everything before the data, of a size and a palette that both last. */
  #head: Head | undefined;
  #busy = false;

  constructor(painter: RowPainter, geometry: PictureGeometry, reserved: Reserved) {
    this.#painter = painter;
    this.#geometry = geometry;
    this.#reserved = reserved;
  }

  /** Bytes of the last picture: nearly all that a stream holds. */
  get byteLength(): number {
    return this.#picture?.byteLength ?? 0;
  }

  /** A picture is half painted: no other may begin. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Forgets everything; the next picture is painted anew. */
  clear(): void {
    this.#run = undefined;
    this.#segments = [];
    this.#picture = undefined;
    this.#head = undefined;
  }

  /** The picture of these rows; yields where painting may be interrupted. */
  *paint(rows: readonly PictureRow[], arena: PixelArena): Generator<void, EncodedPng> {
    this.#busy = true;
    try {
      const { run, segments } = yield* this.#finished(rows, arena);
      if (this.#picture === undefined || segments !== this.#segments) this.#picture = this.#assemble(run, segments);
      this.#run = run;
      this.#segments = segments;
      return this.#picture;
    } finally {
      this.#busy = false;
    }
  }

  *#finished(
    rows: readonly PictureRow[],
    arena: PixelArena,
  ): Generator<void, { run: PaletteRun; segments: readonly Segment[] }> {
    const sketches = new SketchCache(this.#painter);
    if (this.#run !== undefined) {
      const segments = yield* this.#run.segments(rows, sketches, arena);
      if (segments !== undefined) return { run: this.#run, segments };
    }
    for (const row of rows) {
      sketches.of(row);
      yield;
    }
    const chosen = choosePalette(sketches.colors(), this.#reserved);
    const run = new PaletteRun(this.#painter, this.#geometry, this.#reserved, chosen);
    const segments = yield* run.segments(rows, sketches, arena);
    if (segments === undefined) throw new Error('A palette lacks a colour of the rows that it was chosen for.');
    return { run, segments };
  }

  #assemble(run: PaletteRun, segments: readonly Segment[]): EncodedPng {
    const { width } = this.#geometry;
    const lineBytes = 1 + Math.ceil((width * run.depth) / 8);
    let lines = 0;
    for (const { rawLength } of segments) lines += rawLength;
    const height = lines / lineBytes;
    const { before, after } = pngData(segments);
    const chunks = [this.#headOf(run, height), before, ...segments.map(({ data }) => data), after];
    let byteLength = 0;
    for (const { length } of chunks) byteLength += length;
    return { format: 'png', chunks, byteLength, width, height };
  }

  #headOf(run: PaletteRun, height: number): Uint8Array {
    if (this.#head?.run === run && this.#head.height === height) return this.#head.bytes;
    const { width } = this.#geometry;
    const bytes = pngHead({ width, height, depth: run.depth, palette: run.colors });
    this.#head = { run, height, bytes };
    return bytes;
  }
}
