/** The pixels of a PNG that this renderer has encoded: palette or RGB, the filters that it uses, no interlacing. */
import { inflateSync } from 'node:zlib';
import type { FilmSize } from './film.js';

const PALETTE = 0x504c5445;
const DATA = 0x49444154;
const FIRST_CHUNK = 8;
const FILTER_SUB = 1;
const FILTER_UP = 2;

/** @returns 0xRRGGBB, row by row, from the top */
export function pngPixels(png: Uint8Array): FilmSize & { readonly pixels: Uint32Array } {
  const view = new DataView(png.buffer, png.byteOffset, png.length);
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  const depth = png[24] ?? 8;
  const isIndexed = png[25] === 3;
  let palette = new Uint32Array(0);
  const data: Uint8Array[] = [];
  for (let at = FIRST_CHUNK; at < png.length;) {
    const length = view.getUint32(at);
    const body = png.subarray(at + 8, at + 8 + length);
    const type = view.getUint32(at + 4);
    if (type === PALETTE) palette = colorsOf(body);
    if (type === DATA) data.push(body);
    at += length + 12;
  }
  const lines = inflateSync(Buffer.concat(data));
  const pixels = new Uint32Array(width * height);
  if (isIndexed) readIndices(lines, { width, height, depth, palette }, pixels);
  else readColors(lines, { width, height }, pixels);
  return { width, height, pixels };
}

function colorsOf(bytes: Uint8Array): Uint32Array<ArrayBuffer> {
  return Uint32Array.from({ length: bytes.length / 3 }, (_, index) => rgbAt(bytes, index * 3));
}

function rgbAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
}

interface Indexed extends FilmSize {
  readonly depth: number;
  readonly palette: Uint32Array;
}

function readIndices(lines: Uint8Array, { width, height, depth, palette }: Indexed, pixels: Uint32Array): void {
  const stride = 1 + Math.ceil((width * depth) / 8);
  const mask = (1 << depth) - 1;
  for (let y = 0; y < height; y++) {
    const start = y * stride + 1;
    for (let x = 0; x < width; x++) {
      const bit = x * depth;
      const index = ((lines[start + (bit >> 3)] as number) >> (8 - depth - (bit & 7))) & mask;
      pixels[y * width + x] = palette[index] as number;
    }
  }
}

function readColors(lines: Uint8Array, { width, height }: FilmSize, pixels: Uint32Array): void {
  const stride = 1 + width * 3;
  for (let y = 0; y < height; y++) {
    const start = y * stride;
    const filter = lines[start];
    for (let at = start + 1; at < start + stride; at++) {
      const near =
        filter === FILTER_SUB ? (at > start + 3 ? lines[at - 3] : 0) : filter === FILTER_UP ? lines[at - stride] : 0;
      // A Uint8Array keeps the lowest eight bits.
      lines[at] = (lines[at] as number) + (y === 0 && filter === FILTER_UP ? 0 : (near ?? 0));
    }
    for (let x = 0; x < width; x++) pixels[y * width + x] = rgbAt(lines, start + 1 + x * 3);
  }
}
