import { assert, double, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Stencil } from '../../../src/render/sprites/stencil.js';
import { stacked, totalInk } from './mask-probes.js';

const CELL = { width: 9, height: 18 };
const near = (size: number) => double({ min: -size, max: 2 * size, noNaN: true });
const point = tuple(near(CELL.width), near(CELL.height));

function polygon(...points: number[]) {
  const stencil = new Stencil(CELL);
  stencil.polygon(points);
  return stencil.toMask();
}

describe('stencil', () => {
  it('gives every sample to one of two polygons that share an edge', () => {
    assert(
      property(near(CELL.width), near(CELL.width), (top, bottom) => {
        const left = polygon(-99, 0, top, 0, bottom, 18, -99, 18);
        const right = polygon(99, 0, 99, 18, bottom, 18, top, 0);
        // Rounding to a byte may carry a pixel that is cut in half one up.
        expect(stacked([left, right]).every((sum) => sum === 255 || sum === 256)).toBe(true);
      }),
    );
  });

  it('cuts off what lies outside of the cell', () => {
    assert(
      property(point, point, point, (a, b, c) => {
        const mask = polygon(...a, ...b, ...c);
        const turned = polygon(...c, ...a, ...b);
        expect(mask.alpha.length).toBe(9 * 18);
        expect(Buffer.compare(mask.alpha, turned.alpha)).toBe(0);
      }),
    );
    expect(totalInk(polygon(-10, -10, -1, -10, -1, -1))).toBe(0);
    expect(polygon(-99, -99, 99, -99, 99, 99, -99, 99).alpha.every((ink) => ink === 255)).toBe(true);
  });

  it('covers a pixel in proportion to the area inside', () => {
    expect(polygon(0, 0, 0.5, 0, 0.5, 1, 0, 1).alpha[0]).toBe(128);
    expect(polygon(0, 0, 1, 0, 1, 0.25, 0, 0.25).alpha[0]).toBe(64);
    const disc = new Stencil(CELL);
    disc.ellipse(4.5, 9, 4, 8);
    expect(totalInk(disc.toMask()) / 255).toBeCloseTo(Math.PI * 32, 0);
    const ring = new Stencil(CELL);
    ring.ellipse(4.5, 9, 4, 8, 1);
    expect(totalInk(ring.toMask()) / 255).toBeCloseTo(Math.PI * (32 - 21), 0);
  });

  it('takes ink away while erasing, and all ink outside of what it keeps', () => {
    const stencil = new Stencil(CELL);
    stencil.rect(0, 0, 9, 18);
    stencil.erase(() => stencil.rect(2, 3, 4, 5));
    expect(totalInk(stencil.toMask())).toBe(255 * (9 * 18 - 4));
    stencil.rect(3, 4, 4, 5);
    expect(totalInk(stencil.toMask())).toBe(255 * (9 * 18 - 3));
    stencil.keepPolygon([2, 3, 4, 3, 4, 5, 2, 5]);
    expect(totalInk(stencil.toMask())).toBe(255);
  });

  it('strokes as thick as asked, past the border but not past an end inside of the cell', () => {
    const stencil = new Stencil(CELL);
    stencil.polyline([0, 9.5, 5, 9.5], 1);
    const mask = stencil.toMask();
    expect([...mask.alpha.subarray(9 * 9, 10 * 9)]).toEqual([255, 255, 255, 255, 255, 0, 0, 0, 0]);
    expect(totalInk(mask)).toBe(255 * 5);
  });
});
