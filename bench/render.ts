/**
 * Time and bytes of pictures against fillText per cell + canvas PNG, in one run on the same screens.
 * Ratios hold from machine to machine, milliseconds do not.
 */
import { arch, cpus } from 'node:os';

import type { PictureOptions } from '../src/render/renderer.js';
import { CELL_WORDS, type Snapshot, type SnapshotRow } from '../src/vt/snapshot.js';
import { newRenderer, OPTIONS, themeNamed } from '../test/render/support/studio.js';
import { drawWithCanvas, newBenchCanvas } from './render-canvas.js';
import { BENCH_SCREENS } from './render-screens.js';

const OPTIONS_IN_USE: PictureOptions = { ...OPTIONS, theme: themeNamed('dark') };
const SIZES = [
  [80, 24],
  [200, 50],
] as const;

console.log(`node ${process.version}, ${arch()}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`);
console.log('cell 8x16; medians; ratio = canvas / ours');
for (const [cols, rows] of SIZES) {
  for (const { name, make } of BENCH_SCREENS) report(`${cols}x${rows} ${name}`, make(cols, rows));
}

function report(title: string, snapshot: Snapshot): void {
  const canvas = newBenchCanvas(snapshot.cols * 8, snapshot.rows * 16);
  const canvasMs = median(9, () => drawWithCanvas(canvas, snapshot, OPTIONS_IN_USE));
  const canvasBytes = drawWithCanvas(canvas, snapshot, OPTIONS_IN_USE).length;
  const renderer = newRenderer();
  const render = (next: Snapshot): number => renderer.render(next, OPTIONS_IN_USE, canvas).byteLength;
  for (let warm = 0; warm < 5; warm++) render(allCopied(snapshot));
  const fullMs = median(25, () => render(allCopied(snapshot)));
  const bytes = render(allCopied(snapshot));
  let current = allCopied(snapshot);
  render(current);
  const rowMs = median(101, () => {
    current = oneChanged(current);
    render(current);
  });
  const sameMs = median(101, () => render(current));
  console.log(
    `${title.padEnd(24)} full ${fullMs.toFixed(2)} ms 1/${(canvasMs / fullMs).toFixed(1)}` +
      `  row ${rowMs.toFixed(3)} ms 1/${(canvasMs / rowMs).toFixed(0)}` +
      `  same ${(sameMs * 1000).toFixed(1)} us` +
      `  bytes ${bytes} 1/${(canvasBytes / bytes).toFixed(2)}` +
      `  (canvas ${canvasMs.toFixed(1)} ms, ${canvasBytes} bytes)`,
  );
}

/** New objects, equal content: nothing that was kept can be used, only glyphs and code are warm. */
function allCopied(snapshot: Snapshot): Snapshot {
  return { ...snapshot, lines: snapshot.lines.map((row) => ({ ...row })) };
}

let edit = 0;

function oneChanged(snapshot: Snapshot): Snapshot {
  const y = Math.floor(snapshot.rows / 2);
  const lines = snapshot.lines.map((row, index): SnapshotRow => {
    if (index !== y) return row;
    const cells = row.cells.slice();
    cells[(edit++ % snapshot.cols) * CELL_WORDS] = 0x61 + (edit % 26);
    return { ...row, cells };
  });
  return { ...snapshot, lines };
}

function median(runs: number, measured: () => void): number {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    measured();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  return times[runs >> 1] ?? 0;
}
