import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../src/render/costs.js';
import { largestCells } from '../../src/render/fit.js';
import { type PartRequest, fittedPart } from '../../src/render/fitted-part.js';

const SCREEN = { row: 0, col: 0, rows: 24, cols: 80 };

function request(maxTokens: number, focus: PartRequest['focus'], area = SCREEN): PartRequest {
  return {
    area,
    focus,
    cellsOf: ({ rows, cols }) => largestCells({ rows, cols, pad: 0, model: 'claude', maxTokens, maxCellWidth: 8 }),
  };
}

const cursorAt = (row: number, col = 0) => ({ changed: undefined, row, col });

describe('the part that a small budget shows', () => {
  test('is rows around the cursor in the smallest cells, two above for one below', () => {
    const part = fittedPart(request(100, cursorAt(12)));
    // 100 tokens: 18 patches across, 5 down, which is 140 pixels.
    expect(part).toEqual({ region: { row: 5, col: 0, rows: 11, cols: 80 }, cells: { cellWidth: 6, cellHeight: 12 } });
  });

  test.each([
    [0, 0],
    [23, 13],
  ])('at the edge of the screen, row %i, begins in row %i', (row, first) => {
    expect(fittedPart(request(100, cursorAt(row)))?.region).toEqual({ row: first, col: 0, rows: 11, cols: 80 });
  });

  test('is what has changed in the largest cells, with what is around it', () => {
    const focus = { changed: { row: 4, rows: 2 }, row: 4, col: 0 };
    const part = fittedPart(request(100, focus));
    expect(part?.cells).toEqual({ cellWidth: 8, cellHeight: 16 });
    expect(part?.region).toEqual({ row: 0, col: 0, rows: 7, cols: 80 });
  });

  test('is of more changes than fit those at the focus', () => {
    const focus = { changed: { row: 2, rows: 20 }, row: 20, col: 0 };
    expect(fittedPart(request(100, focus))?.region).toEqual({ row: 11, col: 0, rows: 11, cols: 80 });
  });

  test('is the columns around the cursor if not even its row fits', () => {
    expect(fittedPart(request(10, cursorAt(3, 79)))?.region).toEqual({ row: 2, col: 34, rows: 2, cols: 46 });
    expect(fittedPart(request(1, cursorAt(3, 40)))?.region).toEqual({ row: 2, col: 38, rows: 2, cols: 4 });
  });

  test('is none if no picture is within the budget', () => {
    expect(fittedPart({ ...request(10, cursorAt(3)), cellsOf: () => undefined })).toBeUndefined();
  });

  test('is within the budget and the area, shows the focus, and can have no further row', () => {
    const sizes = fc.record({ rows: fc.integer({ min: 1, max: 60 }), cols: fc.integer({ min: 1, max: 200 }) });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 300 }), fc.nat(), fc.nat(), (size, maxTokens, y, x) => {
        const area = { row: 3, col: 2, ...size };
        const focus = cursorAt(3 + (y % size.rows), 2 + (x % size.cols));
        const part = fittedPart(request(maxTokens, focus, area));
        if (part === undefined) throw new Error('a cell of 6x12 is within one token');
        const { row, col, rows, cols } = part.region;
        const { cellWidth, cellHeight } = part.cells;
        expect(estimateTokens(cols * cellWidth, rows * cellHeight).claude).toBeLessThanOrEqual(maxTokens);
        expect([row >= 3, row + rows <= 3 + size.rows, col >= 2, col + cols <= 2 + size.cols]).not.toContain(false);
        expect([focus.row >= row, focus.row < row + rows, focus.col >= col, focus.col < col + cols]).not.toContain(
          false,
        );
        if (rows < size.rows) {
          expect(estimateTokens(cols * cellWidth, (rows + 1) * cellHeight).claude).toBeGreaterThan(maxTokens);
        }
      }),
    );
  });
});
