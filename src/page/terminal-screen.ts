/** The element of one terminal: its screen at the lower end of its scrollback. Touches only what has changed. */
import type { Mirror, MirrorRow } from '../mirror/mirror.js';
import { runCells } from '../mirror/run-cells.js';
import { cellSize, cssSize, type CellSize } from './cell-size.js';
import { hex, type ThemeName } from './palette.js';
import { fillRow, rowElement } from './row-element.js';
import { StyleSheet } from './style-sheet.js';

/** Nearer to the end, new output keeps the end in view. CSS pixels. */
const STICKY = 4;

export class TerminalScreen {
  readonly scroller = element('div', 'term');
  readonly styles = new StyleSheet();
  readonly field: HTMLTextAreaElement = document.createElement('textarea');
  theme: ThemeName = 'dark';
  zoom = 1;
  /** Rows above the screen that can be read. */
  linesAbove = 0;
  /** Called when the visible part may have changed. */
  onView: () => void = () => {};
  /** Replaces rows of the scrollback; a selection in them outlives it. */
  replacing: (replace: () => void) => void = (replace) => replace();
  /** Called when the end has come into view, or has left it. */
  onEnd: () => void = () => {};
  readonly #extent = element('div', 'extent');
  readonly #history = element('div', 'grid past');
  /** Of text that is selected and not drawn: above the drawn scrollback, and between it and the screen. */
  readonly #edges = { above: element('div', 'edge'), between: element('div', 'edge') } as const;
  /** Index of the first drawn row of the scrollback. */
  #pastFirst = 0;
  readonly #screen = element('div', 'grid');
  readonly #cursor = element('div', 'cursor');
  #rows: HTMLElement[] = [];
  #cell: CellSize = { width: 8, dpr: 1 };
  #mirror: Mirror | undefined;
  #sticks = true;
  /** Where the end was put last: `scrollTop`, CSS pixels. */
  #endTop = 0;
  #isHeld = false;
  /** Where the screen was placed last: as long as it is the same, a row changes without a layout of the page. */
  #placed = '';
  readonly #resizes: ResizeObserver;

  constructor(host: HTMLElement, label: string) {
    this.field.className = 'hands';
    this.field.setAttribute('aria-label', `Keyboard of ${label}`);
    for (const [name, value] of FIELD) this.field.setAttribute(name, value);
    this.#screen.setAttribute('aria-label', `Screen of ${label}`);
    this.#screen.setAttribute('role', 'document');
    this.#cursor.setAttribute('aria-hidden', 'true');
    this.#screen.append(this.#cursor);
    for (const edge of Object.values(this.#edges)) {
      edge.setAttribute('aria-hidden', 'true');
      edge.textContent = '\u200B';
    }
    this.#extent.append(this.#edges.above, this.#history, this.#edges.between, this.#screen, this.field);
    this.scroller.append(this.#extent);
    this.scroller.tabIndex = -1;
    host.append(this.scroller);
    this.scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    this.#resizes = new ResizeObserver(() => this.redraw());
    this.#resizes.observe(host);
  }

  dispose(): void {
    this.#resizes.disconnect();
    this.styles.dispose();
    this.scroller.remove();
  }

  /** CSS pixels of a cell. */
  get cell(): { readonly width: number; readonly height: number } {
    return cssSize(this.#cell);
  }

  get isAtEnd(): boolean {
    return this.#sticks;
  }

  /** While a person selects text, rows stay as they are. */
  set isHeld(held: boolean) {
    this.#isHeld = held;
    if (!held) this.redraw();
  }

  get room(): { readonly width: number; readonly height: number } {
    const host = this.scroller.parentElement;
    return { width: host?.clientWidth ?? 0, height: host?.clientHeight ?? 0 };
  }

  /** @param rows indexes of those that have changed; undefined for all */
  draw(mirror: Mirror, rows: readonly number[] | undefined): void {
    this.#mirror = mirror;
    if (this.#isHeld) return;
    const isNew = this.#prepare(mirror);
    const changed = isNew || rows === undefined ? mirror.rows.keys() : rows;
    for (const index of changed) {
      const row = mirror.rows[index];
      const target = this.#rows[index];
      if (row !== undefined && target !== undefined) fillRow(target, row, this.styles);
    }
    this.#placeCursor(mirror);
    const place = `${this.linesAbove} ${mirror.rows.length} ${this.#cell.width} ${this.#cell.dpr}`;
    if (place !== this.#placed) this.#place();
    this.#placed = place;
  }

  redraw(): void {
    this.#placed = '';
    if (this.#mirror !== undefined) this.draw(this.#mirror, undefined);
    this.onView();
  }

  /** Rows of the scrollback, in place of those that stood there. @param first index of the first one, of `linesAbove` */
  showPast(rows: readonly MirrorRow[], first: number): void {
    this.replacing(() => {
      this.#pastFirst = first;
      this.#history.replaceChildren(...rows.map((row) => rowElement(row, this.styles)));
    });
    this.#history.style.transform = this.#transformAt(first);
  }

  /** Index of a drawn row, counted from the first that can be read; undefined for what is none. */
  indexOf(row: Element): number | undefined {
    const past = Array.prototype.indexOf.call(this.#history.children, row);
    if (past !== -1) return this.#pastFirst + past;
    const now = Array.prototype.indexOf.call(this.#rows, row);
    return now === -1 ? undefined : this.linesAbove + now;
  }

  /** @returns the element of that row, or the edge of what is drawn beside it */
  elementAt(index: number): { readonly row: Element } | { readonly edge: Element } {
    const row = this.#rows[index - this.linesAbove] ?? this.#history.children[index - this.#pastFirst];
    if (row !== undefined) return { row };
    return { edge: index < this.#pastFirst ? this.#edges.above : this.#edges.between };
  }

  /** Indexes of rows in view, counted from the first that can be read. */
  get view(): { readonly first: number; readonly last: number } {
    const { height } = this.cell;
    const first = Math.floor(this.scroller.scrollTop / height);
    return { first, last: first + Math.ceil(this.scroller.clientHeight / height) };
  }

  toEnd(): void {
    if (this.#sticks) return;
    this.#stick(true);
    this.#endTop = 0;
    this.#place();
  }

  toLine(index: number): void {
    this.#stick(false);
    this.scroller.scrollTop = Math.max(0, (index - 3) * this.cell.height);
  }

  /** The cell at a place of the window; undefined beside the screen. */
  cellAt(x: number, y: number): { readonly row: number; readonly col: number } | undefined {
    const place = this.#screen.getBoundingClientRect();
    const { width, height } = this.cell;
    const [col, row] = [Math.floor((x - place.left) / width), Math.floor((y - place.top) / height)];
    const isInside = row >= 0 && col >= 0 && row < this.#rows.length && col < (this.#mirror?.state.cols ?? 0);
    return isInside ? { row, col } : undefined;
  }

  /** Class and grid for the present room, theme and colors. @returns whether all rows must be drawn */
  #prepare(mirror: Mirror): boolean {
    const { cols, colors, modes } = mirror.state;
    const room = { ...this.room, dpr: devicePixelRatio };
    this.#cell = cellSize(room, { cols, rows: mirror.rows.length }, this.zoom);
    const reverseScreen = modes['reverse_screen'] === true;
    const isNew = this.styles.use({ theme: this.theme, colors, reverseScreen, cell: this.#cell });
    const rows = mirror.rows.length;
    while (this.#rows.length > rows) this.#rows.pop()?.remove();
    const added = Array.from({ length: rows - this.#rows.length }, () => element('div', 'row'));
    this.#rows.push(...added);
    this.#cursor.before(...added);
    if (isNew) this.#history.replaceChildren();
    const { width, height } = this.cell;
    this.#extent.style.width = `${cols * width}px`;
    this.#extent.style.height = `${(this.linesAbove + rows) * height}px`;
    for (const grid of [this.#screen, this.#history]) grid.style.width = `${cols * this.#cell.width}px`;
    this.#screen.style.height = `${rows * 2 * this.#cell.width}px`;
    return isNew || added.length > 0;
  }

  #place(): void {
    this.#screen.style.transform = this.#transformAt(this.linesAbove);
    if (this.#sticks && this.#hasLeft()) this.#stick(false);
    if (!this.#sticks) return;
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.#endTop = this.scroller.scrollTop;
  }

  /** Whether a person has scrolled away and the browser has not reported it yet: it does so with its next frame. */
  #hasLeft(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    return scrollTop < Math.min(this.#endTop, scrollHeight - clientHeight) - STICKY;
  }

  /** Device pixels become CSS pixels; half a pixel of the page's layout is taken back. */
  #transformAt(line: number): string {
    const { dpr } = this.#cell;
    const { left, top } = this.#extent.getBoundingClientRect();
    const offset = (place: number): number => (Math.round(place * dpr) - place * dpr) / dpr;
    const y = line * this.cell.height + offset(top + this.scroller.scrollTop);
    return `translate(${offset(left)}px,${y}px) scale(${1 / dpr})`;
  }

  #placeCursor({ cursor, rows, state }: Mirror): void {
    const { width } = this.#cell;
    const under = charactersAt(rows[cursor.row], cursor.col);
    const { style } = this.#cursor;
    this.#cursor.hidden = !cursor.visible || !state.alive;
    this.#cursor.className = `cursor ${cursor.shape}${cursor.blink ? ' blinks' : ''} c c${Math.min(8, under.width)}`;
    this.#cursor.textContent = cursor.shape === 'block' ? under.text : '';
    style.transform = `translate(${cursor.col * width}px,${cursor.row * 2 * width}px)`;
    style.setProperty('--cursor', hex(this.styles.palette.cursor));
    style.setProperty('--under', hex(this.styles.palette.background));
    style.setProperty('--thick', `${Math.max(1, Math.round(width / 6))}px`);
    // Where the browser shows the candidates of an input method.
    const { width: w, height: h } = this.cell;
    this.field.style.transform = `translate(${cursor.col * w}px,${(this.linesAbove + cursor.row) * h}px)`;
    this.field.style.height = `${h}px`;
  }

  #stick(sticks: boolean): void {
    if (sticks === this.#sticks) return;
    this.#sticks = sticks;
    this.onEnd();
  }

  #scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    this.#stick(scrollTop + clientHeight >= scrollHeight - STICKY);
    this.onView();
  }
}

/** Nothing of what is typed here is corrected, completed or remembered. */
const FIELD = [
  ['autocomplete', 'off'],
  ['autocapitalize', 'off'],
  ['autocorrect', 'off'],
  ['spellcheck', 'false'],
  ['rows', '1'],
] as const;

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

function element(name: string, classes: string): HTMLElement {
  const made = document.createElement(name);
  made.className = classes;
  return made;
}
