/** The box with the code of a character that no face has, as it looks. */
import { expect, test } from 'vitest';
import { drawTofu } from '../../../src/render/glyphs/tofu.js';
import { glyphRows } from '../support/ink.js';

const drawn = (text: string, width: number, height: number): string[] => glyphRows(drawTofu(text, width, height));

test('the code has two rows of two digits, without sides if digits need their columns', () => {
  expect(drawn('\ue0ff', 8, 16)).toEqual([
    '########',
    '........',
    '.###.###',
    '.#...#.#',
    '.###.#.#',
    '.#...#.#',
    '.###.###',
    '........',
    '.###.###',
    '.#...#..',
    '.###.###',
    '.#...#..',
    '.#...#..',
    '........',
    '........',
    '########',
  ]);
});

test('an odd digit is in the middle of its row, and digits are as large as possible', () => {
  const small = drawn('\u{12345}', 10, 20);
  expect(small).toEqual([
    '##########',
    '#..#..####',
    '#.##....##',
    '#..#..####',
    '#..#..#..#',
    '#.###.####',
    '#........#',
    '#.###.#.##',
    '#...#.#.##',
    '#.###.####',
    '#...#...##',
    '#.###...##',
    '#........#',
    '#...###..#',
    '#...#....#',
    '#...###..#',
    '#.....#..#',
    '#...###..#',
    '#........#',
    '##########',
  ]);
  const inner = (rows: readonly string[]): string[] => rows.slice(1, -1).map((row) => row.slice(1, -1));
  const large = inner(drawn('\u{12345}', 20, 40));
  const twice = large.filter((_, y) => y % 2 === 0).map((row) => row.replaceAll(/(.)\1/g, '$1'));
  expect(large.filter((_, y) => y % 2 === 1).map((row) => row.replaceAll(/(.)\1/g, '$1'))).toEqual(twice);
  expect(twice.slice(1, 6)).toEqual(['..#..###.', '.##....#.', '..#..###.', '..#..#...', '.###.###.']);
});

test('four digits are in one row if that is as large', () => {
  expect(drawn('A', 17, 8)).toEqual([
    '#################',
    '####.###.#.#..#.#',
    '##.#.#.#.#.#.##.#',
    '##.#.#.#.###..#.#',
    '##.#.#.#...#..#.#',
    '####.###...#.####',
    '#...............#',
    '#################',
  ]);
  expect(drawn('A', 17, 7).slice(1, 6)).toEqual(drawn('A', 17, 8).slice(1, 6));
  expect(drawn('A', 3, 26).slice(1, 13)).toEqual([
    '###',
    '#.#',
    '#.#',
    '#.#',
    '###',
    '...',
    '###',
    '#.#',
    '#.#',
    '#.#',
    '###',
    '...',
  ]);
});

test.each([
  ['\u{10ffff}', 8, 16],
  ['A', 5, 12],
  ['A', 2, 40],
  ['A', 17, 6],
])('%j in a cell of %ix%i is an empty box', (text, width, height) => {
  const side = width > 8 ? `#${'.'.repeat(width - 2)}#` : '.'.repeat(width);
  const edge = '#'.repeat(width);
  expect(drawn(text, width, height)).toEqual([edge, ...Array<string>(height - 2).fill(side), edge]);
});

test('the sixteen digits differ from each other', () => {
  const digits = Array.from('0123456789abcdef', (digit) =>
    drawn(String.fromCodePoint(Number.parseInt(`e00${digit}`, 16)), 9, 18).join(''),
  );
  expect(new Set(digits).size).toBe(16);
});

test('digits are in the order of the code, and separate, in cells of every width', () => {
  for (const width of [8, 9, 13, 16, 20, 40, 64]) {
    const rows = drawn('\ue0ff', width, 2 * width);
    expect(rows).toHaveLength(2 * width);
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([width]));
    expect(rows.slice(1, -1).some((row) => row.includes('###'))).toBe(true);
    expect(drawn('\ue0ff', width, 2 * width)).not.toEqual(drawn('\uff0e', width, 2 * width));
  }
});
