import { describe, expect, it } from 'vitest';
import { branches } from '../../../src/render/sprites/branches.js';
import { rowsOf } from '../support/ink.js';
import { draw, range } from './mask-probes.js';

const CELL = { width: 9, height: 17, stroke: 1 };
const drawn = (codePoint: number, cell = CELL): string[] => rowsOf(branches.draw(codePoint, cell));
const mirrored = (rows: readonly string[]): string[] => rows.map((row) => Array.from(row).toReversed().join(''));

it('exactly these code points are pieces of graphs', () => {
  expect(range(0xf500, 0xf700).filter((codePoint) => branches.has(codePoint))).toEqual(range(0xf5d0, 0xf60d));
});

describe('lines', () => {
  it('are level and upright light lines', () => {
    const blank = '.'.repeat(9);
    expect(drawn(0xf5d0)).toEqual([...Array<string>(8).fill(blank), '#'.repeat(9), ...Array<string>(8).fill(blank)]);
    expect(drawn(0xf5d1)).toEqual(Array<string>(17).fill('....#....'));
  });

  it('with a curve end at the edges like box drawing, equally thick', () => {
    for (const size of [
      [8, 16],
      [20, 40],
    ] as const) {
      const stroke = size[0] / 8 > 2 ? 2 : 1;
      const cell = { width: size[0], height: size[1], stroke };
      for (const [codePoint, box] of [
        [0xf5d6, '╭'],
        [0xf5d7, '╮'],
        [0xf5d8, '╰'],
        [0xf5d9, '╯'],
      ] as const) {
        expect(drawn(codePoint, cell)).toEqual(rowsOf(draw(box, size, stroke)));
      }
      const edges = (rows: readonly string[]): string[] => [rows[0]!, rows.at(-1)!];
      expect(edges(drawn(0xf5da, cell))).toEqual(edges(rowsOf(draw('│', size, stroke))));
    }
  });
});

describe('lines that fade', () => {
  it('lose the same amount from each pixel to the next', () => {
    const { alpha } = branches.draw(0xf5d2, { width: 10, height: 5, stroke: 1 });
    expect([...alpha.subarray(20, 30)]).toEqual([255, 230, 204, 179, 153, 128, 102, 77, 51, 26]);
    expect(alpha.filter((ink) => ink > 0)).toHaveLength(10);
  });

  it('are the same to the left, and turned up and down', () => {
    const cell = { width: 11, height: 11, stroke: 3 };
    const [right, left, down, up] = range(0xf5d2, 0xf5d5).map((codePoint) => drawn(codePoint, cell));
    expect(left).toEqual(mirrored(right!));
    expect(up).toEqual(down!.toReversed());
    expect(down).toEqual(right!.map((_, x) => right!.map((row) => row[x]).join('')));
    expect(right!.filter((row) => /[^.]/.test(row))).toHaveLength(3);
    const long = drawn(0xf5d4, { width: 5, height: 20, stroke: 1 });
    expect([long[0], long[19]]).toEqual(['..#..', '..0..']);
  });
});

describe('commits', () => {
  const [FILLED, HOLLOW] = [0xf5ee, 0xf5ef];

  it('are a disc, or a ring as thick as a line, the same from all sides', () => {
    for (const width of [9, 20, 33]) {
      const stroke = width === 20 ? 2 : 1;
      for (const codePoint of [FILLED, HOLLOW]) {
        const rows = drawn(codePoint, { width, height: width, stroke });
        const value = (sign: string): number => (sign === '#' ? 15 : sign === '.' ? 0 : Number.parseInt(sign, 16));
        const values = rows.map((row) => Array.from(row, value));
        const odd = values.flatMap((line, y) =>
          line.filter((ink, x) =>
            [values[y]![width - 1 - x]!, values[width - 1 - y]![x]!, values[x]![y]!].some(
              (other) => Math.abs(ink - other) > 3,
            ),
          ),
        );
        expect(odd).toEqual([]);
        const middle = rows[Math.floor(width / 2)]!;
        const clear = middle.indexOf('#');
        expect(middle.slice(clear, clear + stroke)).toBe('#'.repeat(stroke));
        expect(middle[Math.floor(width / 2)]).toBe(codePoint === FILLED ? '#' : '.');
      }
    }
  });

  it('keep a stroke away from the edges', () => {
    const rows = drawn(FILLED, { width: 20, height: 20, stroke: 2 });
    expect([rows[0], rows[19]]).toEqual(['.'.repeat(20), '.'.repeat(20)]);
    expect(rows[10]).toBe(`.${'#'.repeat(18)}.`);
    expect(drawn(FILLED, { width: 20, height: 30, stroke: 4 })[15]).toBe(`..${'#'.repeat(16)}..`);
    expect(drawn(FILLED, { width: 3, height: 3, stroke: 1 })[1]).toBe('7#7');
  });

  it('are joined by light lines to the edges, and their ring is open only as wide as the line', () => {
    const joined = ',R,L,LR,D,U,UD,DR,DL,UR,UL,UDR,UDL,LRD,LRU,UDLR'.split(',');
    joined.forEach((edges, index) => {
      for (const codePoint of [FILLED + 2 * index, HOLLOW + 2 * index]) {
        const rows = drawn(codePoint);
        const on = (edge: string, line: string): string => (edges.includes(edge) ? line : line.replaceAll('#', '.'));
        expect(rows[0]).toBe(on('U', '....#....'));
        expect(rows[1]).toBe(on('U', '....#....'));
        expect(rows.at(-1)).toBe(on('D', '....#....'));
        expect(rows.at(-2)).toBe(on('D', '....#....'));
        expect(rows.map((row) => row[0]).join('')).toBe(on('L', '........#........'));
        expect(rows.map((row) => row[8]).join('')).toBe(on('R', '........#........'));
        const inside = rows.slice(7, 10).map((row) => row.slice(3, 6));
        expect(inside).toEqual(Array<string>(3).fill(codePoint % 2 === 0 ? '###' : '...'));
      }
    });
  });
});
