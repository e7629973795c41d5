/** The codes of deflate (RFC 1951): which bits a symbol has, and how a block describes them. */
import * as fc from 'fast-check';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BitWriter } from '../../../src/render/png/bit-writer.js';
import { CodeHeader } from '../../../src/render/png/code-header.js';
import { deflate } from '../../../src/render/png/deflate.js';
import {
  CODE_BITS_MASK,
  CODE_SHIFT,
  DISTANCE_EXTRA_BITS,
  DISTANCE_SYMBOLS,
  distanceSymbol,
  FIXED_DISTANCE_BITS,
  FIXED_LITERAL_BITS,
  LENGTH_EXTRA,
  LENGTH_EXTRA_BITS,
  LENGTH_SYMBOL,
  LITERAL_SYMBOLS,
  PrefixCode,
} from '../../../src/render/png/huffman.js';

function bitsOf(frequencies: readonly number[], maxBits = 15): number[] {
  const code = new PrefixCode(frequencies.length);
  code.fit(Int32Array.from(frequencies), maxBits);
  return [...code.bits];
}

/** A code as text, in the order in which RFC 1951 prints it. */
function codesOf(bits: readonly number[]): string[] {
  return Array.from(PrefixCode.of(bits).codes, (code) => shownCode(code));
}

function shownCode(code: number): string {
  const length = code & CODE_BITS_MASK;
  const bits = (code >> CODE_SHIFT).toString(2).padStart(length, '0');
  return Array.from(bits).toReversed().join('').slice(0, length);
}

test('codes of some lengths equal the example in RFC 1951', () => {
  expect(codesOf([3, 3, 3, 3, 3, 2, 4, 4])).toEqual(['010', '011', '100', '101', '110', '00', '1110', '1111']);
  expect(codesOf([2, 0, 1, 2])).toEqual(['10', '', '0', '11']);
});

test('the fixed code is that of RFC 1951', () => {
  const literals = PrefixCode.of(FIXED_LITERAL_BITS);
  const distances = PrefixCode.of(FIXED_DISTANCE_BITS);
  const codeAt = (symbol: number): string => shownCode(literals.codes[symbol] ?? 0);
  expect([0, 143, 144, 255, 256, 279, 280].map(codeAt)).toEqual([
    '00110000',
    '10111111',
    '110010000',
    '111111111',
    '0000000',
    '0010111',
    '11000000',
  ]);
  expect([0, 29].map((symbol) => shownCode(distances.codes[symbol] ?? 0))).toEqual(['00000', '11101']);
});

/** Bits that all symbols take together under the best of codes. */
function leastBits(frequencies: readonly number[]): number {
  const queue = frequencies.filter((each) => each > 0);
  let bits = 0;
  while (queue.length > 1) {
    queue.sort((a, b) => b - a);
    const sum = (queue.pop() ?? 0) + (queue.pop() ?? 0);
    bits += sum;
    queue.push(sum);
  }
  return bits;
}

test('no code takes fewer bits', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(3), fc.nat(2000)), { minLength: 2, maxLength: 60 }), (frequencies) => {
      fc.pre(frequencies.filter((each) => each > 0).length > 1);
      const taken = bitsOf(frequencies).reduce((sum, bits, symbol) => sum + bits * (frequencies[symbol] ?? 0), 0);
      expect(taken).toBe(leastBits(frequencies));
    }),
  );
});

test.each<[string, readonly number[], number, readonly number[]]>([
  ['nothing', [0, 0, 0], 15, [0, 0, 0]],
  ['one symbol', [0, 9, 0], 15, [0, 1, 0]],
  ['two symbols', [5, 0, 1], 15, [1, 0, 1]],
  ['equal ones', [1, 1, 1, 1], 15, [2, 2, 2, 2]],
  ['more and more of each', [1, 2, 4, 8, 16], 15, [4, 4, 3, 2, 1]],
  ['more and more of each in few bits', [1, 2, 4, 8, 16], 3, [3, 3, 3, 3, 1]],
  ['no room to spare', [1, 2, 4, 8], 2, [2, 2, 2, 2]],
])('bits of the codes of %s', (_, frequencies, maxBits, expected) => {
  expect(bitsOf(frequencies, maxBits)).toEqual(expected);
});

test.each([
  [3, 257, 0, 0],
  [10, 264, 0, 0],
  [11, 265, 0, 1],
  [12, 265, 1, 1],
  [18, 268, 1, 1],
  [34, 272, 3, 2],
  [130, 280, 15, 4],
  [257, 284, 30, 5],
  [258, 285, 0, 0],
])('a match of %i bytes is symbol %i and %i in %i bits', (length, symbol, extra, extraBits) => {
  expect([LENGTH_SYMBOL[length], LENGTH_EXTRA[length], LENGTH_EXTRA_BITS[symbol]]).toEqual([symbol, extra, extraBits]);
});

test.each([
  [1, 0, 0],
  [4, 3, 0],
  [5, 4, 1],
  [6, 4, 1],
  [7, 5, 1],
  [9, 6, 2],
  [257, 16, 7],
  [24_576, 28, 13],
  [24_577, 29, 13],
  [32_768, 29, 13],
])('a distance of %i is symbol %i with %i bits behind it', (distance, symbol, extraBits) => {
  expect([distanceSymbol(distance), DISTANCE_EXTRA_BITS[symbol]]).toEqual([symbol, extraBits]);
});

/** Used again for every block. */
const header = new CodeHeader();

/** The description of a code as a reader finds it: how many lengths of each kind, and the lengths run by run. */
function described(literalBits: Record<number, number>, distanceBits: Record<number, number>): unknown {
  const codeOf = (lengths: Record<number, number>, symbols: number): PrefixCode =>
    PrefixCode.of(Array.from({ length: symbols }, (_, symbol) => lengths[symbol] ?? 0));
  const writer = new BitWriter();
  const bits = header.describe({
    literals: codeOf(literalBits, LITERAL_SYMBOLS),
    distances: codeOf(distanceBits, DISTANCE_SYMBOLS),
  });
  header.write(writer);
  writer.align();
  const bytes = writer.take();
  expect(bytes).toHaveLength(Math.ceil(bits / 8));
  let at = 0;
  const next = (count: number): number => {
    let value = 0;
    for (let bit = 0; bit < count; bit++, at++) value |= (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) << bit;
    return value;
  };
  const [literals, distances, told] = [next(5) + 257, next(5) + 1, next(4) + 4];
  const lengths = Array<number>(19).fill(0);
  const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
  for (const symbol of order.slice(0, told)) lengths[symbol] = next(3);
  const codes = codesOf(lengths);
  const runs: string[] = [];
  for (let count = 0; count < literals + distances;) {
    let read = '';
    do read += String(next(1));
    while (!codes.includes(read) && read.length < 8);
    const symbol = codes.indexOf(read);
    const extra = symbol < 16 ? 0 : next([2, 3, 7][symbol - 16] ?? 0);
    const times = symbol < 16 ? 1 : extra + (symbol === 18 ? 11 : 3);
    runs.push(symbol < 16 ? String(symbol) : `${symbol}x${times}`);
    count += times;
  }
  expect(at).toBe(bits);
  return { literals, distances, told, runs: runs.join(' ') };
}

test.each<[string, Record<number, number>, Record<number, number>, object]>([
  [
    'no more symbols than there must be',
    { 0: 1, 256: 1 },
    {},
    { literals: 257, distances: 1, told: 18, runs: '1 18x138 18x117 1 0' },
  ],
  [
    'up to the last of each',
    { 256: 1, 285: 1 },
    { 29: 1 },
    { literals: 286, distances: 30, told: 18, runs: '18x138 18x118 1 18x28 1 18x29 1' },
  ],
  [
    'zeros run by run, on from one code to the other',
    { 0: 5, 2: 5, 5: 5, 9: 5, 20: 5, 32: 5, 256: 5 },
    { 4: 5 },
    {
      literals: 257,
      distances: 5,
      told: 10,
      runs: '5 0 5 0 0 5 17x3 5 17x10 5 18x11 5 18x138 18x85 5 17x4 5',
    },
  ],
  [
    'lengths that come again',
    Object.fromEntries([
      ...Array.from({ length: 3 }, (_, at) => [at, 4]),
      ...Array.from({ length: 4 }, (_, at) => [10 + at, 5]),
      ...Array.from({ length: 9 }, (_, at) => [20 + at, 6]),
      ...Array.from({ length: 14 }, (_, at) => [40 + at, 7]),
      [256, 7],
    ]),
    { 0: 7 },
    {
      literals: 257,
      distances: 1,
      told: 12,
      runs: '4 4 4 17x7 5 16x3 17x6 6 16x6 6 6 18x11 7 16x6 16x6 7 18x138 18x64 7 7',
    },
  ],
  [
    'no two neighbours alike',
    Object.fromEntries(Array.from({ length: 286 }, (_, at) => [at, 8 + (at % 2)])),
    Object.fromEntries(Array.from({ length: 30 }, (_, at) => [at, 4 + (at % 2)])),
    { literals: 286, distances: 30, told: 12, runs: `${'8 9 '.repeat(143)}${'4 5 '.repeat(15)}`.trim() },
  ],
])('a code is described in as few words as possible: %s', (_, literalBits, distanceBits, expected) => {
  expect(described(literalBits, distanceBits)).toEqual(expected);
});

test('a code that is fitted again forgets what occurred before', () => {
  const code = new PrefixCode(6);
  code.fit(Int32Array.of(1, 1, 1, 1, 0, 0), 15);
  code.fit(Int32Array.of(0, 0, 0, 2, 1, 1), 15);
  code.assign();
  expect([...code.bits]).toEqual([0, 0, 0, 1, 2, 2]);
  expect([...code.used.subarray(0, code.count)]).toEqual([3, 4, 5]);
  expect([...code.codes.subarray(3)].map(shownCode)).toEqual(['0', '10', '11']);
  expect(code.total(Int32Array.of(9, 9, 9, 2, 1, 1), code.bits)).toBe(6);
  code.fit(new Int32Array(6), 15);
  expect([code.count, ...code.bits]).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

test('bits are written from the lowest on, and padded with zeros to a whole byte', () => {
  const writer = new BitWriter();
  writer.put(0b101, 3);
  writer.put(0b1, 1);
  writer.put(0xabcd, 16);
  writer.align();
  writer.align();
  writer.put(0xff, 8);
  expect([...writer.take()]).toEqual([0xdd, 0xbc, 0x0a, 0xff]);
  expect([...writer.take()]).toEqual([]);
  writer.put(0x80, 8);
  expect([...writer.take()]).toEqual([0x80]);
});

test('room grows for any number of bits, repeatedly', () => {
  const writer = new BitWriter();
  for (const bytes of [20_000, 30_000, 600_000]) {
    for (const half of [0, 1]) {
      writer.reserve(bytes * 8);
      for (let at = 0; at < bytes; at++) writer.put((at + half) & 0xff, 8);
    }
    const taken = writer.take();
    expect(taken).toHaveLength(2 * bytes);
    expect([taken[0], taken[bytes - 1], taken[bytes], taken.at(-1)]).toEqual([0, (bytes - 1) & 0xff, 1, bytes & 0xff]);
  }
});

/** The kind of its first block. */
function kindOf(bytes: Uint8Array): string | undefined {
  const data = deflate({ bytes, stride: bytes.length, start: 1, unit: 4, flat: false });
  expect(inflateRawSync(Buffer.concat([data, Buffer.from([0x03, 0x00])])).equals(bytes)).toBe(true);
  expect((data[0] ?? 0) & 1).toBe(0);
  return ['stored', 'fixed', 'own'][((data[0] ?? 0) >> 1) & 3];
}

test('a block has a code of its own if that takes fewer bits', () => {
  const letters = (count: number, kinds: number): Uint8Array =>
    Uint8Array.from({ length: count }, (_, at) => 65 + ((Math.imul(at + 1, 2_654_435_761) >>> 20) % kinds));
  expect(kindOf(letters(20, 4))).toBe('fixed');
  expect(kindOf(letters(2000, 4))).toBe('own');
  expect(kindOf(new Uint8Array(50))).toBe('fixed');
});
