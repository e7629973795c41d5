import { describe, expect, it } from 'vitest';
import { type ArcCorner, drawArc } from '../../../src/render/sprites/arc.js';
import { drawArms } from '../../../src/render/sprites/arms.js';
import { rowsOf } from '../support/ink.js';

describe('arcs', () => {
  const CORNERS: readonly ArcCorner[] = ['DR', 'DL', 'UR', 'UL'];

  it.each([
    [9, 17, 1],
    [11, 11, 1],
    [13, 9, 3],
    [20, 40, 2],
  ])('are mirror images of each other, in cells of %ix%i', (width, height, stroke) => {
    const [dr, dl, ur, ul] = CORNERS.map((corner) => rowsOf(drawArc(corner, { width, height, stroke })));
    const mirrored = (rows: readonly string[]): string[] => rows.map((row) => Array.from(row).toReversed().join(''));
    expect(near(dl!, mirrored(dr!))).toBe(true);
    expect(near(ur!, dr!.toReversed())).toBe(true);
    expect(near(ul!, mirrored(ur!))).toBe(true);
  });

  it('are a quarter of a circle between two straight lines', () => {
    for (const [width, height, stroke] of [
      [9, 17, 1],
      [16, 16, 2],
      [20, 40, 2],
      [31, 21, 3],
    ] as const) {
      const mask = drawArc('DR', { width, height, stroke });
      const radius = Math.min(width, height) / 2;
      const centre = { x: width / 2 + radius, y: height / 2 + radius };
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const [dx, dy] = [Math.min(0, x + 0.5 - centre.x), Math.min(0, y + 0.5 - centre.y)];
          const away = Math.abs(Math.hypot(dx, dy) - radius);
          const ink = mask.alpha[y * width + x];
          if (away < stroke / 2 - 0.75) expect(ink, `${x},${y} of ${width}x${height}`).toBe(255);
          if (away > stroke / 2 + 0.75) expect(ink, `${x},${y} of ${width}x${height}`).toBe(0);
        }
      }
    }
  });

  it('end at both edges like a straight line, to the pixel', () => {
    for (const [width, height, stroke] of [
      [8, 16, 1],
      [9, 9, 1],
      [12, 24, 2],
    ] as const) {
      const cell = { width, height, stroke };
      const straight = rowsOf(drawArms({ up: 1, right: 1, down: 1, left: 1 }, cell));
      for (const corner of CORNERS) {
        const rows = rowsOf(drawArc(corner, cell));
        const column = (x: number, of: readonly string[]): string => of.map((row) => row.at(x)).join('');
        const ends = [corner.startsWith('U') ? 0 : -1, corner.endsWith('L') ? 0 : -1] as const;
        expect(rows.at(ends[0])).toBe(straight.at(ends[0]));
        expect(column(ends[1], rows)).toBe(column(ends[1], straight));
        expect(rows.at(-1 - ends[0])).toMatch(/^\.+$/);
        expect(column(-1 - ends[1], rows)).toMatch(/^\.+$/);
      }
    }
  });
});

/** Samples on an edge belong to one side of it: of the 64 of a pixel that is its diagonal of 8, two of sixteen steps. */
function near(a: readonly string[], b: readonly string[]): boolean {
  const value = (sign: string): number => (sign === '.' ? 0 : sign === '#' ? 15 : Number.parseInt(sign, 16));
  return a.every((row, y) => Array.from(row).every((sign, x) => Math.abs(value(sign) - value(b[y]![x]!)) <= 3));
}
