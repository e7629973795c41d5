import { inflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { adler32 } from '../../src/render/png/adler32.js';
import { fixedCodes } from '../../src/render/png/fixed-codes.js';
import { deflateRow, type Lines, MAX_ROW_BYTES } from '../../src/render/png/row-deflate.js';

/** An empty last block, so that the inflater finds an end. */
const LAST_BLOCK = [0x03, 0x00];

function linesOf(lines: readonly (readonly number[])[]): Lines {
  const lineBytes = lines[0]?.length ?? 0;
  const wordsPerLine = (lineBytes + 3) >> 2;
  const bytes = new Uint8Array(lines.length * wordsPerLine * 4);
  for (const [y, line] of lines.entries()) bytes.set(line, y * wordsPerLine * 4);
  return { words: new Int32Array(bytes.buffer), wordsPerLine, lineBytes, height: lines.length };
}

function filtered(lines: readonly (readonly number[])[]): Buffer {
  return Buffer.from(lines.flatMap((line) => [0, ...line]));
}

function expectBack(lines: readonly (readonly number[])[]): void {
  const { data, adler } = deflateRow(linesOf(lines));
  expect(inflateRawSync(Buffer.concat([data, Buffer.from(LAST_BLOCK)])).equals(filtered(lines))).toBe(true);
  expect(adler).toBe(adler32(filtered(lines)));
  expect([...data.subarray(-4)]).toEqual([0, 0, 0xff, 0xff]);
}

/** Few different words, so that there are matches of every kind; now and then any bytes. */
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(0, 0, 1, 143, 144, 255), fc.integer({ min: 1, max: 700 })) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(2, 7, 200), fc.integer({ min: 1, max: 9 })) },
  { weight: 1, arbitrary: fc.tuple(fc.nat(255), fc.constant(1)) },
);
const glyphs = fc
  .array(piece, { maxLength: 60 })
  .map((pieces) => pieces.flatMap(([byte, count]) => Array(count).fill(byte)));

test('any lines come back as they were, with their checksum', () => {
  fc.assert(
    fc.property(glyphs, fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 20 }), (bytes, width, most) => {
      const source = bytes.length === 0 ? [0] : bytes;
      const height = Math.min(most, Math.floor(MAX_ROW_BYTES / (width + 1)));
      const byteAt = (i: number): number => source[i % source.length] as number;
      expectBack(
        Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => byteAt(y * width + x))),
      );
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['blank', () => 0],
  ['of one byte that is not zero', () => 255],
  ['without anything in common', (i: number) => Math.imul(i, 2_654_435_761) >>> 24],
])('the largest row comes back: %s', (_, byteAt) => {
  const width = MAX_ROW_BYTES / 16 - 1;
  expectBack(Array.from({ length: 16 }, (_, y) => Array.from({ length: width }, (_, x) => byteAt(y * width + x))));
});

test('no two codes of one table are alike, and every length and distance has one', () => {
  const { literals, lengths, distances } = fixedCodes(32_768);
  expect(new Set(literals).size).toBe(256);
  expect(new Set(lengths.subarray(3)).size).toBe(256);
  expect(new Set(distances.subarray(1)).size).toBe(32_768);
});
