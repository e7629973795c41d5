/** Lines from the middle of the cell to its edges, written as they are to look: arms up, right, down, left. */
import { describe, expect, it } from 'vitest';
import { type Arms, drawArms, drawDashes } from '../../../src/render/sprites/arms.js';
import { rowsOf } from '../support/ink.js';
import { range } from './mask-probes.js';

function arms(weights: string): Arms {
  const [up = 0, right = 0, down = 0, left = 0] = Array.from(weights, Number);
  return { up, right, down, left };
}

const drawn = (weights: string, width = 7, height = 7, stroke = 1): string[] =>
  rowsOf(drawArms(arms(weights), { width, height, stroke }));

describe('arms', () => {
  it.each([
    ['light cross', '1111', ['...#...', '...#...', '...#...', '#######', '...#...', '...#...', '...#...']],
    ['heavy cross', '2222', ['..##...', '..##...', '#######', '#######', '..##...', '..##...', '..##...']],
    ['double cross', '3333', ['..#.#..', '..#.#..', '###.###', '.......', '###.###', '..#.#..', '..#.#..']],
    ['double corner', '0330', ['.......', '.......', '..#####', '..#....', '..#.###', '..#.#..', '..#.#..']],
    [
      'light upright, double to the right',
      '1310',
      ['...#...', '...#...', '...####', '...#...', '...####', '...#...', '...#...'],
    ],
    [
      'double upright, light to the right',
      '3130',
      ['..#.#..', '..#.#..', '..#.#..', '..#.###', '..#.#..', '..#.#..', '..#.#..'],
    ],
    [
      'double upright, light across',
      '3131',
      ['..#.#..', '..#.#..', '..#.#..', '#######', '..#.#..', '..#.#..', '..#.#..'],
    ],
    [
      'light upright, double across',
      '1313',
      ['...#...', '...#...', '#######', '...#...', '#######', '...#...', '...#...'],
    ],
    [
      'light up, double to the left',
      '1003',
      ['...#...', '...#...', '####...', '...#...', '####...', '.......', '.......'],
    ],
    [
      'double up, light to the right',
      '3100',
      ['..#.#..', '..#.#..', '..#.#..', '..#####', '.......', '.......', '.......'],
    ],
    [
      'double across, light down',
      '0313',
      ['.......', '.......', '#######', '.......', '#######', '...#...', '...#...'],
    ],
    [
      'light across, double down',
      '0131',
      ['.......', '.......', '.......', '#######', '..#.#..', '..#.#..', '..#.#..'],
    ],
    [
      'light to the right, heavy down',
      '0120',
      ['.......', '.......', '.......', '..#####', '..##...', '..##...', '..##...'],
    ],
    [
      'heavy up, light down and left',
      '2011',
      ['..##...', '..##...', '..##...', '####...', '...#...', '...#...', '...#...'],
    ],
    ['light to the left alone', '0001', ['.......', '.......', '.......', '####...', '.......', '.......', '.......']],
    [
      'light to the right, heavy to the left',
      '0102',
      ['.......', '.......', '####...', '#######', '.......', '.......', '.......'],
    ],
  ])('draw a %s', (_, weights, rows) => {
    expect(drawn(weights)).toEqual(rows);
  });

  it('grow with their stroke', () => {
    const doubled = drawn('3131', 14, 14, 2);
    expect(doubled.filter((row, y) => y % 2 === 0 && row === doubled[y + 1])).toHaveLength(7);
    const halved = doubled.filter((_, y) => y % 2 === 0).map((row) => row.replaceAll(/(.)\1/g, '$1'));
    expect(halved).toEqual(drawn('3131'));
  });

  it('turned by a right angle are the arms of a cell turned alike', () => {
    const weights = range(1, 255).map((index) => index.toString(4).padStart(4, '0'));
    for (const [up, right, down, left] of weights as unknown as [string, string, string, string][]) {
      const rows = drawn(`${up}${right}${down}${left}`, 9, 13);
      const flipped = Array.from({ length: 9 }, (_, x) => rows.map((row) => row[x]).join(''));
      expect(drawn(`${left}${down}${right}${up}`, 13, 9), `${up}${right}${down}${left}`).toEqual(flipped);
    }
  });

  it('mirrored are the mirrored arms if strokes are in the middle', () => {
    for (const weights of ['1310', '3100', '0330', '1330', '3013', '0103', '3331']) {
      const [up = '', right = '', down = '', left = ''] = weights;
      const rows = drawn(weights, 9, 9);
      expect(drawn(`${up}${left}${down}${right}`, 9, 9)).toEqual(
        rows.map((row) => Array.from(row).toReversed().join('')),
      );
      expect(drawn(`${down}${right}${up}${left}`, 9, 9)).toEqual(rows.toReversed());
    }
  });
});

describe('dashes', () => {
  const dashed = (weights: string, count: number, width: number, height: number): string[] =>
    rowsOf(drawDashes(arms(weights), count, { width, height, stroke: 1 }));

  it.each([
    [2, 12, '.####..####.'],
    [3, 12, '###.###.###.'],
    [4, 12, '##.##.##.##.'],
    [2, 20, '.#######...#######..'],
    [3, 20, '.#####..####..#####.'],
    [2, 4, '#.#.'],
    [3, 5, '#####'],
    [3, 6, '#.#.#.'],
  ])('of %i in %i pixels are %s, across and down', (count, size, row) => {
    expect(dashed('0101', count, size, 5)).toEqual([
      '.'.repeat(size),
      '.'.repeat(size),
      row,
      '.'.repeat(size),
      '.'.repeat(size),
    ]);
    expect(dashed('1010', count, 5, size)).toEqual(Array.from(row, (sign) => `..${sign}..`));
  });

  it('of heavy lines are cut completely', () => {
    const row = '.####..####.';
    const blank = '.'.repeat(12);
    expect(dashed('0202', 2, 12, 5)).toEqual([blank, row, row, blank, blank]);
  });
});
