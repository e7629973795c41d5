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

  it('cuts off everything outside of the cell', () => {
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

  it('removes ink while erasing, and all ink outside of a kept shape', () => {
    const stencil = new Stencil(CELL);
    stencil.rect(0, 0, 9, 18);
    stencil.erase(() => stencil.rect(2, 3, 4, 5));
    expect(totalInk(stencil.toMask())).toBe(255 * (9 * 18 - 4));
    stencil.rect(3, 4, 4, 5);
    expect(totalInk(stencil.toMask())).toBe(255 * (9 * 18 - 3));
    stencil.keepPolygon([2, 3, 4, 3, 4, 5, 2, 5]);
    expect(totalInk(stencil.toMask())).toBe(255);
  });

  it('strokes as thick as requested, past the border but not past an end inside of the cell', () => {
    const stencil = new Stencil(CELL);
    stencil.polyline([0, 9.5, 5, 9.5], 1);
    const mask = stencil.toMask();
    expect([...mask.alpha.subarray(9 * 9, 10 * 9)]).toEqual([255, 255, 255, 255, 255, 0, 0, 0, 0]);
    expect(totalInk(mask)).toBe(255 * 5);
  });

  it('covers rectangles to an eighth of a pixel, cut to the cell', () => {
    const ink = (...sides: [number, number, number, number]): number[] => {
      const stencil = new Stencil({ width: 3, height: 2 });
      stencil.rect(...sides);
      return [...stencil.toMask().alpha];
    };
    expect(ink(0.5, 0.25, 2, 1)).toEqual([96, 191, 0, 0, 0, 0]);
    expect(ink(0.25, 0, 0.5, 1)).toEqual([64, 0, 0, 0, 0, 0]);
    expect(ink(0.5, 0, 2.5, 2)).toEqual([128, 255, 128, 128, 255, 128]);
    expect(ink(-5, -5, 1, 9)).toEqual([255, 0, 0, 255, 0, 0]);
    expect(ink(2, 1, 9, 9)).toEqual([0, 0, 0, 0, 0, 255]);
    expect([...ink(1, 1, 1, 2), ...ink(2, 0, 1, 2), ...ink(0, 2, 3, 1)].every((each) => each === 0)).toBe(true);
  });

  it('takes a corner on a row of samples once', () => {
    // The middle of the first sample row of a pixel is a sixteenth below its top.
    const cornered = polygon(0, 0, 4, 0, 4, 1.0625, 4, 3, 0, 3, 0, 2.0625);
    expect(totalInk(cornered)).toBe(255 * 12);
    expect([...cornered.alpha]).toEqual([...polygon(0, 0, 4, 0, 4, 3, 0, 3).alpha]);
    expect([...polygon(0, 0.0625, 4, 0.0625, 4, 1, 0, 1).alpha]).toEqual([...polygon(0, 0, 4, 0, 4, 1, 0, 1).alpha]);
    expect(totalInk(polygon(0, 0, 4, 0, 4, 0.0625, 0, 0.0625))).toBe(0);
  });

  it('leaves a hole where a polygon overlaps itself', () => {
    const mask = polygon(0, 0, 6, 0, 6, 6, 0, 6, 0, 0, 2, 2, 2, 4, 4, 4, 4, 2, 2, 2);
    expect(totalInk(mask)).toBe(255 * (36 - 4));
    expect(mask.alpha[3 * 9 + 3]).toBe(0);
  });

  it('rounds corners, also the last one of a closed path, and cuts open ends square', () => {
    const inkOf = (...points: number[]): number => {
      const stencil = new Stencil(CELL);
      stencil.polyline(points, 2);
      return totalInk(stencil.toMask()) / 255;
    };
    expect(Math.abs(inkOf(2, 2, 7, 2, 7, 7, 2, 7, 2, 2) - (49 - (4 - Math.PI) - 9))).toBeLessThan(0.3);
    expect(Math.abs(inkOf(2, 2, 7, 2, 7, 7, 2, 7) - (28 + Math.PI / 2))).toBeLessThan(0.3);
    expect(inkOf(2, 5, 7, 5)).toBe(10);
    expect(inkOf(5, 3, 5, 9)).toBe(12);
    expect(Math.abs(inkOf(2, 3, 6, 6) - 10)).toBeLessThan(0.2);
    expect(Math.abs(inkOf(4, 4, 4, 4) - Math.PI)).toBeLessThan(0.2);
  });

  it('draws a line that ends on any border like one that continues beyond it', () => {
    const line = (...points: number[]): number[] => {
      const stencil = new Stencil(CELL);
      stencil.polyline(points, 1.5);
      return [...stencil.toMask().alpha];
    };
    for (const [x, y] of [
      [9, 0],
      [0, 0],
      [0, 18],
      [9, 18],
      [9, 7],
      [0, 11],
      [3, 0],
      [6, 18],
    ] as const) {
      const beyond = [4.5 + 2 * (x - 4.5), 9 + 2 * (y - 9)] as const;
      expect(line(4.5, 9, x, y)).toEqual(line(4.5, 9, ...beyond));
      expect(line(x, y, 4.5, 9)).toEqual(line(...beyond, 4.5, 9));
    }
    expect(line(4.5, 9, 8, 9)).not.toEqual(line(4.5, 9, 9, 9));
  });

  it('draws the part of an ellipse that is within its clip', () => {
    const inkOf = (thickness: number, clip?: Partial<Record<'left' | 'top' | 'right' | 'bottom', number>>): number => {
      const stencil = new Stencil({ width: 20, height: 20 });
      const everywhere = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
      stencil.ellipse(10, 10, 8, 6, thickness, { ...everywhere, ...clip });
      return totalInk(stencil.toMask()) / 255;
    };
    const whole = Math.PI * 48;
    for (const clip of [{ left: 10 }, { right: 10 }, { top: 10 }, { bottom: 10 }]) {
      expect(Math.abs(inkOf(Infinity, clip) - whole / 2)).toBeLessThan(0.5);
      expect(Math.abs(inkOf(2, clip) - (whole - Math.PI * 24) / 2)).toBeLessThan(0.5);
    }
    expect(Math.abs(inkOf(Infinity, { left: 10, bottom: 10 }) - whole / 4)).toBeLessThan(0.5);
    expect(Math.abs(inkOf(6) - whole)).toBeLessThan(0.5);
    expect(inkOf(2, { top: 18 })).toBe(0);
  });

  it('draws again after erasing, and keeps only existing ink', () => {
    const stencil = new Stencil({ width: 2, height: 1 });
    stencil.keepPolygon([0, 0, 2, 0, 2, 1, 0, 1]);
    expect(totalInk(stencil.toMask())).toBe(0);
    stencil.rect(0, 0, 2, 1);
    stencil.erase(() => stencil.rect(0.5, 0, 1.25, 1));
    expect([...stencil.toMask().alpha]).toEqual([128, 191]);
  });
});
