/** Which characters the files of fonts/ have, by their lists. */
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Coverage, readCoverage } from '../../../src/render/fonts/coverage.js';
import { EmojiSequences } from '../../../src/render/fonts/emoji-sequences.js';
import { tempDir } from '../../support/temp-dir.js';

describe('coverage', () => {
  test('of single characters and ranges counts all characters before each', () => {
    const coverage = new Coverage('41,43-45,61');
    expect([0x40, 0x41, 0x42, 0x43, 0x45, 0x46, 0x61, 0x62].map((code) => coverage.rank(code))).toEqual([
      undefined,
      0,
      undefined,
      1,
      3,
      undefined,
      4,
      undefined,
    ]);
    expect([0x41, 0x42, 0x44].map((code) => coverage.has(code))).toEqual([true, false, true]);
    expect(coverage.size).toBe(5);
    expect(new Coverage('41').size).toBe(1);
    expect(new Coverage('0-2').rank(0)).toBe(0);
  });

  test('is found in many ranges', () => {
    const starts = Array.from({ length: 33 }, (_, at) => at * 16);
    const coverage = new Coverage(starts.map((start) => `${start.toString(16)}-${(start + 3).toString(16)}`).join());
    expect(starts.map((start) => coverage.rank(start + 2))).toEqual(starts.map((_, at) => at * 4 + 2));
    expect(starts.filter((start) => coverage.has(start + 4) || coverage.has(start + 15))).toEqual([]);
  });

  test('is read under the name of each file', () => {
    const { path, join } = tempDir();
    writeFileSync(join('coverage.txt'), 'one:41-43\ntwo-bold:61\n');
    const read = readCoverage(path);
    expect([...read.keys()]).toEqual(['one', 'two-bold']);
    expect([read.get('one')?.size, read.get('two-bold')?.rank(0x61)]).toEqual([3, 0]);
  });
});

test('a sequence of emoji has a character of its own, by its index in the list', () => {
  const { path, join } = tempDir();
  writeFileSync(join('own.sequences.txt'), '31-20e3\n1f1e9-1f1ea\n');
  const sequences = new EmojiSequences(path, 'own');
  expect(sequences.find([0x31, 0x20e3])).toBe('\u{100000}');
  expect(sequences.find([0x1f1e9, 0x1f1ea])).toBe('\u{100001}');
  expect(sequences.find([0x1f1e9])).toBeUndefined();
});
