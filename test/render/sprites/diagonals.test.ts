import { describe, expect, it } from 'vitest';
import { DIAGONAL_NAMES, WEDGE_NAMES } from './diagonal-names.js';
import { at, draw, SIZES, type Size } from './mask-probes.js';

/** A point that a name speaks of, in pixels. Blocks count thirds of the height, lines only halves. */
function pointOf(words: string, [width, height]: Size): { x: number; y: number } {
  const thirds: Record<string, number> = {
    'UPPER MIDDLE': 1 / 3,
    'LOWER MIDDLE': 2 / 3,
    UPPER: 0,
    MIDDLE: 1 / 2,
    LOWER: 1,
  };
  const columns: Record<string, number> = { LEFT: 0, CENTRE: 1 / 2, RIGHT: 1 };
  const [, row = '', column = ''] = /^(.*) (\w+)$/.exec(words) ?? [];
  return { x: columns[column]! * width, y: thirds[row]! * height };
}

describe('wedges', () => {
  it('fill the side of the line in their name', () => {
    for (const size of SIZES) {
      WEDGE_NAMES.forEach((name, index) => {
        const [, side, from = '', to = ''] = /^(LOWER|UPPER) \w+ (.*) TO (.*)$/.exec(name)!;
        const a = pointOf(from, size);
        const b = pointOf(to, size);
        const mask = draw(0x1fb3c + index, size);
        const length = Math.hypot(b.x - a.x, b.y - a.y);
        const odd = pixels(size).filter(({ x, y }) => {
          const below = ((b.x - a.x) * (y + 0.5 - a.y) - (b.y - a.y) * (x + 0.5 - a.x)) / length;
          const inked = below > 0 === (side === 'LOWER');
          // Close to the line a pixel is in part on either side, and its ends are rounded to whole pixels.
          return Math.abs(below) > 1.5 && at(mask, x, y) !== (inked ? 255 : 0);
        });
        expect(odd, `${name} at ${size.join('x')}`).toEqual([]);
      });
    }
  });
});

describe('diagonals', () => {
  it('run between the points in their name, and nowhere else', () => {
    for (const size of SIZES) {
      for (const [codePoint, name] of DIAGONAL_NAMES) {
        const mask = draw(codePoint, size);
        const lines = name.split(' AND ').flatMap((path) => {
          const points = path.split(' TO ').map((words) => pointOf(words, size));
          return points.slice(1).map((to, i) => ({ from: points[i]!, to }));
        });
        const astray = pixels(size).filter(({ x, y }) => {
          const distances = lines.map(({ from, to }) => distance(x + 0.5, y + 0.5, from, to));
          return Math.min(...distances) > 3 && at(mask, x, y) > 0;
        });
        expect(astray, `${name} at ${size.join('x')}`).toEqual([]);
        for (const { from, to } of lines) {
          const steps = 2 * size[1];
          for (let step = 0; step <= steps; step++) {
            const x = from.x + ((to.x - from.x) * step) / steps;
            const y = from.y + ((to.y - from.y) * step) / steps;
            expect(inkAround(mask, x, y), `${name} at ${size.join('x')}, near ${x},${y}`).toBeGreaterThan(64);
          }
        }
      }
    }
  });
});

function pixels([width, height]: Size): Point[] {
  return Array.from({ length: width * height }, (_, i) => ({ x: i % width, y: Math.floor(i / width) }));
}

type Point = { x: number; y: number };

function distance(x: number, y: number, from: Point, to: Point): number {
  const length2 = (to.x - from.x) ** 2 + (to.y - from.y) ** 2;
  const along = ((x - from.x) * (to.x - from.x) + (y - from.y) * (to.y - from.y)) / length2;
  const nearest = Math.min(Math.max(along, 0), 1);
  return Math.hypot(x - from.x - nearest * (to.x - from.x), y - from.y - nearest * (to.y - from.y));
}

/** The most ink in the pixels around a point: light lines may lie half a pixel off the cell's middle. */
function inkAround(mask: ReturnType<typeof draw>, x: number, y: number): number {
  let most = 0;
  for (let row = Math.max(Math.floor(y - 1), 0); row <= Math.min(Math.floor(y + 1), mask.height - 1); row++) {
    for (let column = Math.max(Math.floor(x - 1), 0); column <= Math.min(Math.floor(x + 1), mask.width - 1); column++) {
      most = Math.max(most, at(mask, column, row));
    }
  }
  return most;
}
