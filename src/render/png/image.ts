/** A PNG strung together from finished segments: signature, header, palette, one IDAT chunk with the segments, end. */
import { crc32 } from 'node:zlib';
import { combineAdler32, crcShift, joinCrc32 } from './checksums.js';
import type { BitDepth, Segment } from './segment.js';

export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly depth: BitDepth;
  /** 0xRRGGBB by index; unused when `depth` is 24. */
  readonly palette: readonly number[];
}

/** Length, type and CRC around the data. */
const CHUNK_OVERHEAD = 12;
export const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const COLOR_TYPE_RGB = 2;
const COLOR_TYPE_INDEXED = 3;

const DATA_TYPE = Uint8Array.of(0x49, 0x44, 0x41, 0x54);
/** Deflate, window of 32 KiB, fastest level (RFC 1950). */
const ZLIB_HEADER = Uint8Array.of(0x78, 0x01);
const CRC_BEFORE_SEGMENTS = crc32(Buffer.concat([DATA_TYPE, ZLIB_HEADER]));
/** An empty last block of fixed codes (RFC 1951), and the checksum of what was deflated. */
const LAST_BLOCK = [0x03, 0x00] as const;
const DATA_END_BYTES = 6;
const DATA_END_SHIFT = crcShift(DATA_END_BYTES);
const END = chunk('IEND', new Uint8Array(0));

/** Everything before the data: of a size and a palette that both last. */
export function pngHead({ width, height, depth, palette }: PngHeader): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = depth === 24 ? 8 : depth;
  header[9] = depth === 24 ? COLOR_TYPE_RGB : COLOR_TYPE_INDEXED;
  const parts = [SIGNATURE, chunk('IHDR', header)];
  if (depth !== 24) parts.push(chunk('PLTE', paletteBytes(palette)));
  return Buffer.concat(parts);
}

/** Data before the segments, and after them. */
export function pngData(segments: readonly Segment[]): { before: Uint8Array; after: Uint8Array } {
  let length = ZLIB_HEADER.length + DATA_END_BYTES;
  let adler = 1;
  let crc = CRC_BEFORE_SEGMENTS;
  for (const segment of segments) {
    length += segment.data.length;
    adler = combineAdler32(adler, segment.adler, segment.rawLength);
    crc = joinCrc32(crc, segment.crc, segment.crcShift);
  }
  const before = new Uint8Array(4 + DATA_TYPE.length + ZLIB_HEADER.length);
  new DataView(before.buffer).setUint32(0, length);
  before.set(DATA_TYPE, 4);
  before.set(ZLIB_HEADER, 4 + DATA_TYPE.length);
  const after = new Uint8Array(DATA_END_BYTES + 4 + END.length);
  const view = new DataView(after.buffer);
  after.set(LAST_BLOCK);
  view.setUint32(LAST_BLOCK.length, adler);
  const end = crc32(after.subarray(0, DATA_END_BYTES));
  view.setUint32(DATA_END_BYTES, joinCrc32(crc, end, DATA_END_SHIFT));
  after.set(END, DATA_END_BYTES + 4);
  return { before, after };
}

function paletteBytes(palette: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(palette.length * 3);
  for (const [index, rgb] of palette.entries()) bytes.set([rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff], index * 3);
  return bytes;
}

/** https://www.w3.org/TR/png-3/#5Chunk-layout */
export function chunk(
  type: 'IHDR' | 'PLTE' | 'IEND' | 'IDAT' | 'acTL' | 'fcTL' | 'fdAT',
  data: Uint8Array,
): Uint8Array {
  const bytes = new Uint8Array(data.length + CHUNK_OVERHEAD);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let index = 0; index < 4; index++) bytes[4 + index] = type.charCodeAt(index);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
