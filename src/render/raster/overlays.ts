/** Overlays of a row: the cursor, and boxes around cells that the caller points at (matches of a search, changed rows). */
import { ATTR_WIDTH_MASK, ATTR_WIDTH_SHIFT, CELL_ATTRS, CELL_WORDS, type Snapshot } from '../../vt/snapshot.js';
import { fillRect, type PixelTarget } from './blit.js';
import { contrastRatio } from '../color.js';
import { strokeOf } from '../cell-size.js';
import type { ViewRegion } from '../view.js';

export type DrawnCursorShape = 'block' | 'underline' | 'bar' | 'hollow';

export interface DrawnCursor {
  readonly row: number;
  readonly col: number;
  readonly span: 1 | 2;
  readonly shape: DrawnCursorShape;
}

/** Undefined when the cursor is hidden. A blinking cursor is drawn in its lit phase. */
export function cursorOf(snapshot: Snapshot, focused: boolean): DrawnCursor | undefined {
  const { row, visible, shape } = snapshot.cursor;
  const cells = snapshot.lines[row]?.cells;
  if (!visible || cells === undefined) return undefined;
  // While a wrap is pending the cursor stands past the end: terminals show it upon the last cell.
  let col = Math.min(snapshot.cursor.col, snapshot.cols - 1);
  if (col > 0 && widthAt(cells, col) === 0) col--;
  const span = widthAt(cells, col) === 2 ? 2 : 1;
  return { row, col, span, shape: focused ? shape : 'hollow' };
}

/** The colour of the glyph under a block cursor: the cell's own background where that can be read. */
export function textUnderCursor(cursorColor: number, cellBackground: number): number {
  const readable = 3;
  if (contrastRatio(cursorColor, cellBackground) >= readable) return cellBackground;
  return contrastRatio(cursorColor, 0x000000) >= contrastRatio(cursorColor, 0xffffff) ? 0x000000 : 0xffffff;
}

/** Draws the cursor upon the cell for every shape but the block, which is the cell's own two colours. */
export function drawCursorLines(
  shape: DrawnCursorShape,
  target: PixelTarget,
  left: number,
  width: number,
  height: number,
  color: number,
): void {
  if (shape === 'block') return;
  const value = target.palette.value(color);
  const thin = strokeOf(height / 2);
  const thick = Math.max(2, thin);
  if (shape === 'underline') fillRect(target, left, height - thick, width, thick, value);
  if (shape === 'bar') fillRect(target, left, 0, thick, height, value);
  if (shape !== 'hollow') return;
  fillRect(target, left, 0, width, thin, value);
  fillRect(target, left, height - thin, width, thin, value);
  fillRect(target, left, 0, thin, height, value);
  fillRect(target, left + width - thin, 0, thin, height, value);
}

function widthAt(cells: Uint32Array, col: number): number {
  return ((cells[col * CELL_WORDS + CELL_ATTRS] ?? 0) & ATTR_WIDTH_MASK) >> ATTR_WIDTH_SHIFT;
}

/** Not a colour of any theme, so that it cannot be mistaken for the program's own. */
export const MARK_COLOR = 0xff2d95;

/** The part of a box that lies in one row, in columns of the view. */
export interface RowBox {
  readonly left: number;
  /** One past the last. */
  readonly right: number;
  readonly top: boolean;
  readonly bottom: boolean;
}

/** `y`: row of the view; `offset`: where the grid's first cell is in it. Marks may reach beyond what is shown. */
export function boxesOf(
  marks: readonly ViewRegion[],
  y: number,
  offset: { readonly rowOffset: number; readonly colOffset: number },
  cols: number,
): readonly RowBox[] {
  const boxes: RowBox[] = [];
  for (const mark of marks) {
    const first = mark.row + offset.rowOffset;
    const last = first + mark.rows - 1;
    const left = Math.max(0, mark.col + offset.colOffset);
    const right = Math.min(cols, mark.col + mark.cols + offset.colOffset);
    if (y < first || y > last || left >= right) continue;
    boxes.push({ left, right, top: y === first, bottom: y === last });
  }
  return boxes;
}

export function boxesKey(boxes: readonly RowBox[]): string {
  return boxes.map(({ left, right, top, bottom }) => `${left}-${right}${top ? 't' : ''}${bottom ? 'b' : ''}`).join();
}

export function drawBoxes(boxes: readonly RowBox[], target: PixelTarget, cellWidth: number, cellHeight: number): void {
  if (boxes.length === 0) return;
  const value = target.palette.value(MARK_COLOR);
  const stroke = Math.max(1, Math.round(cellWidth / 6));
  for (const box of boxes) {
    const left = box.left * cellWidth;
    const width = (box.right - box.left) * cellWidth;
    fillRect(target, left, 0, stroke, cellHeight, value);
    fillRect(target, left + width - stroke, 0, stroke, cellHeight, value);
    if (box.top) fillRect(target, left, 0, width, stroke, value);
    if (box.bottom) fillRect(target, left, cellHeight - stroke, width, stroke, value);
  }
}
