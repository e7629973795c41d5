import { inkArc, squareOff, type ArcCorner } from './arc.js';
import { centred, strokeCentre, type Cell } from './cell.js';
import type { Family } from './family.js';
import { blankMask, FULL_INK, setRect, type Mask } from './mask.js';
import { Stencil } from './stencil.js';

// U+F5D0-F60D: lines and commits of a version graph, in the private use area.
// https://github.com/kovidgoyal/kitty/pull/7681 and 7805

/** Straight lines and arcs, each named by the two edges it joins. Empty entries are the lines that fade. */
const LINES = (
  'LR,UD,,,,,DR,DL,UR,UL,UD UR,UD DR,UR DR,UD UL,UD DL,UL DL,LR DL,LR DR,DL DR,LR UL,LR UR,UL UR,' +
  'UD UL UR,UD DL DR,LR UL DL,LR UR DR,UD UL DR,UD UR DL,LR UL DR,LR UR DL'
).split(',');

/** The edge towards which each line fades, from U+F5D2 on. */
const FADES = 'RLDU';
const FIRST_FADE = 0xf5d2;

/** Edges that a commit is joined to; of each pair of code points the first commit is filled, the second hollow. */
const COMMITS = ',R,L,LR,D,U,UD,DR,DL,UR,UL,UDR,UDL,LRD,LRU,UDLR'.split(',');

const FIRST = 0xf5d0;
const FIRST_COMMIT = 0xf5ee;
const LAST = 0xf60d;

export const branches: Family = {
  has: (codePoint) => codePoint >= FIRST && codePoint <= LAST,
  draw(codePoint, cell) {
    const commit = codePoint - FIRST_COMMIT;
    if (commit >= 0) return drawCommit(COMMITS[commit >> 1] ?? '', commit % 2 === 0, cell);
    const lines = LINES[codePoint - FIRST] ?? '';
    return lines === '' ? drawFade(FADES[codePoint - FIRST_FADE] ?? 'R', cell) : drawLines(lines, cell);
  },
};

function drawLines(lines: string, cell: Cell): Mask {
  const { width, height } = cell;
  const columns = centred(width, cell.stroke);
  const rows = centred(height, cell.stroke);
  const stencil = new Stencil(cell);
  for (const line of lines.split(' ')) {
    if (line === 'LR') stencil.rect(0, rows.from, width, rows.to);
    else if (line === 'UD') stencil.rect(columns.from, 0, columns.to, height);
    else inkArc(stencil, line as ArcCorner, cell);
  }
  const mask = stencil.toMask();
  for (const edge of new Set(lines.replaceAll(' ', ''))) squareOff(mask, edge, cell);
  return mask;
}

function drawFade(towards: string, { width, height, stroke }: Cell): Mask {
  const mask = blankMask(width, height);
  const horizontal = towards === 'L' || towards === 'R';
  const size = horizontal ? width : height;
  const band = centred(horizontal ? height : width, stroke);
  for (let step = 0; step < size; step++) {
    const at = towards === 'R' || towards === 'D' ? step : size - 1 - step;
    const ink = FULL_INK - Math.floor((FULL_INK * step) / size);
    if (horizontal) setRect(mask, at, band.from, at + 1, band.to, ink);
    else setRect(mask, band.from, at, band.to, at + 1, ink);
  }
  return mask;
}

/** The circle keeps off the edges, or a commit on its own would seem joined to its neighbours. */
function drawCommit(edges: string, filled: boolean, cell: Cell): Mask {
  const { width, height, stroke } = cell;
  const x = strokeCentre(width, stroke);
  const y = strokeCentre(height, stroke);
  const radius = Math.max(Math.min(x, width - x, y, height - y) - Math.ceil(stroke / 2), 1);
  const half = stroke / 2;
  const stencil = new Stencil(cell);
  if (edges.includes('U')) stencil.rect(x - half, 0, x + half, y);
  if (edges.includes('D')) stencil.rect(x - half, y, x + half, height);
  if (edges.includes('L')) stencil.rect(0, y - half, x, y + half);
  if (edges.includes('R')) stencil.rect(x, y - half, width, y + half);
  stencil.ellipse(x, y, radius, radius);
  if (!filled) stencil.erase(() => stencil.ellipse(x, y, radius - stroke, radius - stroke));
  return stencil.toMask();
}
