/** The cursor of a terminal, and at it what an input method has so far. In pixels of the device, as the rows are. */
import type { Mirror, MirrorRow } from '../mirror/mirror.js';
import { runCells } from '../mirror/run-cells.js';
import { safeText } from '../mirror/safe-text.js';
import { hex, type Palette } from './palette.js';

export class Cursor {
  readonly elements: readonly HTMLElement[];
  readonly #cursor = document.createElement('div');
  readonly #preedit = document.createElement('div');
  #col = 0;
  #row = 0;
  #gridWidth = 0;

  constructor() {
    this.elements = [this.#cursor, this.#preedit];
    for (const one of this.elements) one.setAttribute('aria-hidden', 'true');
    this.#cursor.className = 'cursor';
    this.#preedit.className = 'preedit';
    this.#preedit.hidden = true;
  }

  /** @param width of a cell */
  place({ cursor, rows, state }: Mirror, width: number, palette: Palette): void {
    const under = charactersAt(rows[cursor.row], cursor.col);
    const { style } = this.#cursor;
    this.#cursor.hidden = !cursor.visible || !state.alive;
    this.#cursor.className = `cursor ${cursor.shape}${cursor.blink ? ' blinks' : ''} c c${Math.min(8, under.width)}`;
    this.#cursor.textContent = cursor.shape === 'block' ? under.text : '';
    [this.#col, this.#row, this.#gridWidth] = [cursor.col * width, cursor.row * 2 * width, state.cols * width];
    style.transform = `translate(${this.#col}px,${this.#row}px)`;
    style.setProperty('--cursor', hex(palette.cursor));
    style.setProperty('--under', hex(palette.background));
    style.setProperty('--thick', `${Math.max(1, Math.round(width / 6))}px`);
    if (!this.#preedit.hidden) this.#placePreedit(palette);
  }

  /** @param text of an input method; empty at its end */
  compose(text: string, palette: Palette): void {
    this.#preedit.textContent = safeText(text);
    this.#preedit.hidden = text === '';
    if (text !== '') this.#placePreedit(palette);
  }

  /** At the cursor, or so far before it that it ends with the row. */
  #placePreedit({ background, foreground }: Palette): void {
    const x = Math.max(0, Math.min(this.#col, this.#gridWidth - this.#preedit.offsetWidth));
    const { style } = this.#preedit;
    style.transform = `translate(${x}px,${this.#row}px)`;
    style.setProperty('--ground', hex(background));
    style.setProperty('--text', hex(foreground));
  }
}

function charactersAt(row: MirrorRow | undefined, col: number): { readonly text: string; readonly width: number } {
  let at = 0;
  for (const run of row?.runs ?? []) {
    for (const cell of runCells(run)) {
      if (col < at + cell.width) return cell;
      at += cell.width;
    }
  }
  return { text: ' ', width: 1 };
}
