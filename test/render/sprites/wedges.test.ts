import { describe, expect, it } from 'vitest';
import { diagonals, keypadPoints } from '../../../src/render/sprites/diagonals.js';
import type { Mask } from '../../../src/render/sprites/mask.js';
import { wedges } from '../../../src/render/sprites/wedges.js';
import { range, stacked } from './mask-probes.js';

const CELL = { width: 24, height: 48, stroke: 2 };
const drawn = (codePoint: number): Mask => wedges.draw(codePoint, CELL);

/** U+1FB3C to U+1FB51: from which point of the left or lower border to which of the right or upper one, as x and y. */
const LINES: readonly (readonly [x0: number, y0: number, x1: number, y1: number])[] = [
  [0, 2, 1, 3],
  [0, 2, 2, 3],
  [0, 1, 1, 3],
  [0, 1, 2, 3],
  [0, 0, 1, 3],
  [0, 1, 1, 0],
  [0, 1, 2, 0],
  [0, 2, 1, 0],
  [0, 2, 2, 0],
  [0, 3, 1, 0],
  [0, 2, 2, 1],
  [1, 3, 2, 2],
  [0, 3, 2, 2],
  [1, 3, 2, 1],
  [0, 3, 2, 1],
  [1, 3, 2, 0],
  [1, 0, 2, 1],
  [0, 0, 2, 1],
  [1, 0, 2, 2],
  [0, 0, 2, 2],
  [1, 0, 2, 3],
  [0, 1, 2, 2],
];

/** Pixels well inside of an area are full, those well outside are bare. */
function expectArea(mask: Mask, ink: number, depthOf: (x: number, y: number) => number, name: string): void {
  const odd = Array.from(mask.alpha.keys()).filter((at) => {
    const depth = depthOf((at % mask.width) + 0.5, Math.floor(at / mask.width) + 0.5);
    return Math.abs(depth) > 0.8 && mask.alpha[at] !== (depth > 0 ? ink : 0);
  });
  expect(odd, name).toEqual([]);
}

function leftOf(x0: number, y0: number, x1: number, y1: number): (x: number, y: number) => number {
  const length = Math.hypot(x1 - x0, y1 - y0);
  return (x, y) => ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / length;
}

describe('smooth mosaics', () => {
  it.each([...LINES.entries()])('number %i is the part below its line, and above it %j', (index, [x0, y0, x1, y1]) => {
    const below = leftOf(x0 * 12, y0 * 16, x1 * 12, y1 * 16);
    // Beyond its ends the line goes on level.
    const depth = (x: number, y: number): number =>
      x < x0 * 12 ? y - y0 * 16 : x > x1 * 12 ? y - y1 * 16 : below(x, y);
    expectArea(drawn(0x1fb3c + index), 255, depth, 'below');
    expectArea(drawn(0x1fb52 + index), 255, (x, y) => -depth(x, y), 'above');
  });
});

describe('triangles', () => {
  const BELOW_FALL = leftOf(0, 0, 24, 48);
  const BELOW_RISE = leftOf(0, 48, 24, 0);
  const least =
    (...sides: readonly ((x: number, y: number) => number)[]) =>
    (x: number, y: number) =>
      Math.min(...sides.map((side) => side(x, y)));
  const not = (side: (x: number, y: number) => number) => (x: number, y: number) => -side(x, y);
  const [left, top, right, bottom] = [
    least(BELOW_FALL, not(BELOW_RISE)),
    least(not(BELOW_FALL), not(BELOW_RISE)),
    least(not(BELOW_FALL), BELOW_RISE),
    least(BELOW_FALL, BELOW_RISE),
  ];
  const either = (a: typeof left, b: typeof left) => (x: number, y: number) => Math.max(a(x, y), b(x, y));

  it.each([
    ['lower right half', 0x25e2, 255, BELOW_RISE],
    ['lower left half', 0x25e3, 255, BELOW_FALL],
    ['upper left half', 0x25e4, 255, not(BELOW_RISE)],
    ['upper right half', 0x25e5, 255, not(BELOW_FALL)],
    ['all but the left quarter', 0x1fb68, 255, not(left)],
    ['all but the upper quarter', 0x1fb69, 255, not(top)],
    ['all but the right quarter', 0x1fb6a, 255, not(right)],
    ['all but the lower quarter', 0x1fb6b, 255, not(bottom)],
    ['left quarter', 0x1fb6c, 255, left],
    ['upper quarter', 0x1fb6d, 255, top],
    ['right quarter', 0x1fb6e, 255, right],
    ['lower quarter', 0x1fb6f, 255, bottom],
    ['upper and lower quarter', 0x1fb9a, 255, either(top, bottom)],
    ['left and right quarter', 0x1fb9b, 255, either(left, right)],
    ['shaded upper left half', 0x1fb9c, 128, not(BELOW_RISE)],
    ['shaded upper right half', 0x1fb9d, 128, not(BELOW_FALL)],
    ['shaded lower right half', 0x1fb9e, 128, BELOW_RISE],
    ['shaded lower left half', 0x1fb9f, 128, BELOW_FALL],
  ] as const)('are the %s', (name, codePoint, ink, depth) => {
    expectArea(drawn(codePoint), ink, depth, name);
  });

  it('and mosaics are exactly these code points', () => {
    const all = [...range(0x25e0, 0x25e7), ...range(0x1fb30, 0x1fbaf)];
    expect(all.filter((codePoint) => wedges.has(codePoint))).toEqual([
      ...range(0x25e2, 0x25e5),
      ...range(0x1fb3c, 0x1fb6f),
      ...range(0x1fb9a, 0x1fb9f),
    ]);
  });
});

describe('diagonals', () => {
  it('begin and end where straight lines are', () => {
    expect(keypadPoints('123456789', { width: 8, height: 16, stroke: 1 })).toEqual(
      [
        [0, 16],
        [3.5, 16],
        [8, 16],
        [0, 7.5],
        [3.5, 7.5],
        [8, 7.5],
        [0, 0],
        [3.5, 0],
        [8, 0],
      ].flat(),
    );
  });

  it('are the inverse of others if their name says so', () => {
    for (const [shape, inverse] of [
      [0x2573, 0x1fbbd],
      [0x1fba3, 0x1fbbe],
      [0x1fbae, 0x1fbbf],
    ] as const) {
      const sums = stacked([shape, inverse].map((codePoint) => diagonals.draw(codePoint, CELL)));
      expect(new Set(sums)).toEqual(new Set([255]));
    }
  });

  it('are as thick as a stroke', () => {
    for (const stroke of [1, 2, 4]) {
      const { alpha } = diagonals.draw(0x2571, { width: 40, height: 40, stroke });
      const across = alpha.subarray(20 * 40, 21 * 40).reduce((sum, ink) => sum + ink, 0) / 255;
      expect(Math.abs(across - stroke * Math.SQRT2)).toBeLessThan(0.1);
    }
  });
});
