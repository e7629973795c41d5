import { boundary, type Cell } from './cell.js';
import type { Family } from './family.js';
import { inverted, shaded, type Mask } from './mask.js';
import { Stencil } from './stencil.js';

// Cells cut by one straight line: smooth mosaics and triangles.

/**
 * U+1FB3C-1FB51: everything below the line between two points of the border, column L C R and third 0..3 from the
 * top. U+1FB52-1FB67 are the same lines in the same order with everything above them.
 */
const LINES =
  'L2C3 L2R3 L1C3 L1R3 L0C3 L1C0 L1R0 L2C0 L2R0 L3C0 L2R1 C3R2 L3R2 C3R1 L3R1 C3R0 C0R1 L0R1 C0R2 L0R2 C0R3 L1R2'.split(
    ' ',
  );
const FIRST_BELOW = 0x1fb3c;
const FIRST_ABOVE = 0x1fb52;
const LAST_ABOVE = 0x1fb67;

/** Corners on the keypad, 7 8 9 above 4 5 6 above 1 2 3; `+` joins, `!` is the inverse, `@` a medium shade. */
const TRIANGLES: Readonly<Record<number, string>> = {
  0x25e2: '139',
  0x25e3: '137',
  0x25e4: '179',
  0x25e5: '379',
  0x1fb68: '!157',
  0x1fb69: '!579',
  0x1fb6a: '!359',
  0x1fb6b: '!135',
  0x1fb6c: '157',
  0x1fb6d: '579',
  0x1fb6e: '359',
  0x1fb6f: '135',
  0x1fb9a: '579+135',
  0x1fb9b: '157+359',
  0x1fb9c: '@179',
  0x1fb9d: '@379',
  0x1fb9e: '@139',
  0x1fb9f: '@137',
};

const MEDIUM_SHADE = 128;

export const wedges: Family = {
  has: (codePoint) => (codePoint >= FIRST_BELOW && codePoint <= LAST_ABOVE) || codePoint in TRIANGLES,
  draw(codePoint, cell) {
    const triangles = TRIANGLES[codePoint];
    if (triangles !== undefined) return drawTriangles(triangles, cell);
    if (codePoint >= FIRST_ABOVE) return inverted(drawBelow(LINES[codePoint - FIRST_ABOVE] ?? '', cell));
    return drawBelow(LINES[codePoint - FIRST_BELOW] ?? '', cell);
  },
};

/** Beyond its ends the line goes on level, which on the border is nothing or everything, as it should be. */
function drawBelow(line: string, cell: Cell): Mask {
  const { width, height } = cell;
  const x = (at: number) => boundary(width, 'LCR'.indexOf(line[at] ?? ''), 2);
  const y = (at: number) => boundary(height, Number(line[at]), 3);
  const stencil = new Stencil(cell);
  stencil.polygon([0, y(1), x(0), y(1), x(2), y(3), width, y(3), width, height, 0, height]);
  return stencil.toMask();
}

function drawTriangles(triangles: string, cell: Cell): Mask {
  const stencil = new Stencil(cell);
  for (const triangle of triangles.replace(/[!@]/, '').split('+')) {
    stencil.polygon(Array.from(triangle, Number).flatMap((key) => [keypadX(key, cell), keypadY(key, cell)]));
  }
  const mask = stencil.toMask();
  if (triangles.startsWith('!')) return inverted(mask);
  return triangles.startsWith('@') ? shaded(mask, MEDIUM_SHADE) : mask;
}

function keypadX(key: number, { width }: Cell): number {
  return (((key - 1) % 3) * width) / 2;
}

function keypadY(key: number, { height }: Cell): number {
  return ((2 - Math.floor((key - 1) / 3)) * height) / 2;
}
