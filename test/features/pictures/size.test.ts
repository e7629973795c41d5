import { describe, expect, test } from 'vitest';
import { pictureSize } from '../../../src/features/pictures/size.js';
import { T4aError } from '../../../src/protocol/errors.js';

const GRID = { cols: 80, rows: 24 };
const MAX_SIDE = 100_000;

function refusal(...args: Parameters<typeof pictureSize>): Pick<T4aError, 'code' | 'message' | 'details'> {
  try {
    pictureSize(...args);
  } catch (error) {
    if (error instanceof T4aError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('the size of cell and margin', () => {
  test.each([
    [{}, { cellWidth: 8, cellHeight: 16, pad: 0 }],
    [{ profile: 'human' }, { cellWidth: 20, cellHeight: 40, pad: 20 }],
    [
      { profile: 'human', pad: 3 },
      { cellWidth: 20, cellHeight: 40, pad: 3 },
    ],
    [{ scale: 100 }, { cellWidth: 10, cellHeight: 20, pad: 0 }],
    [
      { scale: 100, profile: 'human' },
      { cellWidth: 10, cellHeight: 20, pad: 20 },
    ],
  ] as const)('of %j is %j', (params, size) => {
    expect(pictureSize(params, GRID, MAX_SIDE)).toEqual(size);
  });

  test('is the largest within a number of tokens', () => {
    const small = pictureSize({ max_tokens: 1000 }, GRID, MAX_SIDE);
    const large = pictureSize({ max_tokens: 2000 }, GRID, MAX_SIDE);
    expect(large.cellWidth).toBeGreaterThan(small.cellWidth);
    expect(large.cellWidth).toBeGreaterThan(8);
  });

  test('is no larger than requested if the tokens have room for more', () => {
    expect(pictureSize({ max_tokens: 2000, profile: 'llm' }, GRID, MAX_SIDE).cellWidth).toBe(8);
    expect(pictureSize({ max_tokens: 2000, scale: 70 }, GRID, MAX_SIDE).cellWidth).toBe(7);
    expect(pictureSize({ model: 'claude' }, GRID, MAX_SIDE).cellWidth).toBe(8);
  });

  test('is what the model takes without downscaling', () => {
    const wide = { cols: 200, rows: 24 };
    expect(pictureSize({ model: 'claude' }, wide, MAX_SIDE).cellWidth).toBe(7);
    expect(pictureSize({ model: 'gpt' }, wide, MAX_SIDE).cellWidth).toBe(8);
  });
});

describe('a picture is refused', () => {
  test.each([
    ['wider', { cols: 11, rows: 1 }, '88x16'],
    ['higher', { cols: 1, rows: 6 }, '8x96'],
  ])('that is %s than the configuration allows', (_, grid, size) => {
    expect(refusal({}, grid, 80)).toMatchObject({
      code: 'image_too_large',
      message: `The picture would be ${size} pixels; the limit is 80 a side.`,
      details: { field: 'scale' },
    });
  });

  test('if its margin exceeds the limit on both sides', () => {
    expect(pictureSize({ pad: 4 }, { cols: 9, rows: 1 }, 80).pad).toBe(4);
    expect(refusal({ pad: 5 }, { cols: 9, rows: 1 }, 80).message).toContain('82x26');
    expect(pictureSize({ pad: 8 }, { cols: 1, rows: 4 }, 80).pad).toBe(8);
    expect(refusal({ pad: 9 }, { cols: 1, rows: 4 }, 80).message).toContain('26x82');
  });

  test.each([
    ['webp', 2047, 2048],
    ['jpeg', 8187, 8188],
  ] as const)('that is larger than a %s can be', (format, fits, doesNot) => {
    expect(pictureSize({ format }, { cols: fits, rows: 1 }, MAX_SIDE).cellWidth).toBe(8);
    expect(refusal({ format }, { cols: doesNot, rows: 1 }, MAX_SIDE).message).toContain(`a ${format} has at most`);
    expect(pictureSize({ format: 'png' }, { cols: doesNot, rows: 1 }, MAX_SIDE).cellWidth).toBe(8);
  });

  test('with more pixels than can be converted', () => {
    const grid = { cols: 8000, rows: 300 };
    expect(refusal({ format: 'jpeg' }, grid, MAX_SIDE).message).toContain('a jpeg is made of at most');
    expect(pictureSize({ format: 'png' }, grid, MAX_SIDE).cellWidth).toBe(8);
    expect(pictureSize({ format: 'jpeg' }, { cols: 8000, rows: 200 }, MAX_SIDE).cellWidth).toBe(8);
  });

  test('that would be illegible within its tokens or on its model', () => {
    const huge = { cols: 1000, rows: 500 };
    expect(refusal({ max_tokens: 100 }, huge, MAX_SIDE)).toMatchObject({
      code: 'image_too_large',
      details: { field: 'max_tokens' },
    });
    expect(refusal({ model: 'gpt' }, huge, MAX_SIDE)).toMatchObject({
      code: 'image_too_large',
      details: { field: 'model' },
    });
  });
});
