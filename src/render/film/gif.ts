/** A film as an animated GIF that repeats: each frame is the rectangle that changed. https://www.w3.org/Graphics/GIF/spec-gif89a.txt */
import { indexedFrame, KEPT } from './color-table.js';
import type { Area, FilmEncoder, PaintedFrame, FilmSize } from './film.js';
import { lzwBlocks } from './lzw.js';

/** Times are hundredths of a second; of less than two, browsers make ten. */
const UNIT_MS = 10;
const MIN_DELAY = 2;
const MAX_DELAY = 0xffff;

const NO_COLOR = -2;

/** Most pixels of a side. */
export const MAX_GIF_SIDE = 0xffff;

export class GifEncoder implements FilmEncoder {
  readonly #size: FilmSize;
  readonly #chunks: Uint8Array[] = [];
  byteLength = 0;
  /** Written once its end is known. */
  #pending: EncodedImage | undefined;
  /** Written times, in their unit: what one delay is too long or too short, the next makes up for. */
  #writtenUnits = 0;

  constructor(size: FilmSize) {
    this.#size = size;
    this.#put(header(size));
  }

  add(frame: PaintedFrame): void {
    this.#endFrame(frame.atMs);
    this.#pending = encodeFrame(frame, this.#size.width);
  }

  end(endMs: number): readonly Uint8Array[] {
    this.#endFrame(endMs);
    this.#put(Uint8Array.of(0x3b));
    return this.#chunks;
  }

  #endFrame(atMs: number): void {
    if (this.#pending === undefined) return;
    const { image, transparent } = this.#pending;
    const wanted = Math.round(atMs / UNIT_MS) - this.#writtenUnits;
    const delay = Math.min(MAX_DELAY, Math.max(MIN_DELAY, wanted));
    this.#writtenUnits += delay;
    // Keep what is there; the flag of transparency.
    const flags = 0x04 | (transparent === undefined ? 0 : 1);
    this.#put(Uint8Array.of(0x21, 0xf9, 4, flags, delay & 0xff, delay >> 8, transparent ?? 0, 0));
    this.#put(image);
    this.#pending = undefined;
  }

  #put(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.byteLength += chunk.length;
  }
}

function header({ width, height }: FilmSize): Uint8Array {
  const screen = [width & 0xff, width >> 8, height & 0xff, height >> 8, 0, 0, 0];
  // Netscape's extension: repeat for ever.
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    Uint8Array.from(screen),
    Uint8Array.of(0x21, 0xff, 11),
    Buffer.from('NETSCAPE2.0', 'latin1'),
    Uint8Array.of(3, 1, 0, 0, 0),
  ]);
}

interface EncodedImage {
  readonly image: Uint8Array;
  readonly transparent: number | undefined;
}

function encodeFrame({ pixels, previous, area }: PaintedFrame, width: number): EncodedImage {
  const isSparse = previous !== undefined && isShorterSparse(pixels, previous, area, width);
  const { indices, colors } = indexedFrame(pixels, area, { width, previous: isSparse ? previous : undefined });
  return { image: imageOf(area, colors, indices), transparent: isSparse ? KEPT : undefined };
}

/** Pixels that stay are often, but not always, shorter as one index: fewer runs are fewer codes. Their colours need no room in the table. */
function isShorterSparse(pixels: Uint32Array, previous: Uint32Array, area: Area, width: number): boolean {
  let runs = 0;
  let sparseRuns = 0;
  let last = -1;
  let lastSparse = -1;
  for (let y = area.top; y < area.top + area.height; y++) {
    const start = y * width + area.left;
    for (let x = start; x < start + area.width; x++) {
      const rgb = pixels[x] as number;
      const sparse = rgb === previous[x] ? NO_COLOR : rgb;
      if (rgb !== last) runs++;
      if (sparse !== lastSparse) sparseRuns++;
      last = rgb;
      lastSparse = sparse;
    }
  }
  return sparseRuns <= runs;
}

function imageOf(area: Area, colors: Uint32Array, indices: Uint8Array): Uint8Array {
  const bits = Math.max(2, Math.ceil(Math.log2(colors.length)));
  const table = new Uint8Array(3 << bits);
  for (const [index, rgb] of colors.entries()) table.set([rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff], index * 3);
  const place = [area.left, area.top, area.width, area.height].flatMap((value) => [value & 0xff, value >> 8]);
  return Buffer.concat([Uint8Array.of(0x2c, ...place, 0x80 | (bits - 1)), table, lzwBlocks(indices, bits)]);
}
