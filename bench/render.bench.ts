/** Time and bytes of pictures over those of fillText per cell + canvas PNG, in one run, on the same screens. */
import { CELL_WORDS, type Snapshot, type SnapshotRow } from '../src/vt/snapshot.js';
import { drawWithCanvas, newBenchCanvas } from './render-canvas.js';
import { BENCH_SCREENS } from './render-screens.js';
import { allCopied, benchOptions, benchRenderer } from './bench-renderer.js';
import { type BenchContext, type Figure, median } from './support/figure.js';

/** The worst case is told, not bounded: 240 colours at random leave nothing to share. */
const UNBOUNDED = '256-colour noise';
/**
 * A photograph in half blocks is 3,840 colours with nothing in common but that they are near one another: every filter at zlib's
 * highest level leaves 1/2.2 of the canvas's bytes, so a third cannot be had without changing colours. Ours is a tenth above that.
 */
const PHOTOGRAPH = 'half-blocks';
const PHOTOGRAPH_BYTES = 1 / 1.75;
const WARM_UP = 8;
/** Until the engine has compiled what one row takes: a tenth of a second in the life of a daemon. */
const ROW_WARM_UP = 150;
const ROW_EDITS = 100;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, make } of BENCH_SCREENS) figures.push(...measure(root, `80x24 ${name}`, make(80, 24), name, true));
  for (const { name, make } of BENCH_SCREENS)
    figures.push(...measure(root, `200x50 ${name}`, make(200, 50), name, false));
  return figures;
}

function measure(root: string, title: string, snapshot: Snapshot, name: string, small: boolean): Figure[] {
  const options = benchOptions(8);
  const canvas = newBenchCanvas(root, snapshot.cols * 8, snapshot.rows * 16);
  const renderer = benchRenderer(root);
  const render = (next: Snapshot): number => renderer.render(next, options, canvas).byteLength;
  for (let warm = 0; warm < WARM_UP; warm++) render(allCopied(snapshot));
  const canvasBytes = drawWithCanvas(canvas, snapshot, options).length;
  // Turn about, so that a machine that slows down slows down both.
  const canvasTimes: number[] = [];
  const fullTimes: number[] = [];
  for (let round = 0; round < 9; round++) {
    canvasTimes.push(timed(() => drawWithCanvas(canvas, snapshot, options)));
    for (let run = 0; run < 3; run++) fullTimes.push(timed(() => render(allCopied(snapshot))));
  }
  const bytes = render(allCopied(snapshot));
  let current = allCopied(snapshot);
  render(current);
  const rowTimes = Array.from({ length: ROW_WARM_UP + ROW_EDITS }, (_, edit) => {
    current = oneChanged(current, edit);
    return timed(() => render(current));
  }).slice(ROW_WARM_UP);
  const sameTimes = Array.from({ length: 101 }, () => timed(() => render(current)));
  const canvasMs = median(canvasTimes);
  const bounded = name !== UNBOUNDED;
  const full = median(fullTimes);
  const row = median(rowTimes);
  return [
    {
      name: `${title}: full frame over canvas`,
      value: full / canvasMs,
      ...(bounded && { limit: 1 / 8 }),
      note: `${full.toFixed(2)} of ${canvasMs.toFixed(1)} ms`,
    },
    {
      name: `${title}: bytes over canvas`,
      value: bytes / canvasBytes,
      ...(bounded && small && { limit: name === PHOTOGRAPH ? PHOTOGRAPH_BYTES : 1 / 3 }),
      note: `${bytes} of ${canvasBytes}`,
    },
    {
      name: `${title}: one row changed over canvas`,
      value: row / canvasMs,
      ...(bounded && small && { limit: 1 / 100 }),
      note: `${row.toFixed(3)} ms`,
    },
    { name: `${title}: nothing changed`, value: median(sameTimes) * 1000, unit: ' us', limit: 50 },
  ];
}

function oneChanged(snapshot: Snapshot, edit: number): Snapshot {
  const y = Math.floor(snapshot.rows / 2);
  const lines = snapshot.lines.map((row, index): SnapshotRow => {
    if (index !== y) return row;
    const cells = row.cells.slice();
    cells[(snapshot.cols >> 1) * CELL_WORDS] = 0x61 + (edit % 26);
    return { ...row, cells };
  });
  return { ...snapshot, lines };
}

function timed(measured: () => unknown): number {
  const start = performance.now();
  measured();
  return performance.now() - start;
}
