import { slice, type Cell } from './cell.js';
import type { Family } from './family.js';
import type { Mask } from './mask.js';
import { Stencil } from './stencil.js';

/**
 * A small language for pictures: commands joined by `;`, coordinates `x,y` in percent of the cell's width and height.
 *
 *     line P P ...    light stroke, ends on the border running on past it
 *     bold P P ...    the same, heavy
 *     fill P P ...    polygon
 *     rect P P        rectangle from corner to corner, on whole pixels
 *     block P P       the same, in eighths of the cell, to fit the block elements
 *     oval P R        ellipse around P with radii R, in percent of width and height
 *     hoop P R        its light outline
 *     disc P r        circle around P, radius in percent of the cell's smaller side
 *     ring P r        its light outline
 *     keep P P ...    takes away all ink outside of the polygon
 *     cut COMMAND     takes away the ink that COMMAND would leave
 */
export type SpriteDrawing = string;

/** A family that is nothing but a table of drawings. */
export function drawings(table: Readonly<Record<number, SpriteDrawing>>): Family {
  return {
    has: (codePoint) => codePoint in table,
    draw: (codePoint, cell) => draw(table[codePoint] ?? '', cell),
  };
}

function draw(drawing: SpriteDrawing, cell: Cell): Mask {
  const stencil = new Stencil(cell);
  for (const command of drawing.split(';')) {
    const [verb = '', ...rest] = command.trim().split(' ');
    if (verb === 'cut') stencil.erase(() => ink(stencil, cell, rest[0] ?? '', rest.slice(1)));
    else ink(stencil, cell, verb, rest);
  }
  return stencil.toMask();
}

function ink(stencil: Stencil, cell: Cell, verb: string, operands: readonly string[]): void {
  const { width, height, stroke } = cell;
  const numbers = operands.flatMap((operand) => operand.split(',')).map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  const x = (a * width) / 100;
  const y = (b * height) / 100;
  const radius = (c * Math.min(width, height)) / 100;
  switch (verb) {
    case 'line':
      stencil.polyline(onStrokes(numbers, cell, stroke), stroke);
      break;
    case 'bold':
      stencil.polyline(onStrokes(numbers, cell, 2 * stroke), 2 * stroke);
      break;
    case 'fill':
      stencil.polygon(inPixels(numbers, cell));
      break;
    case 'keep':
      stencil.keepPolygon(inPixels(numbers, cell));
      break;
    case 'rect':
      stencil.rect(...cornersOf(slice(width, a, c, 100), slice(height, b, d, 100)));
      break;
    case 'block':
      stencil.rect(...cornersOf(slice(width, a, c, 8), slice(height, b, d, 8)));
      break;
    case 'oval':
      stencil.ellipse(x, y, (c * width) / 100, (d * height) / 100);
      break;
    case 'hoop':
      stencil.ellipse(x, y, (c * width) / 100, (d * height) / 100, stroke);
      break;
    case 'disc':
      stencil.ellipse(x, y, radius, radius);
      break;
    case 'ring':
      stencil.ellipse(x, y, radius, radius, stroke);
      break;
  }
}

function cornersOf(columns: { from: number; to: number }, rows: { from: number; to: number }) {
  return [columns.from, rows.from, columns.to, rows.to] as const;
}

function inPixels(percents: readonly number[], { width, height }: Cell): number[] {
  return percents.map((percent, i) => (percent * (i % 2 === 0 ? width : height)) / 100);
}

/** Points moved, by half a pixel at most, to where level and upright strokes fill whole pixels; the border stays. */
function onStrokes(percents: readonly number[], { width, height }: Cell, thickness: number): number[] {
  return percents.map((percent, i) => {
    const size = i % 2 === 0 ? width : height;
    if (percent <= 0 || percent >= 100) return (percent * size) / 100;
    const edge = Math.floor((percent * size) / 100 - thickness / 2 + 0.499);
    return Math.min(Math.max(edge, 0), Math.max(size - thickness, 0)) + thickness / 2;
  });
}
