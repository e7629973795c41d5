import { centred, strokeCentre, type Cell } from './cell.js';
import { setRect, type Mask } from './mask.js';
import { Stencil } from './stencil.js';

/** Two edges of the cell: U, D, L, R. */
export type ArcCorner = 'UR' | 'UL' | 'DR' | 'DL';

export function drawArc(corner: ArcCorner, cell: Cell): Mask {
  const stencil = new Stencil(cell);
  inkArc(stencil, corner, cell);
  const mask = stencil.toMask();
  for (const edge of corner) squareOff(mask, edge, cell);
  return mask;
}

/** A light line from one edge to another in a quarter circle, half the cell's smaller side in radius where it fits. */
export function inkArc(stencil: Stencil, corner: ArcCorner, cell: Cell): void {
  const { width, height, stroke } = cell;
  const x = strokeCentre(width, stroke);
  const y = strokeCentre(height, stroke);
  // The middle of a stroke may be half a pixel off the middle of the cell: the nearest edge decides, for all four.
  const radius = Math.min(x, width - x, y, height - y);
  const downwards = corner.startsWith('D');
  const rightwards = corner.endsWith('R');
  const centreX = rightwards ? x + radius : x - radius;
  const centreY = downwards ? y + radius : y - radius;
  const half = stroke / 2;
  stencil.ellipse(centreX, centreY, radius + half, radius + half, stroke, {
    left: rightwards ? -Infinity : centreX,
    right: rightwards ? centreX : Infinity,
    top: downwards ? -Infinity : centreY,
    bottom: downwards ? centreY : Infinity,
  });
  if (downwards) stencil.rect(x - half, centreY, x + half, height);
  else stencil.rect(x - half, 0, x + half, centreY);
  if (rightwards) stencil.rect(centreX, y - half, width, y + half);
  else stencil.rect(0, y - half, centreX, y + half);
}

/** Makes the outermost pixels at an edge those of a straight light line: a curve is not yet quite straight there. */
export function squareOff(mask: Mask, edge: string, cell: Cell): void {
  const { width, height } = cell;
  const columns = centred(width, cell.stroke);
  const rows = centred(height, cell.stroke);
  if (edge === 'L' || edge === 'R') {
    const x = edge === 'L' ? 0 : width - 1;
    setRect(mask, x, 0, x + 1, height, 0);
    setRect(mask, x, rows.from, x + 1, rows.to);
  } else {
    const y = edge === 'U' ? 0 : height - 1;
    setRect(mask, 0, y, width, y + 1, 0);
    setRect(mask, columns.from, y, columns.to, y + 1);
  }
}
