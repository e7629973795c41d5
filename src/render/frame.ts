/**
 * The pictures of one terminal under one set of options. A picture is the same, pixel for pixel, whatever was painted
 * before it: the palette's mode depends on the colours on screen alone, and the bit depth shows in no pixel.
 */
import type { FrameRow } from './band-store.js';
import { Epoch, type FrameGeometry } from './epoch.js';
import { INDEXED_MODES, type PaletteMode } from './level-color.js';
import type { PixelArena } from './pixel-arena.js';
import { pngHead, pngTail } from './png/image.js';
import type { BitDepth, Segment } from './png/segment.js';
import type { RowPainter } from './row-painter.js';

export interface Picture {
  readonly format: 'png';
  /** To be sent one after another; shared between pictures, never to be written to. */
  readonly chunks: readonly Uint8Array[];
  readonly byteLength: number;
  readonly width: number;
  readonly height: number;
}

interface Head {
  readonly epoch: Epoch | undefined;
  readonly height: number;
  /** How many. */
  readonly colors: number;
  readonly bytes: Uint8Array;
}

/** Finest first: the first that the colours on screen fit into. */
const MODES: readonly PaletteMode[] = [...INDEXED_MODES, 'direct'];

export class Frame {
  readonly #painter: RowPainter;
  readonly #geometry: FrameGeometry;
  #epoch: Epoch | undefined;
  #segments: readonly Segment[] = [];
  #picture: Picture | undefined;
  /** Everything before the segments, of a size and a palette that both last. */
  #head: Head | undefined;
  #busy = false;

  constructor(painter: RowPainter, geometry: FrameGeometry) {
    this.#painter = painter;
    this.#geometry = geometry;
  }

  /** Bytes of the last picture: nearly all that a frame holds. */
  get byteLength(): number {
    return this.#picture?.byteLength ?? 0;
  }

  /** A picture is half painted: nobody else may begin one. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Forgets everything; the next picture is painted anew. */
  clear(): void {
    this.#epoch = undefined;
    this.#segments = [];
    this.#picture = undefined;
    this.#head = undefined;
  }

  /** The picture of these rows; yields where painting may be interrupted. */
  *paint(rows: readonly FrameRow[], arena: PixelArena): Generator<void, Picture> {
    this.#busy = true;
    try {
      const segments = yield* this.#finished(rows, arena);
      const last = this.#segments;
      const unchanged = segments.length === last.length && segments.every((segment, at) => segment === last[at]);
      if (this.#picture === undefined || !unchanged) this.#picture = this.#assemble(segments);
      this.#segments = segments;
      return this.#picture;
    } finally {
      this.#busy = false;
    }
  }

  *#finished(rows: readonly FrameRow[], arena: PixelArena): Generator<void, readonly Segment[]> {
    const kept = this.#epoch === undefined ? undefined : yield* this.#epoch.segments(rows, arena);
    if (kept !== undefined) return kept;
    // A palette that outgrew its depth once is likely to do so again: 8 bits end that.
    const depthFloor = this.#epoch === undefined ? 1 : 8;
    for (const mode of MODES) {
      const epoch = new Epoch(this.#painter, this.#geometry, mode, depthFloor);
      const segments = yield* epoch.segments(rows, arena);
      if (segments === undefined) continue;
      this.#epoch = epoch;
      return segments;
    }
    throw new Error('A direct palette cannot overflow.');
  }

  #assemble(segments: readonly Segment[]): Picture {
    const { width } = this.#geometry;
    const lineBytes = 1 + Math.ceil((width * this.#depth) / 8);
    let lines = 0;
    for (const { rawLength } of segments) lines += rawLength;
    const height = lines / lineBytes;
    const chunks = [this.#headOf(height), ...segments.map(({ chunk }) => chunk), pngTail(segments)];
    let byteLength = 0;
    for (const { length } of chunks) byteLength += length;
    return { format: 'png', chunks, byteLength, width, height };
  }

  /** Within an epoch a palette only grows. */
  #headOf(height: number): Uint8Array {
    const epoch = this.#epoch;
    const palette = epoch?.colors ?? [];
    const last = this.#head;
    if (last !== undefined && last.epoch === epoch && last.height === height && last.colors === palette.length) {
      return last.bytes;
    }
    const bytes = pngHead({ width: this.#geometry.width, height, depth: this.#depth, palette });
    this.#head = { epoch, height, colors: palette.length, bytes };
    return bytes;
  }

  get #depth(): BitDepth {
    return this.#epoch?.depth ?? 8;
  }
}
