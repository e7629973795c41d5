/** A picture decoded by sharp (libspng), an implementation that shares no line with the encoder. */
import sharp from 'sharp';

import type { EncodedPng } from '../../../src/render/renderer.js';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 0xRRGGBB by pixel. */
  readonly rgb: Uint32Array;
  at(x: number, y: number): number;
}

export function bytesOf(picture: EncodedPng): Buffer {
  return Buffer.concat(picture.chunks);
}

export async function pixelsOf(picture: EncodedPng): Promise<Pixels> {
  return decoded(bytesOf(picture));
}

export async function decoded(png: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(png)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const rgb = new Uint32Array(width * height);
  for (let pixel = 0; pixel < rgb.length; pixel++) rgb[pixel] = data.readUIntBE(pixel * 3, 3);
  return { width, height, rgb, at: (x, y) => rgb[y * width + x]! };
}

/** Compared as memory: vitest's own comparison takes seconds for a large picture. */
export function isSame(a: Pixels, b: Pixels): boolean {
  return a.width === b.width && a.height === b.height && Buffer.compare(bytes(a.rgb), bytes(b.rgb)) === 0;
}

function bytes(words: Uint32Array): Buffer {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength);
}

/** The distinct colours of one cell. */
export function cellColors(pixels: Pixels, row: number, col: number, cellWidth: number): Set<number> {
  const colors = new Set<number>();
  for (let y = row * cellWidth * 2; y < (row + 1) * cellWidth * 2; y++) {
    for (let x = col * cellWidth; x < (col + 1) * cellWidth; x++) colors.add(pixels.at(x, y));
  }
  return colors;
}
