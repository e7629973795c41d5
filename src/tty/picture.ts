/** Picture for the person: the part of the screen that fits, a border where the screen is smaller, and the status line. Pure. */
import { ansiRow } from '../mirror/ansi-row.js';
import type { OuterFrame } from '../mirror/frame-writer.js';
import type { Mirror, MirrorRow } from '../mirror/mirror.js';
import { column, OUTER, style } from '../mirror/outer-sequences.js';
import { OuterStyles } from '../mirror/outer-style.js';
import { safeText } from '../mirror/safe-text.js';
import { type MouseFields, onScreen } from './mouse-report.js';
import { Pan } from './pan.js';
import type { Panel } from './panel.js';
import type { Size } from '../mirror/fit.js';
import { type SeenPart, statusLine, type StatusLine } from './status-line.js';

export interface PictureParts {
  readonly mirror: Mirror;
  readonly cols: number;
  readonly rows: number;
  /** Columns of the status line, if it is wider than the screen. */
  readonly statusCols?: number;
  readonly status: StatusLine;
  readonly panel: Panel | undefined;
}

const DIM = style('2');
const RESET = OUTER.resetStyle.on;

export class Picture {
  readonly #pan = new Pan();
  #made = new WeakMap<MirrorRow, string>();
  /** Key of what rows depend on beside themselves. */
  #key = '';
  #styles = new OuterStyles({ colors: {}, reverseScreen: false });

  /** The cell of the screen that is at the top left. */
  #origin = { left: 0, top: 0 };

  /** A report of the mouse with the cell of the screen; undefined for what is beside it. */
  placed(report: MouseFields, { state, rows }: Mirror, window: Size): MouseFields | undefined {
    return onScreen(report, { origin: this.#origin, window, screen: { cols: state.cols, rows: rows.length } });
  }

  /** The cell of the screen that is at the top left. */
  get origin(): { readonly left: number; readonly top: number } {
    return this.#origin;
  }

  /** The part of the screen that fits the window. */
  seen(mirror: Mirror, window: Size): SeenPart {
    return { ...this.#pan.follow(mirror, window), ...window };
  }

  compose({ mirror, cols, rows, statusCols = cols, status, panel }: PictureParts): OuterFrame {
    const promptCol = panel?.cursorCol;
    const hasStatus = rows > 1 || panel !== undefined;
    const window = { cols, rows: hasStatus ? rows - 1 : rows };
    this.#origin = this.#pan.follow(mirror, window);
    const { top } = this.#origin;
    const left = panel?.rows === undefined ? this.#origin.left : (panel.left ?? this.#origin.left);
    const overlay = panel?.overlay(window.rows, cols) ?? [];
    this.#prepare(mirror, left, cols);
    const shown = panel?.rows?.slice(0, window.rows) ?? mirror.rows.slice(top, top + window.rows);
    const lines = shown.map((row) => this.#row(row, left, mirror.state.cols, cols));
    if (lines.length < window.rows) lines.push(mirror.state.cols === 0 ? '' : bottomBorder(mirror.state.cols, cols));
    while (lines.length < window.rows) lines.push('');
    for (const [i, line] of overlay.slice(0, window.rows).entries()) {
      lines[window.rows - Math.min(overlay.length, window.rows) + i] = overlayLine(line, cols);
    }
    if (hasStatus) lines.push(statusLine(status, statusCols));
    if (promptCol !== undefined) return { lines, cursor: { row: rows - 1, col: Math.min(promptCol, statusCols - 1) } };
    const { row, col, visible } = mirror.cursor;
    const cursor = { row: row - top, col: col - left };
    const isInside = cursor.row >= 0 && cursor.row < window.rows && cursor.col >= 0 && cursor.col < cols;
    return { lines, cursor: visible && mirror.state.alive && isInside && panel === undefined ? cursor : undefined };
  }

  #prepare({ state }: Mirror, left: number, cols: number): void {
    const key = JSON.stringify([left, cols, state.cols, state.colors, state.modes['reverse_screen']]);
    if (key === this.#key) return;
    this.#key = key;
    this.#made = new WeakMap();
    this.#styles = new OuterStyles({ colors: state.colors, reverseScreen: state.modes['reverse_screen'] === true });
  }

  #row(row: MirrorRow, left: number, screenCols: number, cols: number): string {
    let line = this.#made.get(row);
    if (line === undefined) {
      const visible = Math.min(cols, screenCols - left);
      const border = visible < cols ? `${column(visible)}${DIM}│${RESET}` : '';
      line = `${ansiRow(row, { left, cols: visible }, this.#styles)}${border}`;
      this.#made.set(row, line);
    }
    return line;
  }
}

function bottomBorder(screenCols: number, cols: number): string {
  return `${DIM}${'─'.repeat(Math.min(screenCols, cols))}${screenCols < cols ? '┘' : ''}${RESET}`;
}

function overlayLine(line: string, cols: number): string {
  const letters = Array.from(safeText(line));
  const shown = letters.length > cols ? [...letters.slice(0, cols - 1), '…'] : letters;
  return `${style('7')}${shown.join('').padEnd(cols)}${RESET}`;
}
