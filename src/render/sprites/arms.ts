import { boundary, centred, type Band, type Cell } from './cell.js';
import { blankMask, setRect, type Mask } from './mask.js';

// Straight lines from the middle of the cell to its edges, each of its own weight, joined so that no corner is open
// and no line shows through another's gap.

/** 0 none, 1 light, 2 heavy, 3 double. */
export interface Arms {
  readonly up: number;
  readonly right: number;
  readonly down: number;
  readonly left: number;
}

const DOUBLE = 3;

export function drawArms(arms: Arms, cell: Cell): Mask {
  const mask = blankMask(cell.width, cell.height);
  const columns = lanes(cell.width, cell.stroke);
  const rows = lanes(cell.height, cell.stroke);
  const across: Axis = { low: arms.left, high: arms.right };
  const down: Axis = { low: arms.up, high: arms.down };
  const alongRow: DrawArm = (rowBand, from, to, ink) => setRect(mask, from, rowBand.from, to, rowBand.to, ink);
  const alongColumn: DrawArm = (columnBand, from, to, ink) =>
    setRect(mask, columnBand.from, from, columnBand.to, to, ink);

  // The order matters: gaps are cut out of the double lines before a single line may cross them.
  drawAxis(across, down, rows, columns, cell.width, alongRow, 'double');
  drawAxis(down, across, columns, rows, cell.height, alongColumn, 'double');
  drawAxis(across, down, rows, columns, cell.width, alongRow, 'gap');
  drawAxis(down, across, columns, rows, cell.height, alongColumn, 'gap');
  drawAxis(across, down, rows, columns, cell.width, alongRow, 'single');
  drawAxis(down, across, columns, rows, cell.height, alongColumn, 'single');
  return mask;
}

/** A line through the cell in `count` dashes; each cell ends in half a gap, so that a run of them stays even. */
export function drawDashes(arms: Arms, count: number, cell: Cell): Mask {
  const horizontal = arms.left > 0;
  const size = horizontal ? cell.width : cell.height;
  const mask = drawArms(arms, cell);
  // A dash and a gap of one pixel each are the least that still reads as dashes.
  if (size < 2 * count) return mask;
  const gap = Math.max(1, Math.floor((2 * size + 3 * count) / (6 * count)));
  const gapBefore = Math.floor(gap / 2);
  for (let dash = 0; dash < count; dash++) {
    const from = boundary(size, dash, count);
    const to = boundary(size, dash + 1, count);
    const cut = (a: number, b: number) =>
      horizontal ? setRect(mask, a, 0, b, cell.height, 0) : setRect(mask, 0, a, cell.width, b, 0);
    cut(from, from + gapBefore);
    cut(to - (gap - gapBefore), to);
  }
  return mask;
}

/** The arms of one direction: towards the left or upper edge, and towards the right or lower one. */
interface Axis {
  readonly low: number;
  readonly high: number;
}

/** Across a line, where its ink lies for each weight. The gap of a double line lies where the light line does. */
interface Lanes {
  readonly light: Band;
  readonly heavy: Band;
  readonly double: Band;
}

type DrawArm = (band: Band, from: number, to: number, ink?: number) => void;

function lanes(size: number, stroke: number): Lanes {
  return { light: centred(size, stroke), heavy: centred(size, 2 * stroke), double: centred(size, 3 * stroke) };
}

function lane(weight: number, of: Lanes): Band {
  if (weight === DOUBLE) return of.double;
  return weight === 2 ? of.heavy : of.light;
}

function drawAxis(
  axis: Axis,
  crossing: Axis,
  own: Lanes,
  crossed: Lanes,
  size: number,
  draw: DrawArm,
  phase: 'double' | 'gap' | 'single',
): void {
  for (const [weight, opposite, isLow] of [
    [axis.low, axis.high, true],
    [axis.high, axis.low, false],
  ] as const) {
    if (weight === 0 || (weight === DOUBLE) === (phase === 'single')) continue;
    const reach = phase === 'gap' ? crossed.light : reachOf(weight, opposite, crossing, crossed);
    const band = phase === 'gap' ? own.light : lane(weight, own);
    const ink = phase === 'gap' ? 0 : undefined;
    if (isLow) draw(band, 0, reach.to, ink);
    else draw(band, reach.from, size, ink);
  }
}

/** Reach of an arm into the crossing: one from the low edge ends at `to`, one from the high edge at `from`. */
function reachOf(weight: number, opposite: number, crossing: Axis, crossed: Lanes): Band {
  const passesBy = crossing.low === DOUBLE && crossing.high === DOUBLE;
  // A single line that only meets a double one ends at its near stroke; one that crosses it goes through the gap.
  if (passesBy && weight !== DOUBLE && opposite === 0) return { from: crossed.light.to, to: crossed.light.from };
  return lane(Math.max(crossing.low, crossing.high), crossed);
}
