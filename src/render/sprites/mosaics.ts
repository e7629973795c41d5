import { boundary, type Cell } from './cell.js';
import type { Family } from './family.js';
import { blankMask, setRect, type Mask } from './mask.js';

// Grids of equal tiles, inked by a bit pattern: bit 0 is the upper left tile, then along the rows.

interface Mosaic {
  readonly first: number;
  readonly last: number;
  readonly columns: number;
  readonly rows: number;
  /** Tiles that stand apart from each other, across cells too. */
  readonly separated?: true;
  readonly pattern: (index: number) => number;
}

/** U+2596-259F. */
const QUADRANTS = [0b0100, 0b1000, 0b0001, 0b1101, 0b1001, 0b0111, 0b1011, 0b0010, 0b0110, 0b1110];

/** Patterns that the octants leave out: as blocks, halves, quarters and quadrants they have code points of their own. */
const NO_OCTANT = [
  0x00, 0x01, 0x02, 0x03, 0x05, 0x0a, 0x0f, 0x14, 0x28, 0x3f, 0x40, 0x50, 0x55, 0x5a, 0x5f, 0x80, 0xa0, 0xa5, 0xaa,
  0xaf, 0xc0, 0xf0, 0xf5, 0xfa, 0xfc, 0xff,
];

/** Likewise for sextants: nothing, left half, right half, everything. */
const NO_SEXTANT = [0x00, 0x15, 0x2a, 0x3f];

const MOSAICS: readonly Mosaic[] = [
  { first: 0x2596, last: 0x259f, columns: 2, rows: 2, pattern: (index) => QUADRANTS[index] ?? 0 },
  { first: 0x1fb00, last: 0x1fb3b, columns: 2, rows: 3, pattern: (index) => skipping(NO_SEXTANT, index) },
  { first: 0x1cd00, last: 0x1cde5, columns: 2, rows: 4, pattern: (index) => skipping(NO_OCTANT, index) },
  { first: 0x1ce90, last: 0x1ce9f, columns: 4, rows: 4, pattern: (index) => 1 << index },
  { first: 0x1cc21, last: 0x1cc2f, columns: 2, rows: 2, separated: true, pattern: (index) => index + 1 },
  { first: 0x1ce51, last: 0x1ce8f, columns: 2, rows: 3, separated: true, pattern: (index) => index + 1 },
];

export const mosaics: Family = {
  has: (codePoint) => mosaicOf(codePoint) !== undefined,
  draw(codePoint, cell) {
    const mask = blankMask(cell.width, cell.height);
    const mosaic = mosaicOf(codePoint);
    if (mosaic !== undefined) inkTiles(mask, mosaic, mosaic.pattern(codePoint - mosaic.first), cell);
    return mask;
  },
};

function mosaicOf(codePoint: number): Mosaic | undefined {
  return MOSAICS.find(({ first, last }) => codePoint >= first && codePoint <= last);
}

/** The pattern at `index` when all patterns are counted upwards, without those left out. */
function skipping(leftOut: readonly number[], index: number): number {
  let pattern = index;
  for (const skipped of leftOut) if (skipped <= pattern) pattern++;
  return pattern;
}

function inkTiles(mask: Mask, mosaic: Mosaic, pattern: number, { width, height }: Cell): void {
  const { columns, rows, separated = false } = mosaic;
  for (let tile = 0; tile < columns * rows; tile++) {
    if ((pattern & (1 << tile)) === 0) continue;
    const column = tile % columns;
    const row = Math.floor(tile / columns);
    const [left, right] = tileEdges(width, column, columns, separated);
    const [top, bottom] = tileEdges(height, row, rows, separated);
    setRect(mask, left, top, right, bottom);
  }
}

/** A separated tile gives up a quarter, the odd pixel after it; one of a single pixel keeps it. */
function tileEdges(size: number, index: number, parts: number, separated: boolean): [number, number] {
  const from = boundary(size, index, parts);
  const to = boundary(size, index + 1, parts);
  if (!separated || to - from < 2) return [from, to];
  const gap = Math.max(1, Math.round((to - from) / 4));
  const before = Math.floor(gap / 2);
  return [from + before, to - (gap - before)];
}
