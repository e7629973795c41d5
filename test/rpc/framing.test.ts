import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatBytes, encodeLine, encodePaddedLine, LineSplitter } from '../../src/protocol/framing.js';

const line = fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.filter((byte) => byte !== 0x0a && byte !== 0x0d));

function split(chunks: readonly Uint8Array[], maxLineBytes = 1000): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter(maxLineBytes, {
    line: (bytes) => lines.push(Buffer.from(bytes).toString('hex')),
    tooLong: () => lines.push('too long'),
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

/** Cuts `bytes` at the given places, in any order and number. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  const starts = [0, ...sorted];
  return starts.map((start, i) => bytes.subarray(start, sorted[i] ?? bytes.length));
}

describe('lines of requests', () => {
  test('are the same for any chunks', () => {
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, places) => {
        const whole = Buffer.concat(lines.map((bytes) => Buffer.concat([bytes, Buffer.from('\n')])));
        expect(split(cut(whole, places))).toEqual(lines.map((bytes) => Buffer.from(bytes).toString('hex')));
      }),
    );
  });

  test('of more than a mebibyte are the same for any chunks, and so are those behind them', () => {
    const long = Uint8Array.from({ length: 3 * 1024 * 1024 }, (_, i) => 0x61 + (i % 23));
    const lines = [long, Buffer.from('short'), long.subarray(1), long.subarray(0, 1024 * 1024 + 1)];
    const whole = Buffer.concat(lines.flatMap((bytes) => [bytes, Buffer.from('\n')]));
    for (const size of [65_536, 1_000_003, whole.length]) {
      const places = Array.from({ length: Math.ceil(whole.length / size) - 1 }, (_, i) => (i + 1) * size);
      const found = split(cut(new Uint8Array(whole), places), 4 * 1024 * 1024);
      expect(found.map((hex, i) => Buffer.from(hex, 'hex').equals(lines[i] as Uint8Array))).toEqual([
        true,
        true,
        true,
        true,
      ]);
    }
  });

  test('do not change when the memory of their chunk is reused', () => {
    const lines: Uint8Array[] = [];
    const splitter = new LineSplitter(100, { line: (bytes) => lines.push(bytes), tooLong: () => {} });
    const chunk = new Uint8Array([0x61, 0x62]);
    splitter.push(chunk);
    chunk.fill(0x7a);
    splitter.push(new Uint8Array([0x0a]));
    expect(Buffer.from(lines[0]!).toString()).toBe('ab');
  });

  test('are reported as too long at the first byte over the limit, with any cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), fc.array(fc.nat()), (extra, places) => {
        const bytes = new Uint8Array(10 + extra).fill(0x61);
        const expected = extra === 0 ? [Buffer.from(bytes).toString('hex')] : ['too long'];
        expect(split(cut(Buffer.concat([bytes, Buffer.from('\n{}\n')]), places), 10).slice(0, 1)).toEqual(expected);
      }),
    );
  });
});

describe('a splitter', () => {
  const told: string[] = [];
  const open = (maxLineBytes: number): LineSplitter => {
    told.length = 0;
    return new LineSplitter(maxLineBytes, {
      line: (bytes) => told.push(Buffer.from(bytes).toString()),
      tooLong: () => told.push('too long'),
    });
  };

  test('removes the carriage return before a newline, and no other', () => {
    const splitter = open(100);
    splitter.push(Buffer.from('a\r\nb\rc\n\r\n\r\r\n\nd'));
    expect(told).toEqual(['a', 'b\rc', '', '\r', '']);
    splitter.push(Buffer.from('\r'));
    splitter.push(Buffer.from('\n'));
    expect(told.at(-1)).toBe('d');
  });

  test('counts the bytes of an unfinished line', () => {
    const splitter = open(100);
    splitter.push(Buffer.from('ab\ncd'));
    expect(splitter.pendingBytes).toBe(2);
    splitter.push(Buffer.from('ef'));
    expect(splitter.pendingBytes).toBe(4);
    splitter.push(Buffer.from('\ng'));
    expect([splitter.pendingBytes, ...told]).toEqual([1, 'ab', 'cdef']);
    splitter.end();
    expect([splitter.pendingBytes, ...told]).toEqual([0, 'ab', 'cdef', 'g']);
    splitter.end();
    expect(told.length).toBe(3);
  });

  test('accepts a line of exactly the limit, and nothing after a longer one', () => {
    const splitter = open(3);
    splitter.push(Buffer.from('abc\nabcd\ne\n'));
    expect([splitter.pendingBytes, ...told]).toEqual([0, 'abc', 'too long']);
    splitter.push(Buffer.from('f\n'));
    splitter.end();
    expect(told).toEqual(['abc', 'too long']);
  });
});

test('pieces of bytes are joined into one array', () => {
  const pieces = [Uint8Array.of(1, 2), new Uint8Array(), Uint8Array.of(3)];
  const whole = concatBytes(pieces);
  pieces[0]?.fill(9);
  expect(Array.from(whole)).toEqual([1, 2, 3]);
  expect(concatBytes([]).length).toBe(0);
});

describe('a padded header', () => {
  test.each([0, 1, 4080, 4081, 4082, 4083, 4084, 4085, 8190])('is no longer than needed for a text of %i', (length) => {
    const value = { text: 'x'.repeat(length) };
    const padded = encodePaddedLine(value);
    const plain = encodeLine(value);
    expect(padded.length % 4096).toBe(0);
    expect(padded.length - plain.length).toBeLessThan(4096);
    expect(Buffer.from(padded).toString().replace(/ *\n$/, '\n')).toBe(Buffer.from(plain).toString());
  });

  test('is the same JSON, ends in its only newline and is a multiple of 4,096 bytes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 9000 }), (text) => {
        const padded = encodePaddedLine({ text });
        expect(padded.length % 4096).toBe(0);
        expect(padded.indexOf(0x0a)).toBe(padded.length - 1);
        expect(JSON.parse(Buffer.from(padded).toString())).toEqual(
          JSON.parse(Buffer.from(encodeLine({ text })).toString()),
        );
      }),
    );
  });
});

test.each([1, 7, 1000])('a line that comes in pieces of %d bytes holds few of them, and is whole', (size) => {
  const lines: string[] = [];
  const splitter = new LineSplitter(1 << 24, {
    line: (bytes) => lines.push(Buffer.from(bytes).toString()),
    tooLong: () => {},
  });
  const line = Array.from({ length: 300_000 }, (_, i) => String.fromCharCode(97 + (i % 26))).join('');
  const bytes = Buffer.from(line);
  for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size));
  // Some ten small pieces, and one for each 16 KiB.
  expect(splitter.heldBytes).toBeLessThan(1.05 * bytes.length);
  splitter.push(Buffer.from('\n'));
  expect(lines).toEqual([line]);
  expect(splitter.heldBytes).toBe(0);
});
