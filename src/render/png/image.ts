/** A PNG strung together from finished segments: signature, header, palette, zlib header, segments, zlib tail, end. */
import { combineAdler32 } from './adler32.js';
import { chunk } from './chunk.js';
import type { BitDepth, Segment } from './segment.js';

export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly depth: BitDepth;
  /** 0xRRGGBB by index; unused when `depth` is 24. */
  readonly palette: readonly number[];
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const COLOR_TYPE_RGB = 2;
const COLOR_TYPE_INDEXED = 3;

/** Deflate, window of 32 KiB, fastest level (RFC 1950); a chunk of its own, so that no segment is special. */
const ZLIB_HEADER = chunk('IDAT', Uint8Array.of(0x78, 0x01));
/** An empty last block of fixed codes (RFC 1951); the checksum follows it. */
const LAST_BLOCK = [0x03, 0x00] as const;
const END = chunk('IEND', new Uint8Array(0));

export function pngHead({ width, height, depth, palette }: PngHeader): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = depth === 24 ? 8 : depth;
  header[9] = depth === 24 ? COLOR_TYPE_RGB : COLOR_TYPE_INDEXED;
  const parts = [SIGNATURE, chunk('IHDR', header)];
  if (depth !== 24) parts.push(chunk('PLTE', paletteBytes(palette)));
  return Buffer.concat([...parts, ZLIB_HEADER]);
}

export function pngTail(segments: readonly Segment[]): Uint8Array {
  const adler = segments.reduce((sum, segment) => combineAdler32(sum, segment.adler, segment.rawLength), 1);
  const data = new Uint8Array(6);
  data.set(LAST_BLOCK);
  new DataView(data.buffer).setUint32(2, adler);
  return Buffer.concat([chunk('IDAT', data), END]);
}

function paletteBytes(palette: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(palette.length * 3);
  for (const [index, rgb] of palette.entries()) bytes.set([rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff], index * 3);
  return bytes;
}
