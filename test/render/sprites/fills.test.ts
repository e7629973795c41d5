import { describe, expect, it } from 'vitest';
import { braille } from '../../../src/render/sprites/braille.js';
import { fills } from '../../../src/render/sprites/fills.js';
import { rowsOf } from '../support/ink.js';
import { range, stacked, tiled } from './mask-probes.js';

const drawn = (codePoint: number, width: number, height: number, stroke = 1): string[] =>
  rowsOf(fills.draw(codePoint, { width, height, stroke }));
const rowsTimes = (count: number, ...rows: readonly string[]): string[] =>
  Array.from({ length: count }, () => rows).flat();

it('exactly these code points are fills', () => {
  expect(range(0, 0x1ffff).filter((codePoint) => fills.has(codePoint))).toEqual([
    ...range(0x23ba, 0x23bd),
    ...range(0x1cc40, 0x1cc47),
    0x1fb95,
    0x1fb96,
    0x1fb98,
    0x1fb99,
  ]);
});

describe('checks', () => {
  it('are four across and square, the first one inked or, inverted, not', () => {
    expect(drawn(0x1fb95, 8, 16)).toEqual(rowsTimes(4, '##..##..', '##..##..', '..##..##', '..##..##'));
    expect(drawn(0x1fb96, 8, 16)).toEqual(rowsTimes(4, '..##..##', '..##..##', '##..##..', '##..##..'));
    expect(drawn(0x1fb95, 8, 4)).toEqual(['##..##..', '##..##..', '..##..##', '..##..##']);
  });

  it('are two across if there are too few pixels', () => {
    expect(drawn(0x1fb95, 3, 4)).toEqual(['##.', '##.', '..#', '..#']);
    expect(drawn(0x1fb95, 4, 2)).toEqual(['#.#.', '.#.#']);
  });
});

describe('hatches', () => {
  it.each([
    ['level lines half a width apart', 0x1cc40, rowsTimes(4, '########', ...rowsTimes(3, '........'))],
    ['upright lines half a width apart', 0x1cc41, rowsTimes(16, '#...#...')],
    ['both', 0x1cc42, rowsTimes(4, '########', ...rowsTimes(3, '#...#...'))],
    ['upright lines a quarter apart', 0x1cc44, rowsTimes(16, '#.#.#.#.')],
    ['level lines a quarter apart', 0x1cc45, rowsTimes(8, '########', '........')],
  ])('are %s', (_, codePoint, rows) => {
    expect(drawn(codePoint, 8, 16)).toEqual(rows);
  });

  it('are as thick as strokes, and apart from each other', () => {
    expect(drawn(0x1cc41, 12, 1, 2)).toEqual(['##....##....']);
    expect(drawn(0x1cc44, 12, 1, 2)).toEqual(['##..##..##..']);
    expect(drawn(0x1cc41, 4, 1, 4)).toEqual(['####']);
    expect(drawn(0x1cc40, 8, 9)).toEqual([
      '########',
      ...rowsTimes(3, '........'),
      '########',
      ...rowsTimes(4, '........'),
    ]);
  });
});

describe('stripes', () => {
  it('fall to the right, or rise, a pixel for each row', () => {
    const falling = drawn(0x1fb98, 8, 16);
    expect(falling.slice(0, 5)).toEqual(['8#6.8#6.', '.8#6.8#6', '6.8#6.8#', '#6.8#6.8', '8#6.8#6.']);
    const rising = drawn(0x1fb99, 8, 16);
    expect(rising[0]).toBe('#6.8#6.8');
    for (const [rows, by] of [
      [falling, 1],
      [rising, -1],
    ] as const) {
      rows.slice(1).forEach((row, y) => {
        const before = rows[y]!;
        expect(row).toBe(by === 1 ? before.at(-1)! + before.slice(0, -1) : before.slice(1) + before[0]!);
      });
    }
  });

  it.each([4, 5, 7, 9, 12, 20, 40])('go on in the next cell, across and down, in cells %i wide', (width) => {
    for (const codePoint of [0x1fb98, 0x1fb99, 0x1cc43]) {
      const cell = fills.draw(codePoint, { width, height: 2 * width, stroke: 1 });
      const rows = rowsOf(cell);
      const share = cell.alpha.reduce((sum, ink) => sum + ink, 0) / cell.alpha.length / 255;
      expect(Math.abs(share - 0.5)).toBeLessThan(0.08);
      // Across a row it is a whole number of periods: what leaves a cell on one side comes in on the other.
      const inks = rows.map((_, y) =>
        cell.alpha.subarray(y * width, (y + 1) * width).reduce((sum, ink) => sum + ink, 0),
      );
      expect(Math.max(...inks) - Math.min(...inks)).toBeLessThanOrEqual(codePoint === 0x1cc43 ? 255 * width : 255);
    }
  });

  it('of a quarter each are crossed to a grid', () => {
    expect(drawn(0x1cc43, 8, 16)).toEqual(rowsTimes(4, 'b6.8b6.8', '.8b6.8b6', '.8b6.8b6', 'b6.8b6.8'));
  });
});

describe('speckles', () => {
  it('are a dot in the middle of every second check, and of the others in the second frame', () => {
    const [blank, left, right] = ['........', '.#......', '.....#..'];
    const pair = (first: string, second: string): string[] => [blank, first, blank, blank, blank, second, blank, blank];
    expect(drawn(0x1cc46, 8, 16)).toEqual(rowsTimes(2, ...pair(left, right)));
    expect(drawn(0x1cc47, 8, 16)).toEqual(rowsTimes(2, ...pair(right, left)));
  });

  it('are as large as strokes are thick', () => {
    const large = drawn(0x1cc46, 12, 12, 2);
    const [blank, left, right] = ['............', '..##........', '........##..'];
    expect(large).toEqual([blank, blank, left, left, blank, blank, blank, blank, right, right, blank, blank]);
  });

  it('of the two frames never meet', () => {
    for (const width of [4, 7, 9, 20]) {
      const cell = { width, height: 2 * width, stroke: 1 };
      expect(Math.max(...stacked([0x1cc46, 0x1cc47].map((codePoint) => fills.draw(codePoint, cell))))).toBe(255);
    }
  });
});

it.each([
  [0x23ba, 8, 17, 1, 0],
  [0x23bb, 8, 17, 1, 4],
  [0x23bc, 8, 17, 1, 12],
  [0x23bd, 8, 17, 1, 16],
  [0x23bd, 20, 40, 2, 38],
])('scan line %i of a cell of %ix%i, %i thick, begins in row %i', (codePoint, width, height, stroke, top) => {
  const rows = drawn(codePoint, width, height, stroke);
  const lined = rows.flatMap((row, y) => (row === '#'.repeat(width) ? [y] : []));
  expect(lined).toEqual(range(top, top + stroke - 1));
  expect(rows.filter((row) => row === '.'.repeat(width))).toHaveLength(height - stroke);
});

describe('braille', () => {
  const dots = (codePoint: number, width: number, height: number): string[] =>
    rowsOf(braille.draw(codePoint, { width, height, stroke: 1 }));

  it('has a dot for each bit, of a quarter of the width', () => {
    const [blank, both] = ['........', '.##..##.'];
    expect(dots(0x28ff, 8, 16)).toEqual(rowsTimes(4, blank, both, both, blank));
    expect(dots(0x2801, 8, 16)).toEqual([blank, '.##.....', '.##.....', ...rowsTimes(13, blank)]);
    expect(dots(0x2880, 8, 16)).toEqual([...rowsTimes(13, blank), '.....##.', '.....##.', blank]);
    expect(dots(0x2800, 8, 16)).toEqual(rowsTimes(16, blank));
  });

  it('has dots as wide as the gaps between them, in this cell and the next, in cells of any shape', () => {
    expect(dots(0x28ff, 4, 8)).toEqual(rowsTimes(4, '....', '.#.#'));
    for (const [width, height, size] of [
      [16, 16, 2],
      [8, 40, 2],
      [20, 40, 5],
      [2, 4, 1],
    ] as const) {
      const full = braille.draw(0x28ff, { width, height, stroke: 1 });
      expect(full.alpha.filter((ink) => ink > 0)).toHaveLength(8 * size * size);
      expect(tiled([[full, full]]).alpha.filter((ink) => ink > 0)).toHaveLength(16 * size * size);
    }
  });

  it('covers its whole block', () => {
    expect(range(0x2700, 0x2a00).filter((codePoint) => braille.has(codePoint))).toEqual(range(0x2800, 0x28ff));
  });
});
