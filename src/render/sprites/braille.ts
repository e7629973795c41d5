import type { Cell } from './cell.js';
import type { Family } from './family.js';
import { blankMask, setRect } from './mask.js';

// U+2800-28FF. Bit n of the code point is dot n + 1; dots 7 and 8 were added below the first six.

/** Column and row of each bit's dot. */
const DOTS = ['00', '01', '02', '10', '11', '12', '03', '13'].map(([column, row]) => [Number(column), Number(row)]);

const FIRST = 0x2800;
const LAST = 0x28ff;

export const braille: Family = {
  has: (codePoint) => codePoint >= FIRST && codePoint <= LAST,
  draw(codePoint, cell) {
    const mask = blankMask(cell.width, cell.height);
    const size = dotSize(cell);
    DOTS.forEach(([column = 0, row = 0], bit) => {
      if ((codePoint & (1 << bit)) === 0) return;
      const left = dotStart(cell.width, column, 2, size);
      const top = dotStart(cell.height, row, 4, size);
      setRect(mask, left, top, left + size, top + size);
    });
    return mask;
  },
};

/** Square dots, as wide as the space between them: a quarter of the width, an eighth of the height. */
function dotSize({ width, height }: Cell): number {
  return Math.max(1, Math.round(Math.min(width / 4, height / 8)));
}

/** Dots sit in the middle of equal parts of the cell, so the slack is spread evenly, across cells too. */
function dotStart(size: number, index: number, parts: number, dot: number): number {
  return Math.round(((2 * index + 1) * size - parts * dot) / (2 * parts));
}
