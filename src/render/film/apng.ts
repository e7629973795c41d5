/** A film as an animated PNG that repeats, in true colours: each frame is the rectangle that changed. https://www.w3.org/TR/png-3/#apng-frame-based-animation */
import { deflateSync } from 'node:zlib';
import { chunk, SIGNATURE } from '../png/image.js';
import type { FilmEncoder, FilmFrame, FilmSize } from './film.js';

const LEVEL = 6;
const COLOR_TYPE_RGB = 2;

export class ApngEncoder implements FilmEncoder {
  readonly #size: FilmSize;
  readonly #chunks: Uint8Array[] = [];
  byteLength = 0;
  #frames = 0;
  #sequence = 0;
  /** Written once its end is known. */
  #pending: { readonly frame: Pick<FilmFrame, 'area' | 'atMs'>; readonly data: Uint8Array } | undefined;

  constructor(size: FilmSize) {
    this.#size = size;
  }

  add({ pixels, area, atMs }: FilmFrame): void {
    this.#endFrame(atMs);
    const data = deflateSync(scanLines(pixels, area, this.#size.width), { level: LEVEL });
    this.#pending = { frame: { area, atMs }, data };
  }

  end(endMs: number): readonly Uint8Array[] {
    this.#endFrame(endMs);
    const { width, height } = this.#size;
    const header = words(width, height, 0, 0, 0).subarray(0, 13);
    header[8] = 8;
    header[9] = COLOR_TYPE_RGB;
    const before = [SIGNATURE, chunk('IHDR', header), chunk('acTL', words(this.#frames, 0))];
    return [...before, ...this.#chunks, chunk('IEND', new Uint8Array(0))];
  }

  #endFrame(atMs: number): void {
    if (this.#pending === undefined) return;
    const { frame, data } = this.#pending;
    const { area } = frame;
    // The delay is a fraction of 16 bits each: thousandths.
    const delayMs = Math.min(0xffff, Math.max(1, Math.round(atMs) - Math.round(frame.atMs)));
    const control = new Uint8Array(26);
    control.set(words(this.#sequence++, area.width, area.height, area.left, area.top));
    new DataView(control.buffer).setUint16(20, delayMs);
    new DataView(control.buffer).setUint16(22, 1000);
    this.#put(chunk('fcTL', control));
    if (this.#frames === 0) this.#put(chunk('IDAT', data));
    else this.#put(chunk('fdAT', Buffer.concat([words(this.#sequence++), data])));
    this.#frames++;
    this.#pending = undefined;
  }

  #put(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.byteLength += bytes.length;
  }
}

/** Filter 0 on every line. */
function scanLines(pixels: Uint32Array, area: FilmFrame['area'], width: number): Uint8Array {
  const stride = 1 + area.width * 3;
  const bytes = new Uint8Array(stride * area.height);
  for (let y = 0; y < area.height; y++) {
    let at = y * stride + 1;
    const start = (area.top + y) * width + area.left;
    for (let x = start; x < start + area.width; x++) {
      const rgb = pixels[x] as number;
      bytes[at++] = rgb >> 16;
      bytes[at++] = rgb >> 8;
      bytes[at++] = rgb;
    }
  }
  return bytes;
}

/** 32 bits each, the highest byte first. */
function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) view.setUint32(index * 4, value);
  return bytes;
}
