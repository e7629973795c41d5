/**
 * A band of whole lines, packed, deflated and wrapped as its own IDAT chunk. It ends in a full flush, so that bands can be
 * strung together in any order: none refers to bytes before itself.
 */
import { constants, deflateRawSync } from 'node:zlib';

import type { PixelBuffer } from '../palette.js';
import { adler32 } from './adler32.js';
import { chunk } from './chunk.js';
import { deflateRow, type Lines, MAX_ROW_BYTES } from './row-deflate.js';

/** Bits per pixel: 1 to 8 are palette indices, 24 is RGB. */
export type BitDepth = 1 | 2 | 4 | 8 | 24;

export interface Segment {
  /** A whole IDAT chunk. */
  readonly chunk: Uint8Array;
  /** Of the bytes before deflation, and how many they are. */
  readonly adler: number;
  readonly rawLength: number;
}

const FILTER_SUB = 1;
const FILTER_UP = 2;

/** Level 1: higher levels take 2 to 8 times as long for 10 % less. */
const DEFLATE = { level: 1, memLevel: 8, finishFlush: constants.Z_FULL_FLUSH };
/** For pictures made of flat blocks: runs are all there is to find, and matches far away cost more than they save. */
const DEFLATE_RUNS = { ...DEFLATE, strategy: constants.Z_RLE };

/** @param haste a few hundred bytes more are worth some 50 us: most of what a picture takes in which one row is new */
export function encodeSegment(
  pixels: PixelBuffer,
  width: number,
  height: number,
  depth: BitDepth,
  haste = false,
): Segment {
  const rawLength = (1 + Math.ceil((width * depth) / 8)) * height;
  if (haste && pixels instanceof Uint8Array && rawLength <= MAX_ROW_BYTES) {
    const { data, adler } = deflateRow(linesOf(pixels, width, height, depth));
    return { chunk: chunk('IDAT', data), adler, rawLength };
  }
  const raw =
    pixels instanceof Uint8Array ? packIndices(pixels, width, height, depth) : packColors(pixels, width, height);
  const flat = !(pixels instanceof Uint8Array) && isMostlyRepeated(raw, height);
  const deflated = deflateRawSync(raw, flat ? DEFLATE_RUNS : DEFLATE);
  return { chunk: chunk('IDAT', deflated), adler: adler32(raw), rawLength };
}

/** Without a copy where every pixel is a byte and every line whole words. */
function linesOf(pixels: Uint8Array, width: number, height: number, depth: BitDepth): Lines {
  const lineBytes = Math.ceil((width * depth) / 8);
  const wordsPerLine = (lineBytes + 3) >> 2;
  const count = wordsPerLine * height;
  if (depth === 8 && lineBytes % 4 === 0 && pixels.byteOffset % 4 === 0) {
    return { words: new Int32Array(pixels.buffer, pixels.byteOffset, count), wordsPerLine, lineBytes, height };
  }
  const bytes = new Uint8Array(count * 4);
  for (let y = 0; y < height; y++) packLine(pixels, y * width, width, bytes, y * wordsPerLine * 4, depth);
  return { words: new Int32Array(bytes.buffer), wordsPerLine, lineBytes, height };
}

/** Lines before deflation, of one band at a time: deflating is done when it returns. */
let scratch = new Uint8Array(0);
/** A band of 2^20 pixels in truecolour takes 3; a larger one is a single row of giant cells. */
const MAX_SCRATCH_BYTES = 4 << 20;

function blankLines(length: number): Uint8Array {
  if (length > MAX_SCRATCH_BYTES) return new Uint8Array(length);
  if (scratch.length < length) scratch = new Uint8Array(length);
  return scratch.subarray(0, length).fill(0);
}

/** Filter 0 on every line: indices of neighbours have nothing to do with one another. */
function packIndices(pixels: Uint8Array, width: number, height: number, depth: BitDepth): Uint8Array {
  const lineBytes = 1 + Math.ceil((width * depth) / 8);
  const raw = blankLines(lineBytes * height);
  for (let y = 0; y < height; y++) packLine(pixels, y * width, width, raw, y * lineBytes + 1, depth);
  return raw;
}

/** Leftmost pixel in the highest bits; the last byte is padded with zeros. */
function packLine(
  pixels: Uint8Array,
  from: number,
  width: number,
  packed: Uint8Array,
  to: number,
  depth: BitDepth,
): void {
  const end = from + width;
  if (depth === 8) {
    packed.set(pixels.subarray(from, end), to);
    return;
  }
  const perByte = 8 / depth;
  for (let x = from, at = to; x < end; at++) {
    let byte = 0;
    for (let slot = 0; slot < perByte; slot++, x++) byte = (byte << depth) | (x < end ? (pixels[x] as number) : 0);
    packed[at] = byte;
  }
}

/** A line equal to the one above is all zeros, any other holds differences to the left: flat cells vanish. */
function packColors(pixels: Uint32Array, width: number, height: number): Uint8Array {
  const lineBytes = 1 + width * 3;
  const raw = blankLines(lineBytes * height);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    const same = y > 0 && equalToAbove(pixels, start, width);
    let at = y * lineBytes;
    raw[at++] = same ? FILTER_UP : FILTER_SUB;
    if (same) continue;
    let left = 0;
    for (let x = start; x < start + width; x++, at += 3) {
      const rgb = pixels[x] as number;
      if (rgb === left) continue;
      raw[at] = (rgb >> 16) - (left >> 16);
      raw[at + 1] = (rgb >> 8) - (left >> 8);
      raw[at + 2] = rgb - left;
      left = rgb;
    }
  }
  return raw;
}

/** Half of the lines, or more, only repeat the one above. */
function isMostlyRepeated(raw: Uint8Array, height: number): boolean {
  const lineBytes = raw.length / height;
  let repeated = 0;
  for (let y = 0; y < height; y++) if (raw[y * lineBytes] === FILTER_UP) repeated++;
  return repeated * 2 >= height;
}

function equalToAbove(pixels: Uint32Array, start: number, width: number): boolean {
  for (let x = start; x < start + width; x++) if (pixels[x] !== pixels[x - width]) return false;
  return true;
}
