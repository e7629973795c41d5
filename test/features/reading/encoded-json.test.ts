import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodedJson, Json } from '../../../src/features/reading/encoded-json.js';
import { MadeBytes } from '../../../src/rpc/made-bytes.js';
import { finish } from '../../../src/search/work.js';
import { lineWithFields } from '../../../src/rpc/encoded-fields.js';

const textOf = (pieces: readonly Uint8Array[]): string => Buffer.concat(pieces).toString();
const encoded = (value: readonly unknown[] | string): string => textOf(finish(encodedJson(value, new MadeBytes())));

describe('JSON in pieces', () => {
  test('is that of the whole value', () => {
    const isSame = (value: readonly unknown[] | string): boolean => encoded(value) === JSON.stringify(value);
    fc.assert(fc.property(fc.array(fc.jsonValue()), isSame));
    fc.assert(fc.property(fc.string({ unit: 'binary' }), isSame));
    expect(encoded(['a', new Json('{"b":1}'), 2])).toBe('["a",{"b":1},2]');
  });

  test('is cut between characters of a long text, wherever those of two units are', () => {
    for (const lead of ['', 'x', '\n', '"\ud800']) {
      const text = lead + '\u{1f600}'.repeat(100_000);
      expect(JSON.parse(encoded(text))).toBe(text);
      expect(encoded(text)).not.toContain('ud83d');
    }
  });

  test('pauses after each item, and has pieces of a bounded length', () => {
    const lines = Array.from({ length: 500 }, (_, i) => `${i}`.repeat(500));
    let pauses = 0;
    const work = encodedJson(lines, new MadeBytes());
    let next = work.next();
    for (; next.done !== true; next = work.next()) pauses++;
    expect(pauses).toBe(500);
    expect(Math.max(...next.value.map(({ length }) => length))).toBeLessThan(128 * 1024);
    expect(next.value.length).toBeGreaterThan(5);
  });
});

test('a line with encoded fields is the JSON of all of them, padded where raw bytes follow', () => {
  const fields = {
    lines: finish(encodedJson(['a', 'b'], new MadeBytes())),
    'na"me': finish(encodedJson('text', new MadeBytes())),
  };
  for (const isPadded of [false, true]) {
    const { first, rest } = lineWithFields({ ok: true, rev: 7 }, fields, isPadded);
    const line = textOf([first, ...rest]);
    expect(line.endsWith('\n')).toBe(true);
    expect(JSON.parse(line)).toEqual({ ok: true, rev: 7, lines: ['a', 'b'], 'na"me': 'text' });
    expect(line.length % 4096).toBe(isPadded ? 0 : line.trimEnd().length + 1);
  }
});
