import { assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawSprite, isSprite } from '../../../src/render/sprites/sprite.js';
import { draw, ODD_SIZES, range, SIZES, totalInk, type Size } from './mask-probes.js';
import { runsOf } from '../../support/trial.js';

/** What is drawn by code. Of the supplement's other code points, pictograms and letters, the fonts take care. */
const DRAWN = [
  ...range(0x23ba, 0x23bd),
  ...range(0x2500, 0x259f),
  ...range(0x25e2, 0x25e5),
  ...range(0x2800, 0x28ff),
  ...range(0xe0b0, 0xe0bf),
  0xe0d2,
  0xe0d4,
  ...range(0xee00, 0xee0b),
  ...range(0xf5d0, 0xf60d),
  ...range(0x1cc1b, 0x1cc47),
  ...range(0x1cc6b, 0x1cc6e),
  0x1cc84,
  0x1cc85,
  ...range(0x1cc8d, 0x1cc91),
  ...range(0x1cd00, 0x1cde5),
  0x1ce00,
  0x1ce01,
  ...range(0x1ce09, 0x1ce0f),
  0x1ce12,
  0x1ce15,
  ...range(0x1ce16, 0x1ce19),
  ...range(0x1ce51, 0x1ceaf),
  // U+1FB93 is not assigned.
  ...range(0x1fb00, 0x1fbf9).filter((codePoint) => codePoint !== 0x1fb93),
];

const BLANK_BRAILLE = 0x2800;

/** Characters of one shape: graph lines and box lines, separators and triangles, halves of ellipses, and the like. */
const ALIKE = [
  '─ \uf5d0',
  '│ \uf5d1',
  '╭ \uf5d6',
  '╮ \uf5d7',
  '╯ \uf5d9',
  '╰ \uf5d8',
  '╱ \ue0bb \ue0bd',
  '╲ \ue0b9 \ue0bf',
  '▒ \u{1fb90}',
  '◢ \ue0ba',
  '◣ \ue0b8',
  '◤ \ue0bc',
  '◥ \ue0be',
  '\ue0b1 \u{1fbdf}',
  '\ue0b3 \u{1fbdd}',
  '\ue0b5 \u{1ce0c}',
  '\ue0b7 \u{1ce0b}',
  '\u{1cdb7} \u{1fb97}',
];

/** Thickness of the light line in pixels. */
function thickness(size: Size, stroke?: number): number {
  return draw('─', size, stroke).alpha.filter((ink) => ink === 255).length / size[0];
}

describe('sprites', () => {
  it('are exactly the listed code points', () => {
    const found = range(0, 0x1ffff).filter((codePoint) => isSprite(codePoint));
    expect(found).toEqual(DRAWN);
  });

  it('draw a mask of the requested size with ink in it, at every size', () => {
    for (const [width, height] of ODD_SIZES) {
      for (const codePoint of DRAWN) {
        const mask = drawSprite(codePoint, width, height)!;
        const name = `U+${codePoint.toString(16)} at ${width}x${height}`;
        expect([mask.width, mask.height, mask.alpha.length], name).toEqual([width, height, width * height]);
        expect(totalInk(mask) > 0, name).toBe(codePoint !== BLANK_BRAILLE);
      }
    }
  });

  it('leave some of the cell empty, except the full block', () => {
    for (const size of SIZES) {
      const full = DRAWN.filter((codePoint) => draw(codePoint, size).alpha.every((ink) => ink === 255));
      expect(full).toEqual([0x2588]);
    }
  });

  it('differ from each other if there are enough pixels', () => {
    const byMask = new Map<string, string[]>();
    for (const codePoint of DRAWN) {
      const mask = draw(codePoint, [24, 48]).alpha.join();
      byMask.set(mask, [...(byMask.get(mask) ?? []), String.fromCodePoint(codePoint)]);
    }
    const alike = [...byMask.values()].filter((group) => group.length > 1);
    expect(alike.map((group) => group.join(' '))).toEqual(ALIKE);
  });

  it('are undefined for other characters', () => {
    for (const codePoint of [0, 0x41, 0x23b9, 0x4e00, 0x1f600, 0x1fb93, 0x1fbfa, 0x10ffff]) {
      expect(isSprite(codePoint)).toBe(false);
      expect(drawSprite(codePoint, 8, 16)).toBeUndefined();
    }
  });

  it('are the same bytes each time, in any cell and with any stroke', () => {
    assert(
      property(
        constantFrom(...DRAWN),
        integer({ min: 4, max: 64 }),
        integer({ min: 4, max: 128 }),
        integer({ min: 1, max: 20 }),
        (codePoint, width, height, stroke) => {
          const mask = drawSprite(codePoint, width, height, stroke)!;
          expect(mask.alpha.length).toBe(width * height);
          const again = drawSprite(codePoint, width, height, stroke)!;
          expect(Buffer.compare(mask.alpha, again.alpha)).toBe(0);
        },
      ),
      { numRuns: runsOf({ suite: 500, trial: 1500 }) },
    );
  });

  it('draw a light line one pixel thick in small cells, two at 20x40, or as thick as requested', () => {
    expect([thickness([7, 14]), thickness([8, 16]), thickness([11, 22]), thickness([20, 40])]).toEqual([1, 1, 1, 2]);
    expect([thickness([20, 40], 1), thickness([20, 40], 4), thickness([8, 16], 50)]).toEqual([1, 4, 2]);
  });
});
