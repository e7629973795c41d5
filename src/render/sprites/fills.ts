import { boundary, centred, slice, type Cell } from './cell.js';
import type { Family } from './family.js';
import { blankMask, inverted, setRect, type Mask } from './mask.js';
import { Stencil } from './stencil.js';

// Patterns that go on from cell to cell without a seam: a whole number of periods fits into every cell.

const CHECKER_BOARD = 0x1fb95;
const INVERSE_CHECKER_BOARD = 0x1fb96;

/** Spacing in eighths of the cell's width of level and upright light lines, 0 for none. */
const HATCHES: Readonly<Record<number, readonly [level: number, upright: number]>> = {
  0x1cc40: [4, 0],
  0x1cc41: [0, 4],
  0x1cc42: [4, 4],
  0x1cc44: [0, 2],
  0x1cc45: [2, 0],
};

/** Half ink, half not, in slanting stripes: `\` falls to the right. */
const STRIPES: Readonly<Record<number, string>> = { 0x1fb98: '\\', 0x1fb99: '/' };

const DIAGONAL_CROSSHATCH = 0x1cc43;
const SPECKLES = [0x1cc46, 0x1cc47];

/** Horizontal scan lines 1, 3, 7 and 9 of nine; the fifth is U+2500. */
const SCAN_LINES: Readonly<Record<number, number>> = { 0x23ba: 1, 0x23bb: 3, 0x23bc: 7, 0x23bd: 9 };

export const fills: Family = {
  has: (codePoint) =>
    codePoint === CHECKER_BOARD ||
    codePoint === INVERSE_CHECKER_BOARD ||
    codePoint === DIAGONAL_CROSSHATCH ||
    SPECKLES.includes(codePoint) ||
    codePoint in HATCHES ||
    codePoint in STRIPES ||
    codePoint in SCAN_LINES,
  draw(codePoint, cell) {
    const hatch = HATCHES[codePoint];
    const stripes = STRIPES[codePoint];
    const scanLine = SCAN_LINES[codePoint];
    if (codePoint === CHECKER_BOARD) return drawChecks(cell);
    if (codePoint === INVERSE_CHECKER_BOARD) return inverted(drawChecks(cell));
    if (hatch !== undefined) return drawHatch(hatch, cell);
    if (stripes !== undefined) return drawStripes(stripes, 0.5, cell);
    if (codePoint === DIAGONAL_CROSSHATCH) return drawStripes('\\/', 0.25, cell);
    if (scanLine !== undefined) return drawScanLine(scanLine, cell);
    return drawSpeckles(SPECKLES.indexOf(codePoint), cell);
  },
};

/** Four checks across, and down as many as make them square. */
function drawChecks(cell: Cell): Mask {
  const { width, height } = cell;
  const mask = blankMask(width, height);
  const columns = width < 4 ? 2 : 4;
  const rows = evenParts(height, width / columns);
  for (let row = 0; row < rows; row++) {
    const { from: top, to: bottom } = slice(height, row, row + 1, rows);
    for (let column = row % 2; column < columns; column += 2) {
      setRect(mask, boundary(width, column, columns), top, boundary(width, column + 1, columns), bottom);
    }
  }
  return mask;
}

function drawHatch([level, upright]: readonly [number, number], { width, height, stroke }: Cell): Mask {
  const mask = blankMask(width, height);
  const rows = level === 0 ? 0 : lineCount(height, (level * width) / 8, stroke);
  const columns = upright === 0 ? 0 : lineCount(width, (upright * width) / 8, stroke);
  for (let row = 0; row < rows; row++) {
    const top = Math.floor((row * height) / rows);
    setRect(mask, 0, top, width, top + stroke);
  }
  for (let column = 0; column < columns; column++) {
    const left = Math.floor((column * width) / columns);
    setRect(mask, left, 0, left + stroke, height);
  }
  return mask;
}

/** Stripes of `share` of their period, about four pixels wide and equally high, a whole number of periods both ways. */
function drawStripes(directions: string, share: number, cell: Cell): Mask {
  const { width, height } = cell;
  const stencil = new Stencil(cell);
  const across = Math.min(Math.max(Math.floor(width / 4), 1), 4);
  const down = Math.max(Math.round((across * height) / width), 1);
  const period = width / across;
  for (const direction of directions) {
    // By the bottom of the cell a stripe has moved `down` periods: as many more begin before or after its top edge.
    const shift = direction === '\\' ? down : -down;
    for (let stripe = Math.min(-shift, 0); stripe < across + Math.max(-shift, 0); stripe++) {
      const left = stripe * period;
      const right = left + share * period;
      const fall = shift * period;
      stencil.polygon([left, 0, right, 0, right + fall, height, left + fall, height]);
    }
  }
  return stencil.toMask();
}

/** Single dots, one in each half of every second check; the second frame has them where the first has none. */
function drawSpeckles(frame: number, cell: Cell): Mask {
  const { width, height, stroke } = cell;
  const mask = blankMask(width, height);
  const columns = 2;
  const rows = evenParts(height, width / columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if ((row + column) % 2 !== frame) continue;
      const left = boundary(width, column, columns) + centred(Math.floor(width / columns), stroke).from;
      const top = boundary(height, row, rows) + centred(Math.floor(height / rows), stroke).from;
      setRect(mask, left, top, left + stroke, top + stroke);
    }
  }
  return mask;
}

function drawScanLine(line: number, { width, height, stroke }: Cell): Mask {
  const mask = blankMask(width, height);
  const top = Math.floor(((height - stroke) * (line - 1)) / 8);
  setRect(mask, 0, top, width, top + stroke);
  return mask;
}

function evenParts(size: number, part: number): number {
  return Math.max(2, 2 * Math.round(size / part / 2));
}

/** Number of lines that stand about `spacing` apart, and apart from each other at all. */
function lineCount(size: number, spacing: number, stroke: number): number {
  return Math.max(1, Math.round(size / Math.max(spacing, 2 * stroke)));
}
