/**
 * The pictures of one terminal under one set of options. A picture is the same, pixel for pixel, whatever was painted
 * before it: the palette's mode depends on the colours on screen alone, and the bit depth shows in no pixel.
 */
import type { FrameRow } from './band-store.js';
import { Epoch, type FrameGeometry } from './epoch.js';
import { INDEXED_MODES, type PaletteMode } from './level-color.js';
import { pngHead, pngTail } from './png/image.js';
import type { BitDepth, Segment } from './png/segment.js';
import type { PixelArena } from './pixel-arena.js';
import type { RowPainter } from './row-painter.js';

export interface Picture {
  readonly format: 'png';
  /** To be sent one after another; shared between pictures, never to be written to. */
  readonly chunks: readonly Uint8Array[];
  readonly byteLength: number;
  readonly width: number;
  readonly height: number;
}

/** Finest first: the first that the colours on screen fit into. */
const MODES: readonly PaletteMode[] = [...INDEXED_MODES, 'direct'];

export class Frame {
  readonly #painter: RowPainter;
  readonly #arena: PixelArena;
  readonly #geometry: FrameGeometry;
  #epoch: Epoch | undefined;
  #segments: readonly Segment[] = [];
  #picture: Picture | undefined;

  constructor(painter: RowPainter, arena: PixelArena, geometry: FrameGeometry) {
    this.#painter = painter;
    this.#arena = arena;
    this.#geometry = geometry;
  }

  /** Bytes of the last picture: nearly all that a frame holds. */
  get byteLength(): number {
    return this.#picture?.byteLength ?? 0;
  }

  /** Forgets everything; the next picture is painted anew. */
  clear(): void {
    this.#epoch = undefined;
    this.#segments = [];
    this.#picture = undefined;
  }

  render(rows: readonly FrameRow[]): Picture {
    const segments = this.#finished(rows);
    const last = this.#segments;
    if (this.#picture !== undefined && segments.length === last.length && segments.every((one, y) => one === last[y])) {
      return this.#picture;
    }
    this.#segments = segments;
    this.#picture = this.#assemble(segments);
    return this.#picture;
  }

  #finished(rows: readonly FrameRow[]): readonly Segment[] {
    const segments = this.#epoch?.segments(rows);
    if (segments !== undefined) return segments;
    // A palette that outgrew its depth once is likely to do so again: 8 bits end that.
    const depthFloor = this.#epoch === undefined ? 1 : 8;
    for (const mode of MODES) {
      const epoch = new Epoch(this.#painter, this.#arena, this.#geometry, mode, depthFloor);
      const fresh = epoch.segments(rows);
      if (fresh === undefined) continue;
      this.#epoch = epoch;
      return fresh;
    }
    throw new Error('A direct palette cannot overflow.');
  }

  #assemble(segments: readonly Segment[]): Picture {
    const { width } = this.#geometry;
    const depth: BitDepth = this.#epoch?.depth ?? 8;
    const lineBytes = 1 + Math.ceil((width * depth) / 8);
    const height = segments.reduce((lines, { rawLength }) => lines + rawLength / lineBytes, 0);
    const head = pngHead({ width, height, depth, palette: this.#epoch?.colors ?? [] });
    const chunks = [head, ...segments.map(({ chunk }) => chunk), pngTail(segments)];
    const byteLength = chunks.reduce((bytes, { length }) => bytes + length, 0);
    return { format: 'png', chunks, byteLength, width, height };
  }
}
