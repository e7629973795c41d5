/** What all sprites share: where parts of a cell begin, where strokes lie, and rectangles of whole pixels. */
import { describe, expect, it } from 'vitest';
import { boundary, centred, slice, strokeCentre } from '../../../src/render/sprites/cell.js';
import { blankMask, inverted, setRect, shaded } from '../../../src/render/sprites/mask.js';
import { rowsOf } from '../support/ink.js';

describe('the boundary between equal parts', () => {
  it('is at the nearest pixel, an exact half towards the far side', () => {
    expect([0, 1, 2, 3, 4].map((index) => boundary(16, index, 4))).toEqual([0, 4, 8, 12, 16]);
    expect([0, 1, 2, 3].map((index) => boundary(14, index, 3))).toEqual([0, 5, 9, 14]);
    expect([boundary(9, 1, 2), boundary(7, 1, 2), boundary(10, 1, 4), boundary(10, 3, 4)]).toEqual([5, 4, 3, 8]);
  });

  it('is a pixel away from both edges at least, and never outside of the cell', () => {
    expect([boundary(7, 1, 64), boundary(7, 63, 64)]).toEqual([1, 6]);
    expect([boundary(7, -1, 8), boundary(7, 9, 8)]).toEqual([0, 7]);
  });

  it('leaves each part a pixel', () => {
    expect(slice(16, 1, 3, 4)).toEqual({ from: 4, to: 12 });
    expect(slice(4, 3, 4, 8)).toEqual({ from: 2, to: 3 });
    expect(slice(8, 0, 8, 8)).toEqual({ from: 0, to: 8 });
  });
});

describe('a stroke', () => {
  it('is in the middle, or half a pixel before it', () => {
    expect([centred(8, 2), centred(9, 1), centred(8, 1), centred(9, 2)]).toEqual([
      { from: 3, to: 5 },
      { from: 4, to: 5 },
      { from: 3, to: 4 },
      { from: 3, to: 5 },
    ]);
    expect([strokeCentre(8, 2), strokeCentre(9, 1), strokeCentre(8, 1), strokeCentre(9, 2)]).toEqual([4, 4.5, 3.5, 4]);
  });

  it('stays in a cell that is smaller', () => {
    expect(centred(2, 5)).toEqual({ from: 0, to: 2 });
  });
});

describe('a mask', () => {
  const filled = (left: number, top: number, right: number, bottom: number, ink?: number): string[] => {
    const mask = blankMask(4, 3);
    setRect(mask, left, top, right, bottom, ink);
    return rowsOf(mask);
  };

  it('has the pixels of a rectangle within it', () => {
    expect(filled(1, 1, 3, 2)).toEqual(['....', '.##.', '....']);
    expect(filled(-2, -2, 2, 2)).toEqual(['##..', '##..', '....']);
    expect(filled(2, 1, 9, 9, 136)).toEqual(['....', '..88', '..88']);
    for (const [left, right] of [
      [2, 2],
      [3, 1],
      [5, 9],
      [-3, -1],
    ] as const) {
      expect(filled(left, 0, right, 3)).toEqual(['....', '....', '....']);
    }
  });

  it('is overwritten, also with less ink', () => {
    const mask = blankMask(3, 1);
    setRect(mask, 0, 0, 3, 1);
    setRect(mask, 1, 0, 2, 1, 0);
    expect(rowsOf(mask)).toEqual(['#.#']);
  });

  it('is inverted and thinned pixel by pixel', () => {
    const mask = { width: 4, height: 1, alpha: Uint8Array.of(0, 255, 128, 100) };
    expect(inverted(mask)).toEqual({ ...mask, alpha: Uint8Array.of(255, 0, 127, 155) });
    expect(shaded(mask, 128)).toEqual({ ...mask, alpha: Uint8Array.of(0, 128, 64, 50) });
  });
});
