/** Rows of pixels as lines of a PNG, before and after they are deflated. */
import { crc32, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { adler32, combineAdler32, crcShift, joinCrc32 } from '../../../src/render/png/checksums.js';
import { chunk, pngData, pngHead } from '../../../src/render/png/image.js';
import { type BitDepth, encodeSegment, type Segment } from '../../../src/render/png/segment.js';

/** An empty last block, so that the inflater finds an end. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

function encoded(rows: readonly (readonly number[])[], depth: BitDepth, start = 0, cellWidth = 4): Segment {
  const lines = depth === 8 ? rows.map((row) => [0, ...row]) : rows;
  const pixels = depth === 24 ? Uint32Array.from(lines.flat()) : Uint8Array.from(lines.flat());
  return encodeSegment(pixels, { width: rows[0]?.length ?? 0, height: rows.length, start, cellWidth }, depth);
}

function linesOf(rows: readonly (readonly number[])[], depth: BitDepth, start = 0): readonly (readonly number[])[] {
  const segment = encoded(rows, depth, start);
  const bytes = inflateRawSync(Buffer.concat([segment.data, LAST_BLOCK]));
  const stride = bytes.length / rows.length;
  return rows.map((_, y) => [...bytes.subarray(y * stride, (y + 1) * stride)]);
}

test.each<[BitDepth, readonly (readonly number[])[], readonly (readonly number[])[]]>([
  [1, [[1, 0, 1, 1, 0, 0, 0, 0, 1]], [[0, 0b1011_0000, 0b1000_0000]]],
  [
    2,
    [
      [0, 1, 2, 3, 3],
      [3, 2, 1, 0, 1],
    ],
    [
      [0, 0b00_01_10_11, 0b11_00_00_00],
      [0, 0b11_10_01_00, 0b01_00_00_00],
    ],
  ],
  [4, [[1, 15, 7]], [[0, 0x1f, 0x70]]],
  [8, [[1, 255, 7]], [[0, 1, 255, 7]]],
])(
  'indices of %i bits are written from left to right, and the last byte is padded with zeros',
  (depth, rows, expected) => {
    expect(linesOf(rows, depth)).toEqual(expected);
    expect(linesOf(rows, depth, 2)).toEqual(expected);
  },
);

test('colours of text are unfiltered', () => {
  const rows = [
    [0x010203, 0x040506],
    [0x0708ff, 0x040506],
    [0xa0b0c0, 0x000000],
  ];
  expect(linesOf(rows, 24)).toEqual([
    [0, 1, 2, 3, 4, 5, 6],
    [0, 7, 8, 255, 4, 5, 6],
    [0, 0xa0, 0xb0, 0xc0, 0, 0, 0],
  ]);
});

test('if half of the lines repeat the one above, the first line is differences to the left, and all others to the one above', () => {
  const red = [0x500306, 0x500306, 0x201008];
  const blue = [0x4000ff, 0x500316, 0x201008];
  expect(linesOf([red, red, blue, blue], 24)).toEqual([
    [1, 0x50, 3, 6, 0, 0, 0, 0xd0, 0x0d, 2],
    [2, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [2, 0xf0, 0xfd, 0xf9, 0, 0, 0x10, 0, 0, 0],
    [2, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  ]);
  expect(linesOf([red, red, blue, red], 24).map(([filter]) => filter)).toEqual([0, 0, 0, 0]);
  expect(linesOf([red, red, blue], 24).map(([filter]) => filter)).toEqual([0, 0, 0]);
  expect(linesOf([red, red, red], 24).map(([filter]) => filter)).toEqual([1, 2, 2]);
});

test('a segment has its checksums and its uncompressed length', () => {
  const rows = [
    [1, 2, 3],
    [4, 5, 6],
  ];
  const segment = encoded(rows, 8);
  expect(segment.rawLength).toBe(8);
  expect(segment.adler).toBe(adler32(Uint8Array.of(0, 1, 2, 3, 0, 4, 5, 6)));
  expect(segment.crc).toBe(crc32(segment.data));
  expect(segment.crcShift).toBe(crcShift(segment.data.length));
  expect([...segment.data.subarray(-4)]).toEqual([0, 0, 0xff, 0xff]);
});

test('rows larger than usual are encoded alike', () => {
  const pixels = new Uint32Array(350_000);
  pixels[0] = 0x123456;
  const { data } = encodeSegment(pixels, { width: pixels.length, height: 1, start: 0, cellWidth: 4 }, 24);
  const bytes = inflateRawSync(Buffer.concat([data, LAST_BLOCK]));
  expect(bytes).toHaveLength(1_050_001);
  expect([...bytes.subarray(0, 8)]).toEqual([0, 0x12, 0x34, 0x56, 0, 0, 0, 0]);
  expect(linesOf([[0x000000, 0x000000]], 24)).toEqual([[0, 0, 0, 0, 0, 0, 0]]);
});

test.each([
  ['of one bit', 1, 8],
  ['of two bits', 2, 8],
  ['of four bits, in cells of an odd width', 4, 7],
  ['of eight bits', 8, 8],
  ['of eight bits, in large cells', 8, 40],
  ['of colours', 24, 8],
] as const)('cells that are there again take few bytes: %s', (_, depth, cellWidth) => {
  // Each cell is another pattern the first time; then all come again.
  const cells = Array.from({ length: 12 }, (__, cell) =>
    Array.from(
      { length: cellWidth },
      (___, x) => (Math.imul(cell * cellWidth + x + 1, 2_654_435_761) >>> 16) % 2 ** depth,
    ),
  );
  const sizeOf = (times: number): number => {
    const row = [9, 9, 9, ...Array.from({ length: times }, () => cells.flat()).flat()].map(
      (value) => value % 2 ** depth,
    );
    return encoded([row], depth, 3, cellWidth).data.length;
  };
  expect(sizeOf(8) - sizeOf(2)).toBeLessThan(40);
});

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** The chunks of a PNG, each with its checksum found right. */
function chunksOf(png: Buffer): readonly Chunk[] {
  expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks: Chunk[] = [];
  for (let at = 8; at < png.length;) {
    const end = at + 8 + png.readUInt32BE(at);
    expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at + 4, end)));
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

test.each<[BitDepth, readonly number[], readonly string[], readonly number[]]>([
  [2, [0x102030, 0xff0001], ['IHDR', 'PLTE', 'IDAT', 'IEND'], [2, 3, 0, 0, 0]],
  [24, [], ['IHDR', 'IDAT', 'IEND'], [8, 2, 0, 0, 0]],
])('a PNG of %i bits a pixel is joined from its segments', (depth, palette, types, header) => {
  const segments = [
    encoded([[1, 2, 3]], depth),
    encoded(
      [
        [3, 2, 1],
        [0, 0, 1],
      ],
      depth,
    ),
  ];
  const { before, after } = pngData(segments);
  const head = pngHead({ width: 3, height: 258, depth, palette });
  const chunks = chunksOf(Buffer.concat([head, before, ...segments.map(({ data }) => data), after]));
  expect(chunks.map(({ type }) => type)).toEqual(types);
  expect([...(chunks[0]?.data ?? [])]).toEqual([0, 0, 0, 3, 0, 0, 1, 2, ...header]);
  if (depth !== 24) expect([...(chunks[1]?.data ?? [])]).toEqual([0x10, 0x20, 0x30, 0xff, 0x00, 0x01]);
  const data = chunks.at(-2)?.data ?? Buffer.alloc(0);
  expect(data.readUInt16BE(0) % 31).toBe(0);
  const raw = inflateRawSync(data.subarray(2, -4));
  expect(raw).toHaveLength(segments.reduce((sum, { rawLength }) => sum + rawLength, 0));
  expect(data.readUInt32BE(data.length - 4)).toBe(adler32(raw));
  expect(chunks.at(-1)?.data).toHaveLength(0);
});

test('a chunk is its length, its type, its data and their checksum', () => {
  const bytes = Buffer.from(chunk('PLTE', Uint8Array.of(1, 2, 3)));
  expect(bytes.toString('latin1', 0, 11)).toBe('\0\0\0\u0003PLTE\u0001\u0002\u0003');
  expect(bytes.readUInt32BE(11)).toBe(crc32(Buffer.from('PLTE\u0001\u0002\u0003', 'latin1')));
  expect(bytes).toHaveLength(15);
});

/** By its definition: RFC 1950, 8.2. */
function slowAdler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 0x1_0000 + a;
}

test.each([0, 1, 15, 16, 63, 64, 65, 127, 128, 4095, 4096, 4097, 40_000])(
  'the Adler-32 of %i bytes follows its definition, at any offset',
  (length) => {
    for (const at of [0, 1, 2, 3]) {
      for (const byteAt of [() => 255, (index: number) => Math.imul(index + 1, 2_654_435_761) >>> 24]) {
        const bytes = Uint8Array.from({ length: at + length }, (_, index) => byteAt(index)).subarray(at);
        expect(adler32(bytes)).toBe(slowAdler32(bytes));
      }
    }
  },
);

test('checksums of strings join at the edges of their numbers too', () => {
  const nothing = new Uint8Array(0);
  // Sums of 65,520, of 0 and of one more.
  const strings = [
    nothing,
    ...[[255], [254], [0], [1]].map(([last = 0]) =>
      Uint8Array.from({ length: 257 }, (_, at) => (at < 256 ? 255 : last)),
    ),
  ];
  strings.push(
    Uint8Array.from({ length: 257 }, (_, at) => (at === 256 ? 240 : 255)),
    Uint8Array.of(239),
    Uint8Array.of(240),
  );
  for (const first of strings) {
    for (const second of strings) {
      const joined = Buffer.concat([first, second]);
      expect(combineAdler32(adler32(first), adler32(second), second.length)).toBe(slowAdler32(joined));
      expect(joinCrc32(crc32(first), crc32(second), crcShift(second.length))).toBe(crc32(joined));
    }
  }
});
