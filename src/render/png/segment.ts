/**
 * A row of whole lines, packed, filtered and deflated. It ends in a full flush, so that rows can be strung together in any
 * order: none refers to bytes before itself.
 */
import { crc32 } from 'node:zlib';
import { adler32, crcShift } from './checksums.js';
import { deflate } from './deflate.js';
import type { PixelBuffer, ScanLines } from './lines.js';

/** Bits per pixel: 1 to 8 are palette indices, 24 is RGB. */
export type BitDepth = IndexDepth | 24;
type IndexDepth = 1 | 2 | 4 | 8;

export interface Segment {
  /** A part of what IDAT chunks hold. */
  readonly data: Uint8Array;
  readonly crc: number;
  readonly crcShift: number;
  /** Checksum of the bytes before deflation, and their number. */
  readonly adler: number;
  readonly rawLength: number;
}

/** Pixels. */
export interface SegmentSize {
  readonly width: number;
  readonly height: number;
  /** Start of the first cell. */
  readonly start: number;
  readonly cellWidth: number;
}

const FILTER_SUB = 1;
const FILTER_UP = 2;
const BYTES_PER_COLOR = 3;
/** Two pixels: strokes repeat within a glyph, and their ends on every second pixel. */
const COLOR_UNIT = 6;
const MIN_UNIT = 4;
/** Half a cell repeats more often than a whole one of more bytes. */
const MAX_EVEN_UNIT = 12;

/** Start of a line of pixels in what is encoded: bytes are a line of the PNG themselves, after a filter byte of 0. */
export function lineStartOf(depth: BitDepth): 0 | 1 {
  return depth === 8 ? 1 : 0;
}

/** @param pixels lines of them, each after as many zeros as {@link lineStartOf} says */
export function encodeSegment(pixels: PixelBuffer, size: SegmentSize, depth: BitDepth): Segment {
  const lines =
    pixels instanceof Uint8Array ? packIndices(pixels, size, depth as IndexDepth) : packColors(pixels, size);
  const data = deflate(lines);
  return {
    data,
    crc: crc32(data),
    crcShift: crcShift(data.length),
    adler: adler32(lines.bytes),
    rawLength: lines.bytes.length,
  };
}

/** Lines before deflation, of one row at a time: deflating is done when it returns. */
let scratch = new Uint8Array(0);
/** A row of 80 cells of 20x40 pixels in truecolour takes a fifth; a larger one is a row of giant cells. */
const MAX_SCRATCH_BYTES = 1 << 20;

function blankLines(length: number): Uint8Array {
  if (length > MAX_SCRATCH_BYTES) return new Uint8Array(length);
  if (scratch.length < length) scratch = new Uint8Array(length);
  return scratch.subarray(0, length).fill(0);
}

/** Filter 0 on every line: indices of neighbours have nothing to do with one another. */
function packIndices(
  pixels: Uint8Array,
  { width, height, start, cellWidth }: SegmentSize,
  depth: Exclude<BitDepth, 24>,
): ScanLines {
  const stride = 1 + Math.ceil((width * depth) / 8);
  const unit = indexUnit(cellWidth * depth);
  if (depth === 8) return { bytes: pixels, stride, start: 1 + start, unit, flat: false };
  const bytes = blankLines(stride * height);
  for (let y = 0; y < height; y++) packLine(pixels, y * width, width, bytes, y * stride + 1, depth);
  return { bytes, stride, start: 1 + Math.floor((start * depth) / 8), unit, flat: false };
}

/** Leftmost pixel in the highest bits; the last byte is padded with zeros. */
function packLine(
  pixels: Uint8Array,
  from: number,
  width: number,
  packed: Uint8Array,
  to: number,
  depth: 1 | 2 | 4,
): void {
  const end = from + width;
  const perByte = 8 / depth;
  for (let x = from, at = to; x < end; at++) {
    let byte = 0;
    for (let slot = 0; slot < perByte; slot++, x++) byte = (byte << depth) | (x < end ? (pixels[x] as number) : 0);
    packed[at] = byte;
  }
}

/** Number of cells that are whole bytes, or an even part of one. */
function indexUnit(bitsPerCell: number): number {
  let bits = bitsPerCell;
  while (bits % 8 !== 0 || bits / 8 < MIN_UNIT) bits += bitsPerCell;
  let unit = bits / 8;
  while (unit > MAX_EVEN_UNIT && unit % 2 === 0) unit /= 2;
  return unit;
}

/**
 * A picture of flat blocks repeats most lines: those become zeros, as do pixels that are like the ones above, and the first line
 * holds differences to the left. Text in truecolour stays as it is.
 */
function packColors(pixels: Uint32Array, size: SegmentSize): ScanLines {
  const { width, height, start } = size;
  const stride = 1 + width * BYTES_PER_COLOR;
  const bytes = blankLines(stride * height);
  const repeated = repeatedLines(pixels, size);
  const flat = repeated.filter(Boolean).length * 2 >= height;
  for (let y = 0; y < height; y++) {
    let at = y * stride;
    const first = y * width;
    if (flat) bytes[at] = y === 0 ? FILTER_SUB : FILTER_UP;
    if (flat && repeated[y] === true) continue;
    at++;
    for (let x = first; x < first + width; x++, at += BYTES_PER_COLOR) {
      const rgb = pixels[x] as number;
      const near = !flat ? 0 : y > 0 ? (pixels[x - width] as number) : x > first ? (pixels[x - 1] as number) : 0;
      if (rgb === near) continue;
      bytes[at] = (rgb >> 16) - (near >> 16);
      bytes[at + 1] = (rgb >> 8) - (near >> 8);
      bytes[at + 2] = rgb - near;
    }
  }
  return { bytes, stride, start: 1 + start * BYTES_PER_COLOR, unit: COLOR_UNIT, flat };
}

/** Lines that are like the one above. */
function repeatedLines(pixels: Uint32Array, { width, height }: SegmentSize): readonly boolean[] {
  const bytes = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  const line = width * pixels.BYTES_PER_ELEMENT;
  return Array.from(
    { length: height },
    (_, y) => y > 0 && bytes.compare(bytes, (y - 1) * line, y * line, y * line, (y + 1) * line) === 0,
  );
}
