/** What everybody else does: fillText per cell on a canvas, then the canvas's own PNG encoder. The yardstick. */
import { type Canvas, createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { join } from 'node:path';
import { CellColorRules, ScreenColors } from '../src/render/raster/cell-colors.js';
import type { PictureOptions } from '../src/render/renderer.js';
import { ATTR_BOLD, CELL_ATTRS, CELL_BG, CELL_FG, CELL_WORDS, graphemeAt, type Snapshot } from '../src/vt/snapshot.js';

const FAMILY = 'bench dejavu sans mono';

export function drawWithCanvas(canvas: Canvas, snapshot: Snapshot, options: PictureOptions): Buffer {
  const { cellWidth, cellHeight } = options;
  const colors = new ScreenColors(options.theme, snapshot.colors, snapshot.reverseScreen);
  const rules = new CellColorRules(colors, { minimumContrast: 1, boldAsBright: false, faded: false });
  const context = canvas.getContext('2d');
  context.fillStyle = css(colors.background);
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const [y, row] of snapshot.lines.entries()) {
    for (let col = 0; col < snapshot.cols; col++) {
      const at = col * CELL_WORDS;
      const attrs = row.cells[at + CELL_ATTRS] ?? 0;
      const cell = rules.resolve(row.cells[at + CELL_FG] ?? 0, row.cells[at + CELL_BG] ?? 0, attrs, false);
      if (cell.bg !== colors.background) {
        context.fillStyle = css(cell.bg);
        context.fillRect(col * cellWidth, y * cellHeight, cellWidth, cellHeight);
      }
      const text = graphemeAt(row, col);
      if (text === '' || text === ' ') continue;
      context.font = `${(attrs & ATTR_BOLD) === 0 ? '' : 'bold '}${cellWidth / 0.602}px "${FAMILY}"`;
      context.fillStyle = css(cell.fg);
      context.fillText(text, col * cellWidth, y * cellHeight + Math.round(cellHeight * 0.8));
    }
  }
  return canvas.toBuffer('image/png');
}

export function newBenchCanvas(root: string, width: number, height: number): Canvas {
  if (!GlobalFonts.has(FAMILY)) {
    for (const face of ['dejavu-sans-mono', 'dejavu-sans-mono-bold']) {
      GlobalFonts.registerFromPath(join(root, 'fonts', `${face}.ttf`), FAMILY);
    }
  }
  return createCanvas(width, height);
}

function css(rgb: number): string {
  return `#${rgb.toString(16).padStart(6, '0')}`;
}
