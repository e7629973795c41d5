import { crc32, inflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { crcShift, joinCrc32 } from '../../../src/render/png/checksums.js';
import { deflate } from '../../../src/render/png/deflate.js';
import { CODE_BITS_MASK, PrefixCode } from '../../../src/render/png/huffman.js';
import type { ScanLines } from '../../../src/render/png/lines.js';
import { runsOf } from '../../support/trial.js';

/** An empty last block, so that the inflater finds an end. */
const LAST_BLOCK = [0x03, 0x00];

function expectBack(lines: ScanLines): void {
  const data = deflate(lines);
  expect([...data.subarray(-4)]).toEqual([0, 0, 0xff, 0xff]);
  expect(inflateRawSync(Buffer.concat([data, Buffer.from(LAST_BLOCK)])).equals(lines.bytes)).toBe(true);
  // Whatever was deflated before.
  deflate({ bytes: Uint8Array.from({ length: 500 }, (_, at) => at), stride: 50, start: 3, unit: 5, flat: false });
  expect(deflate(lines)).toEqual(data);
}

/** Few different bytes, so that there are matches of every kind; now and then any. */
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(0, 0, 1, 143, 144, 255), fc.integer({ min: 1, max: 700 })) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(2, 7, 200), fc.integer({ min: 1, max: 9 })) },
  { weight: 1, arbitrary: fc.tuple(fc.nat(255), fc.constant(1)) },
);
const glyphs = fc
  .array(piece, { minLength: 1, maxLength: 60 })
  .map((pieces) => pieces.flatMap(([byte, count]) => Array<number>(count).fill(byte)));

test('any lines survive a round trip, with any units', () => {
  fc.assert(
    fc.property(
      glyphs,
      fc.integer({ min: 2, max: 900 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 4, max: 40 }),
      fc.integer({ min: 1, max: 30 }),
      fc.boolean(),
      (source, stride, height, unit, start, flat) => {
        const bytes = Uint8Array.from({ length: stride * height }, (_, at) => source[at % source.length] as number);
        expectBack({ bytes, stride, start: Math.min(start, stride), unit, flat });
      },
    ),
    { numRuns: runsOf({ suite: 100, trial: 300 }) },
  );
});

test.each([
  ['blank', () => 0],
  ['of one byte that is not zero', () => 255],
  ['without anything in common', (at: number) => Math.imul(at, 2_654_435_761) >>> 24],
  [
    'with repetitions farther back than a match may reach',
    (at: number) => Math.imul(at % 39_000, 2_654_435_761) >>> 24,
  ],
])('large lines come back: %s', (_, byteAt) => {
  for (const [stride, height, flat] of [
    [1921, 40, false],
    [13_000, 12, false],
    [40_000, 3, false],
    [7681, 10, true],
  ] as const) {
    expectBack({
      bytes: Uint8Array.from({ length: stride * height }, (__, at) => byteAt(at)),
      stride,
      start: 1,
      unit: 6,
      flat,
    });
  }
});

function fitted(counts: readonly number[], maxBits: number): PrefixCode {
  const code = new PrefixCode(counts.length);
  code.fit(Int32Array.from(counts), maxBits);
  return code;
}

test('codes are complete, within the maximal length, and shorter for more frequent symbols', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4000), { minLength: 2, maxLength: 286 }), fc.constantFrom(9, 15), (counts, maxBits) => {
      fc.pre(counts.filter((count) => count > 0).length > 1);
      const code = fitted(counts, maxBits);
      const { bits, codes } = code;
      let space = 0;
      for (const length of bits) if (length > 0) space += 2 ** -length;
      expect(space).toBe(1);
      expect(Math.max(...bits)).toBeLessThanOrEqual(maxBits);
      for (const [symbol, count] of counts.entries()) expect(bits[symbol] === 0).toBe(count === 0);
      const byCount = [...counts.keys()].filter((symbol) => (counts[symbol] ?? 0) > 0);
      byCount.sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0) || a - b);
      const lengths = byCount.map((symbol) => bits[symbol] ?? 0);
      expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
      code.assign();
      expect(new Set(codes.filter((code) => (code & CODE_BITS_MASK) > 0)).size).toBe(byCount.length);
    }),
  );
});

test('frequencies that grow like Fibonacci numbers get codes within the maximal length', () => {
  const counts = [1, 1];
  while (counts.length < 28) counts.push((counts.at(-1) ?? 0) + (counts.at(-2) ?? 0));
  const { bits } = fitted(counts, 15);
  expect(Math.max(...bits)).toBe(15);
  expect(bits.reduce((space, length) => space + 2 ** -length, 0)).toBe(1);
});

test('the CRC-32 of joined strings is that of the whole', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), fc.uint8Array({ maxLength: 5000 }), (first, second) => {
      const joined = joinCrc32(crc32(first), crc32(second), crcShift(second.length));
      expect(joined).toBe(crc32(Buffer.concat([first, second])));
    }),
  );
});
