/** Boxes drawn around cells that the caller points at: matches of a search, rows that changed. */
import { fillRect, type PixelTarget } from './blit.js';
import type { Region } from '../view.js';

/** Not a colour of any theme: nobody takes it for the program's own. */
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
  marks: readonly Region[],
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
