/** How deep the deepest gap is in lines and blocks that go on from cell to cell: of the ink inside of a cell, what is missing. */
import type { Snapshot } from '../src/vt/snapshot.js';
import { rgb, rowOf, screenOf } from '../test/render/support/screen.js';
import { channelsOf, type Raster, rasterOf } from './render-cell-pixels.js';
import type { CellRenderer } from './render-cell-templates.js';

const COLS = 24;
const ROWS = 8;
/** Drawn over a whole screen; the arms of the crosses meet in the middle of their cells, not at the sides. */
const HORIZONTAL = ['─', '━', '═', '█', '▄'];
const VERTICAL = ['│', '┃', '║', '█', '▌'];

export async function deepestGap(renderer: CellRenderer): Promise<number> {
  let deepest = 0;
  for (const [characters, isVertical] of [
    [HORIZONTAL, false],
    [VERTICAL, true],
  ] as const) {
    for (const character of characters) {
      const ink = inkAlong(await rasterOf(await renderer.draw(screenOfOne(character, renderer))), renderer, isVertical);
      deepest = Math.max(deepest, 1 - Math.min(...ink) / Math.max(...ink));
    }
  }
  return deepest;
}

function screenOfOne(character: string, { learnsOnBackground = false }: CellRenderer): Snapshot {
  const pen = { fg: rgb(0xffffff), ...(learnsOnBackground ? {} : { bg: rgb(0x000000) }) };
  const row = rowOf(COLS, [[character.repeat(COLS), pen]]);
  return screenOf(Array.from({ length: ROWS }, () => row));
}

/** White of a row's columns of pixels from one cell's middle to another's; of a column's rows of pixels if vertical. */
function inkAlong({ data, width }: Raster, renderer: CellRenderer, isVertical: boolean): number[] {
  const { cellWidth, cellHeight, learnsOnBackground, background } = renderer;
  const [paper] = channelsOf(learnsOnBackground === true ? background : 0x000000);
  const left = Math.ceil(cellWidth * 2);
  const right = Math.floor(cellWidth * (isVertical ? 3 : COLS - 2));
  const top = Math.ceil(cellHeight * 2);
  const bottom = Math.floor(cellHeight * (isVertical ? ROWS - 2 : 3));
  const ink = new Float64Array(isVertical ? bottom - top : right - left);
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = isVertical ? y - top : x - left;
      ink[at] = (ink[at] ?? 0) + (data[(y * width + x) * 3] ?? 0) - paper;
    }
  }
  return [...ink];
}
