/**
 * A film as an animated PNG that repeats: each frame is the rectangle that changed. Pixels are indices as long as all
 * frames together have at most 256 colours, which most terminals do, and is half as long; else they are true colours.
 * https://www.w3.org/TR/png-3/#apng-frame-based-animation
 */
import { deflateSync, inflateSync } from 'node:zlib';
import { chunk, SIGNATURE } from '../png/image.js';
import type { Area, FilmEncoder, PaintedFrame, FilmSize } from './film.js';

const LEVEL = 6;
const COLOR_TYPE_RGB = 2;
const COLOR_TYPE_INDEXED = 3;
const MAX_COLORS = 256;

interface EncodedFrame {
  readonly area: Area;
  readonly atMs: number;
  readonly data: Uint8Array;
}

export class ApngEncoder implements FilmEncoder {
  readonly #size: FilmSize;
  #frames: EncodedFrame[] = [];
  byteLength = 0;
  /** Undefined once there are too many colours. */
  #indexOf: Map<number, number> | undefined = new Map();

  constructor(size: FilmSize) {
    this.#size = size;
  }

  add({ pixels, area, atMs }: PaintedFrame): void {
    const data = compressed(this.#scanLines(pixels, area));
    this.#frames.push({ area, atMs, data });
    this.byteLength += data.length;
  }

  end(endMs: number): readonly Uint8Array[] {
    const { width, height } = this.#size;
    const header = words(width, height, 0, 0).subarray(0, 13);
    header[8] = 8;
    header[9] = this.#indexOf === undefined ? COLOR_TYPE_RGB : COLOR_TYPE_INDEXED;
    const palette = this.#indexOf === undefined ? [] : [chunk('PLTE', colorBytes(this.#indexOf.keys()))];
    const before = [SIGNATURE, chunk('IHDR', header), ...palette, chunk('acTL', words(this.#frames.length, 0))];
    return [...before, ...this.#frameChunks(endMs), chunk('IEND', new Uint8Array(0))];
  }

  #frameChunks(endMs: number): Uint8Array[] {
    let sequence = 0;
    return this.#frames.flatMap(({ area, atMs, data }, index) => {
      // The delay is a fraction of 16 bits each: thousandths.
      const wanted = Math.round(this.#frames[index + 1]?.atMs ?? endMs) - Math.round(atMs);
      const control = new Uint8Array(26);
      control.set(words(sequence++, area.width, area.height, area.left, area.top));
      new DataView(control.buffer).setUint16(20, Math.min(0xffff, Math.max(1, wanted)));
      new DataView(control.buffer).setUint16(22, 1000);
      // The first is what programs show that know no animations.
      const pixels = index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([words(sequence++), data]));
      return [chunk('fcTL', control), pixels];
    });
  }

  /** Filter 0 on every line. */
  #scanLines(pixels: Uint32Array, area: Area): Uint8Array {
    if (this.#indexOf !== undefined) {
      const indices = indexLines(pixels, area, { width: this.#size.width, indexOf: this.#indexOf });
      if (indices !== undefined) return indices;
      this.#toTrueColors([...this.#indexOf.keys()]);
    }
    return colorLines(area, (x, y) => pixels[(area.top + y) * this.#size.width + area.left + x] as number);
  }

  /** The frames so far, again. */
  #toTrueColors(colors: readonly number[]): void {
    this.#indexOf = undefined;
    this.byteLength = 0;
    this.#frames = this.#frames.map((frame) => {
      const lines = inflateSync(frame.data);
      const stride = 1 + frame.area.width;
      const colorAt = (x: number, y: number): number => colors[lines[y * stride + 1 + x] as number] as number;
      const data = compressed(colorLines(frame.area, colorAt));
      this.byteLength += data.length;
      return { ...frame, data };
    });
  }
}

interface Indexing {
  /** Width of the whole picture. */
  readonly width: number;
  /** Grows by the colours of the area. */
  readonly indexOf: Map<number, number>;
}

/** Undefined if there are too many colours; the index has some of them then. */
function indexLines(pixels: Uint32Array, area: Area, { width, indexOf }: Indexing): Uint8Array | undefined {
  const stride = 1 + area.width;
  const bytes = new Uint8Array(stride * area.height);
  let last = -1;
  let lastIndex = 0;
  for (let y = 0; y < area.height; y++) {
    const start = (area.top + y) * width + area.left;
    for (let x = 0; x < area.width; x++) {
      const rgb = pixels[start + x] as number;
      if (rgb !== last) {
        last = rgb;
        lastIndex = indexOf.get(rgb) ?? indexOf.size;
        if (lastIndex === MAX_COLORS) return undefined;
        indexOf.set(rgb, lastIndex);
      }
      bytes[y * stride + 1 + x] = lastIndex;
    }
  }
  return bytes;
}

function colorLines({ width, height }: Area, colorAt: (x: number, y: number) => number): Uint8Array {
  const bytes = new Uint8Array((1 + width * 3) * height);
  let at = 0;
  for (let y = 0; y < height; y++) {
    at++;
    for (let x = 0; x < width; x++) {
      const rgb = colorAt(x, y);
      bytes[at++] = rgb >> 16;
      bytes[at++] = rgb >> 8;
      bytes[at++] = rgb;
    }
  }
  return bytes;
}

function compressed(lines: Uint8Array): Uint8Array {
  return deflateSync(lines, { level: LEVEL });
}

function colorBytes(colors: Iterable<number>): Uint8Array {
  return Uint8Array.from(Array.from(colors, (rgb) => [rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff]).flat());
}

/** 32 bits each, the highest byte first. */
function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) view.setUint32(index * 4, value);
  return bytes;
}
