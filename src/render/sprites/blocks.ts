import { slice, type Cell } from './cell.js';
import type { Family } from './family.js';
import { blankMask, FULL_INK, setRect, type Mask } from './mask.js';

// Rectangles on eighths of the cell: block elements, one-eighth lines, shades, quarters and thirds.

/**
 * Rectangles `left top right bottom` in eighths, joined by `+`; `@25` is that share of ink; `/3` counts in thirds.
 * Shades are flat: a dither would shimmer under every later scaling, and a medium shade is its own inverse.
 */
const BLOCKS: Readonly<Record<number, string>> = {
  0x2580: '0084',
  0x2581: '0788',
  0x2582: '0688',
  0x2583: '0588',
  0x2584: '0488',
  0x2585: '0388',
  0x2586: '0288',
  0x2587: '0188',
  0x2588: '0088',
  0x2589: '0078',
  0x258a: '0068',
  0x258b: '0058',
  0x258c: '0048',
  0x258d: '0038',
  0x258e: '0028',
  0x258f: '0018',
  0x2590: '4088',
  0x2591: '0088@25',
  0x2592: '0088@50',
  0x2593: '0088@75',
  0x2594: '0081',
  0x2595: '7088',
  0x1fb70: '1028',
  0x1fb71: '2038',
  0x1fb72: '3048',
  0x1fb73: '4058',
  0x1fb74: '5068',
  0x1fb75: '6078',
  0x1fb76: '0182',
  0x1fb77: '0283',
  0x1fb78: '0384',
  0x1fb79: '0485',
  0x1fb7a: '0586',
  0x1fb7b: '0687',
  0x1fb7c: '0018+0788',
  0x1fb7d: '0018+0081',
  0x1fb7e: '7088+0081',
  0x1fb7f: '7088+0788',
  0x1fb80: '0081+0788',
  0x1fb81: '0081+0283+0485+0788',
  0x1fb82: '0082',
  0x1fb83: '0083',
  0x1fb84: '0085',
  0x1fb85: '0086',
  0x1fb86: '0087',
  0x1fb87: '6088',
  0x1fb88: '5088',
  0x1fb89: '3088',
  0x1fb8a: '2088',
  0x1fb8b: '1088',
  0x1fb8c: '0048@50',
  0x1fb8d: '4088@50',
  0x1fb8e: '0084@50',
  0x1fb8f: '0488@50',
  0x1fb90: '0088@50',
  0x1fb91: '0084+0488@50',
  0x1fb92: '0084@50+0488',
  0x1fb94: '0048@50+4088',
  0x1fb97: '0284+0688',
  0x1fbce: '0023/3',
  0x1fbcf: '0013/3',
  0x1fbe4: '2064',
  0x1fbe5: '2468',
  0x1fbe6: '0246',
  0x1fbe7: '4286',
  0x1cea0: '4688',
  0x1cea1: '2688',
  0x1cea2: '0668',
  0x1cea3: '0648',
  0x1cea4: '0428',
  0x1cea5: '0228',
  0x1cea6: '0026',
  0x1cea7: '0024',
  0x1cea8: '0042',
  0x1cea9: '0062',
  0x1ceaa: '2082',
  0x1ceab: '4082',
  0x1ceac: '6084',
  0x1cead: '6086',
  0x1ceae: '6288',
  0x1ceaf: '6488',
};

export const blocks: Family = {
  has: (codePoint) => codePoint in BLOCKS,
  draw(codePoint, cell) {
    const mask = blankMask(cell.width, cell.height);
    for (const rectangle of (BLOCKS[codePoint] ?? '').split('+')) inkRectangle(mask, rectangle, cell);
    return mask;
  },
};

function inkRectangle(mask: Mask, rectangle: string, { width, height }: Cell): void {
  const [left = 0, top = 0, right = 0, bottom = 0] = Array.from(rectangle.slice(0, 4), Number);
  const suffix = rectangle[4];
  const amount = Number(rectangle.slice(5));
  const parts = suffix === '/' ? amount : 8;
  const ink = suffix === '@' ? Math.round((FULL_INK * amount) / 100) : FULL_INK;
  const columns = slice(width, left, right, parts);
  const rows = slice(height, top, bottom, parts);
  setRect(mask, columns.from, rows.from, columns.to, rows.to, ink);
}
