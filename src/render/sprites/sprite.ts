import { blocks } from './blocks.js';
import { boxDrawing } from './box-drawing.js';
import { braille } from './braille.js';
import { branches } from './branches.js';
import { circles } from './circles.js';
import { diagonals } from './diagonals.js';
import { digits } from './digits.js';
import type { Family } from './family.js';
import { fills } from './fills.js';
import type { Mask } from './mask.js';
import { mosaics } from './mosaics.js';
import { pictures } from './pictures.js';
import { powerline } from './powerline.js';
import { progress } from './progress.js';
import { supplement } from './supplement.js';
import { wedges } from './wedges.js';

// Characters whose meaning is their geometry, drawn to the pixel for the cell at hand instead of taken from a font: a
// font's outlines meet their neighbours only at the size they were drawn for.

export type { Mask } from './mask.js';

/** The most frequent first; no two have the same code point. */
const FAMILIES: readonly Family[] = [
  boxDrawing,
  blocks,
  braille,
  mosaics,
  powerline,
  diagonals,
  wedges,
  fills,
  progress,
  branches,
  circles,
  pictures,
  digits,
  supplement,
];

/** Ranges in which sprites are found at all, in ascending order: text must be told apart at the cost of a comparison or two. */
const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x23ba, 0x23bd],
  [0x2500, 0x259f],
  [0x25e2, 0x25e5],
  [0x2800, 0x28ff],
  [0xe0b0, 0xe0d4],
  [0xee00, 0xee0b],
  [0xf5d0, 0xf60d],
  [0x1cc1b, 0x1ceaf],
  [0x1fb00, 0x1fbf9],
];

/** True when this code point is drawn by code at any cell size. */
export function isSprite(codePoint: number): boolean {
  return familyOf(codePoint) !== undefined;
}

/**
 * The mask of a sprite for a cell of exactly `width` x `height` whole pixels; undefined when the code point is no
 * sprite.
 *
 * @param stroke Thickness of a light line in whole pixels. Held to a third of the cell's smaller side, the most that
 * leaves room for the two lines of a double one.
 */
export function drawSprite(
  codePoint: number,
  width: number,
  height: number,
  stroke: number = defaultStroke(width),
): Mask | undefined {
  const widest = Math.max(1, Math.floor(Math.min(width, height) / 3));
  return familyOf(codePoint)?.draw(codePoint, { width, height, stroke: Math.min(Math.max(1, stroke), widest) });
}

/** A tenth of the width, about the underline of the usual monospaced faces: one pixel up to 14 wide, two at 20. */
function defaultStroke(width: number): number {
  return Math.max(1, Math.round(width / 10));
}

function familyOf(codePoint: number): Family | undefined {
  for (const [first, last] of RANGES) {
    if (codePoint < first) return undefined;
    if (codePoint <= last) return FAMILIES.find((family) => family.has(codePoint));
  }
  return undefined;
}
