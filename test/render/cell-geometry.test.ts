/** Where letters stand in a cell, and which cells there are. */
import { describe, expect, test } from 'vitest';
import {
  baselineOf,
  cellSizeOfScale,
  cellSizeOfWidth,
  DEFAULT_PROFILE,
  PictureSizeError,
  PROFILES,
} from '../../src/render/cell-size.js';
import { fitCells, type FitRequest, legibilityOf, MAX_SIDE } from '../../src/render/fit.js';
import { estimateTokens } from '../../src/render/costs.js';

test.each([
  ['of every profile', 7, 14, 11],
  ['of every profile', 8, 16, 12],
  ['of every profile', 10, 20, 16],
  ['of every profile', 20, 40, 31],
  ['that is higher than letters are, in the middle', 10, 40, 26],
  ['too low for letters, above the bottom by their descent', 10, 18, 14],
])('letters stand in a cell %s (%ix%i) on row %i', (_, width, height, baseline) => {
  expect(baselineOf(width, height)).toBe(baseline);
});

describe('a cell', () => {
  test('is 4 to 64 pixels wide', () => {
    for (const width of [4, 5, 64]) expect(cellSizeOfWidth(width)).toEqual({ cellWidth: width, cellHeight: 2 * width });
    for (const width of [3, 65, 8.5, -8, Number.NaN]) expect(() => cellSizeOfWidth(width)).toThrow(PictureSizeError);
    expect(() => cellSizeOfWidth(65)).toThrow(/65 pixels wide .* 4 to 64 \(scale 40 to 640\)/);
  });

  test('has the width nearest to its scale', () => {
    expect([40, 44, 46, 640].map((scale) => cellSizeOfScale(scale).cellWidth)).toEqual([4, 4, 5, 64]);
  });

  test('of the default profile is 8x16, without a pad', () => {
    expect(PROFILES[DEFAULT_PROFILE]).toEqual({ cellWidth: 8, cellHeight: 16, pad: 0 });
  });

  test('that is refused is reported with the name of its error', () => {
    expect(new PictureSizeError('too large').name).toBe('PictureSizeError');
  });
});

describe('the largest cell', () => {
  const request: FitRequest = { cols: 100, rows: 10, pad: 0, model: 'claude' };

  test.each<[string, Partial<FitRequest>, number]>([
    ['within 1568 pixels across', { cols: 112, rows: 1 }, 14],
    ['within one column less', { cols: 113, rows: 1 }, 13],
    ['within 1568 pixels down', { cols: 1, rows: 49 }, 16],
    ['within one row less', { cols: 1, rows: 50 }, 15],
    ['within the box with its pad on both sides', { cols: 112, rows: 1, pad: 1 }, 13],
    ['within the box with its pad above and below', { cols: 1, rows: 49, pad: 1 }, 15],
    ['within the larger box of another model', { cols: 128, rows: 1, model: 'gpt' }, 16],
    ['within the largest box', { cols: 128, rows: 1, model: 'gemini' }, 24],
    ['that there is', { cols: 1, rows: 1 }, 64],
    ['that was allowed', { cols: 1, rows: 1, maxCellWidth: 9 }, 9],
    ['that is legible', { cols: 261, rows: 1 }, 6],
    ['that was asked for below that', { cols: 261, rows: 1, maxCellWidth: 5 }, 5],
  ])('%s: %j is %i wide', (_, more, cellWidth) => {
    expect(fitCells({ ...request, ...more })).toEqual({ cellWidth, cellHeight: 2 * cellWidth });
  });

  test('costs at most the allowed tokens, and the next larger one costs more', () => {
    for (const pad of [0, 20]) {
      const sized = (width: number) => estimateTokens(100 * width + 2 * pad, 20 * width + 2 * pad).claude;
      expect(fitCells({ ...request, pad, maxTokens: sized(9) }).cellWidth).toBe(9);
      expect(sized(10)).toBeGreaterThan(sized(9));
      expect(fitCells({ ...request, pad, maxTokens: sized(9) - 1 }).cellWidth).toBe(8);
    }
  });

  test('is none if the smallest legible one is too large, with the numbers in the reason', () => {
    expect(() => fitCells({ ...request, cols: 262 })).toThrow(PictureSizeError);
    expect(() => fitCells({ ...request, cols: 262 })).toThrow(
      /262x10 cells .* 1568 pixels a side: at 6x12 .* 1572x120 pixels and about 285 tokens/,
    );
    expect(() => fitCells({ ...request, pad: 3, maxTokens: 5 })).toThrow(/within 5 tokens: .* 606x126 pixels/);
    expect(() => fitCells({ ...request, maxTokens: 5, maxCellWidth: 4 })).toThrow(PictureSizeError);
  });

  test.each([
    [4, 'layout_only'],
    [5, 'no_ids'],
    [7, 'no_ids'],
    [8, 'good'],
    [64, 'good'],
  ])('of %i pixels is graded as %s', (width, grade) => {
    expect(legibilityOf(width)).toBe(grade);
  });

  test("of each model is within the model's longest side", () => {
    expect(MAX_SIDE).toEqual({ claude: 1568, gpt: 2048, gemini: 3072 });
  });
});
