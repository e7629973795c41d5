import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boxesKey, boxesOf, drawBoxes, MARK_COLOR, type RowBox } from '../../../src/render/raster/overlays.js';
import { paper } from '../support/target.js';

const HERE = { rowOffset: 0, colOffset: 0 };
const mark = { row: 2, col: 3, rows: 3, cols: 4 };

test('a box is open between its first and its last row', () => {
  expect([1, 2, 3, 4, 5].map((y) => boxesOf([mark], y, HERE, 80))).toEqual([
    [],
    [{ left: 3, right: 7, top: true, bottom: false }],
    [{ left: 3, right: 7, top: false, bottom: false }],
    [{ left: 3, right: 7, top: false, bottom: true }],
    [],
  ]);
});

test('a box moves with rulers and lines of the scrollback', () => {
  expect(boxesOf([mark], 7, { rowOffset: 5, colOffset: 2 }, 80)).toEqual([
    { left: 5, right: 9, top: true, bottom: false },
  ]);
  expect(boxesOf([mark], 6, { rowOffset: 5, colOffset: 2 }, 80)).toEqual([]);
  expect(boxesOf([{ ...mark, row: -3, rows: 1 }], 0, { rowOffset: 3, colOffset: 0 }, 80)).toEqual([
    { left: 3, right: 7, top: true, bottom: true },
  ]);
});

test('a box ends at the edges of the view, and is none if it is outside', () => {
  const offset = { rowOffset: 0, colOffset: -4 };
  expect(boxesOf([mark], 3, offset, 80)).toEqual([{ left: 0, right: 3, top: false, bottom: false }]);
  expect(boxesOf([mark], 3, HERE, 5)).toEqual([{ left: 3, right: 5, top: false, bottom: false }]);
  expect(boxesOf([mark], 3, { rowOffset: 0, colOffset: -7 }, 80)).toEqual([]);
  expect(boxesOf([mark], 3, HERE, 3)).toEqual([]);
});

test('the boxes of a view cover exactly its marked cells, for any marks', () => {
  const small = fc.integer({ min: -6, max: 12 });
  const region = fc.record({
    row: small,
    col: small,
    rows: fc.integer({ min: 1, max: 6 }),
    cols: fc.integer({ min: 1, max: 6 }),
  });
  const at = fc.record({ rowOffset: small, colOffset: small });
  fc.assert(
    fc.property(region, at, fc.integer({ min: 1, max: 10 }), (marked, offset, cols) => {
      for (let y = 0; y < 10; y++) {
        const covered = boxesOf([marked], y, offset, cols).flatMap(({ left, right }) =>
          Array.from({ length: right - left }, (_, i) => left + i),
        );
        const [row, firstCol] = [y - offset.rowOffset, -offset.colOffset];
        const isMarked = (x: number): boolean =>
          row >= marked.row &&
          row < marked.row + marked.rows &&
          firstCol + x >= marked.col &&
          firstCol + x < marked.col + marked.cols;
        expect(covered).toEqual(Array.from({ length: cols }, (_, x) => x).filter(isMarked));
      }
    }),
  );
});

test('only rows with the same boxes are the same row', () => {
  const box = { left: 3, right: 7, top: true, bottom: false };
  const others = [
    { ...box, left: 2 },
    { ...box, right: 8 },
    { ...box, top: false },
    { ...box, bottom: true },
  ];
  expect(boxesKey([box])).toBe(boxesKey([{ ...box }]));
  expect(new Set([[box], [], [box, box], ...others.map((other) => [other])].map(boxesKey)).size).toBe(7);
});

describe('a drawn box', () => {
  const drawn = (box: Partial<RowBox>, cellWidth = 6, cellHeight = 5): string[] => {
    const target = paper(6 * cellWidth, cellHeight, 1, 1);
    drawBoxes([{ left: 1, right: 3, top: false, bottom: false, ...box }], target, cellWidth, cellHeight);
    return target.rows({ [MARK_COLOR]: '#' }).map((row) => row.replace(/^\.|\.$/g, ''));
  };
  const blank = '.'.repeat(36);
  const sides = `......#..........#${'.'.repeat(18)}`;
  const bar = `......############${'.'.repeat(18)}`;

  test('has its sides in every row, and its ends in the first and the last', () => {
    expect(drawn({})).toEqual([blank, sides, sides, sides, sides, sides, blank]);
    expect(drawn({ top: true })).toEqual([blank, bar, sides, sides, sides, sides, blank]);
    expect(drawn({ bottom: true })).toEqual([blank, sides, sides, sides, sides, bar, blank]);
  });

  test('is a sixth of the cell thick, and a pixel at least', () => {
    const inked = (cellWidth: number): number => {
      const rows = drawn({}, cellWidth, 2 * cellWidth);
      return (rows[cellWidth]!.match(/#/g)?.length ?? 0) / 2;
    };
    expect([2, 8, 9, 12, 20].map(inked)).toEqual([1, 1, 2, 2, 3]);
  });

  test('is painted for each of several, and nothing for none', () => {
    const target = paper(8, 1);
    drawBoxes([], target, 1, 1);
    expect(target.rows({})).toEqual(['........']);
    const box = { right: 0, top: false, bottom: false };
    drawBoxes(
      [
        { ...box, left: 0, right: 2 },
        { ...box, left: 5, right: 8 },
      ],
      target,
      1,
      1,
    );
    expect(target.rows({ [MARK_COLOR]: '#' })).toEqual(['##...#.#']);
  });
});

test('the two ends of a box differ', () => {
  const open = { left: 3, right: 7, top: false, bottom: false };
  const kinds = [open, { ...open, top: true }, { ...open, bottom: true }, { ...open, top: true, bottom: true }];
  expect(new Set(kinds.map((box) => boxesKey([box]))).size).toBe(4);
});
