/** All rows of the shell: tabs, the screen or what covers it, the rail, the status line. Pure. */
import type { Panel } from '../panel.js';
import type { Picture } from '../picture.js';
import type { StatusLine } from '../status-line.js';
import type { OuterFrame } from '../../mirror/frame-writer.js';
import type { Mirror } from '../../mirror/mirror.js';
import { column, OUTER, style } from '../../mirror/outer-sequences.js';
import { textCells, fitted } from './cells.js';
import type { Layout } from './layout.js';
import { railLine, type RailRow } from './rail.js';
import { type Tab, tabRow } from './tabs.js';
import type { Toast } from './toasts.js';

export interface CanvasParts {
  readonly layout: Layout;
  readonly picture: Picture;
  readonly mirror: Mirror;
  readonly panel: Panel | undefined;
  readonly status: StatusLine;
  readonly tabs: readonly Tab[];
  /** Rows of the rail, from the top row on. */
  readonly rail: readonly RailRow[];
  readonly toasts: readonly Toast[];
  /** Hint in the middle of an empty canvas; undefined if a terminal is shown. */
  readonly hint: string | undefined;
}

export function canvasOf({
  layout,
  picture,
  mirror,
  panel,
  status,
  tabs,
  rail,
  toasts,
  hint,
}: CanvasParts): OuterFrame {
  const { rows, above, cols, railCols } = layout;
  const all = cols + railCols;
  const frame = picture.compose({ mirror, cols, rows: rows - above, statusCols: all, status, panel });
  const lines = [...frame.lines];
  if (hint !== undefined) {
    const middle = Math.floor((lines.length - 1) / 2);
    if (lines[middle] === '' && lines.length > 1) lines[middle] = centred(hint, cols);
  }
  for (const [i, toast] of toasts.slice(0, lines.length - 1).entries()) {
    const text = ` ${fitted(toast.text, toastCells(toast, cols) - 2)} `;
    lines[i] = `${lines[i]}${column(cols - toastCells(toast, cols))}${TOAST}${text}${OUTER.resetStyle.on}`;
  }
  if (above > 0) lines.unshift(tabRow(tabs, cols));
  if (railCols > 0) {
    for (let i = 0; i < lines.length - 1; i++) lines[i] = `${lines[i]}${railLine(rail[i], cols, railCols)}`;
  }
  const { cursor } = frame;
  return { lines, cursor: cursor && { ...cursor, row: cursor.row + above } };
}

/** Else two thirds of the screen at most: what is below can still be read. */
const MIN_TOAST_COLS = 40;
const TOAST = style('0;30;43');

/** @param at row and column of the terminal of the person */
export function toastAt(
  toasts: readonly Toast[],
  { above, cols }: Layout,
  at: { readonly row: number; readonly col: number },
): Toast | undefined {
  const toast = toasts[at.row - above];
  return toast !== undefined && at.col < cols && at.col >= cols - toastCells(toast, cols) ? toast : undefined;
}

function toastCells({ text }: Toast, cols: number): number {
  return Math.min(cols, Math.max(MIN_TOAST_COLS, Math.floor((cols * 2) / 3)), textCells(text) + 2);
}

function centred(text: string, cols: number): string {
  const shown = text.slice(0, cols);
  return `${column(Math.max(0, Math.floor((cols - shown.length) / 2)))}${style('2')}${shown}${OUTER.resetStyle.on}`;
}
