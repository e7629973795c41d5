/** The element of one terminal: its screen at the lower end of its scrollback. Touches only what has changed. */
import type { Mirror, MirrorRow } from '../mirror/mirror.js';
import { cellSize, cssSize, type CellSize } from './cell-size.js';
import { Cursor } from './cursor.js';
import { DrawnRows } from './drawn-rows.js';
import type { ThemeName } from './palette.js';
import { Sight, type Corner } from './sight.js';
import { StyleSheet } from './style-sheet.js';

/** Rows of the scrollback beside the view that stay drawn. */
const KEPT = 300;

/** Between the stage and its frame, CSS pixels: page.css. */
const RIGHT = 4;

export class TerminalScreen {
  readonly scroller = element('div', 'term');
  readonly styles = new StyleSheet();
  readonly field: HTMLTextAreaElement = document.createElement('textarea');
  theme: ThemeName = 'dark';
  zoom = 1;
  /** Called when the visible part may have changed. */
  onView: () => void = () => {};
  /** Replaces rows; a selection in them outlives it. */
  replacing: (replace: () => void) => void = (replace) => replace();
  /** Called when rows were drawn. */
  onDrawn: () => void = () => {};
  /** Called when lines stand elsewhere, or are others. */
  readonly moved = new Set<() => void>();
  readonly sight: Sight;
  readonly #extent = element('div', 'extent');
  readonly #rows = new DrawnRows(this.styles);
  /** Of text that is selected and not drawn: above the drawn scrollback, and between it and the screen. */
  readonly #edges = { above: element('div', 'edge'), between: element('div', 'edge') } as const;
  readonly #cursor = new Cursor();
  #cell: CellSize = { width: 8, dpr: 1 };
  #mirror: Mirror | undefined;
  /** Lasting number of the oldest line that can be read. */
  #oldest = 0;
  #isHeld = false;
  /** Another screen came while the rows were held. */
  #isOther = false;
  readonly #resizes: ResizeObserver;
  /** Matches as long as the device pixels of a CSS pixel are as many as now. */
  #ratio: MediaQueryList | undefined;
  readonly #onRatio = (): void => {
    this.#watchRatio();
    this.redraw();
  };

  constructor(host: HTMLElement, label: string) {
    this.field.className = 'hands';
    this.field.setAttribute('aria-label', `Keyboard of ${label}`);
    this.field.setAttribute('aria-description', 'Ctrl+Shift+P or Shift+F1 leaves it');
    for (const [name, value] of FIELD) this.field.setAttribute(name, value);
    const { screen, past } = this.#rows;
    screen.setAttribute('aria-label', `Screen of ${label}`);
    screen.setAttribute('role', 'document');
    screen.append(...this.#cursor.elements);
    for (const edge of Object.values(this.#edges)) {
      edge.setAttribute('aria-hidden', 'true');
      edge.textContent = '\u200B';
    }
    this.#extent.append(this.#edges.above, past, this.#edges.between, screen, this.field);
    this.scroller.append(this.#extent);
    this.scroller.tabIndex = -1;
    this.sight = new Sight(this.scroller, this.#extent);
    host.append(this.scroller);
    this.scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    this.#resizes = new ResizeObserver(() => this.redraw());
    this.#resizes.observe(this.scroller);
    this.#watchRatio();
  }

  dispose(): void {
    this.#resizes.disconnect();
    this.#ratio?.removeEventListener('change', this.#onRatio);
    this.styles.dispose();
    this.scroller.remove();
  }

  /** CSS pixels of a cell. */
  get cell(): { readonly width: number; readonly height: number } {
    return cssSize(this.#cell);
  }

  get isAtEnd(): boolean {
    return this.sight.sticks;
  }

  /** While a person selects text, rows stay as they are. */
  set isHeld(held: boolean) {
    if (held === this.#isHeld) return;
    this.#isHeld = held;
    if (held || this.#mirror === undefined) return;
    this.draw(this.#mirror, this.#oldest, false);
    this.onView();
  }

  get room(): { readonly width: number; readonly height: number } {
    const host = this.scroller.parentElement;
    return { width: host?.clientWidth ?? 0, height: host?.clientHeight ?? 0 };
  }

  /** Width of the room without the feed beside it: the text keeps its size while the feed is open. CSS pixels. */
  get #wholeWidth(): number {
    const host = this.scroller.parentElement;
    const { width } = this.room;
    if (host?.classList.contains('has-feed') !== true) return width;
    return Math.max(width, (host.offsetParent?.clientWidth ?? 0) - host.offsetLeft - RIGHT);
  }

  /** Lasting number of the top row, as it is drawn. */
  get first(): number {
    return this.#rows.first;
  }

  /** Of the last row of the screen. */
  get last(): number {
    return this.#rows.first + Math.max(1, this.#rows.count) - 1;
  }

  /** Lasting numbers of the rows of the scrollback that are drawn. */
  get pastLines(): { readonly from: number; readonly to: number } {
    return this.#rows.pastLines;
  }

  get oldest(): number {
    return this.#oldest;
  }

  /** @param oldest lasting number of the oldest line that can be read @param isComplete the screen is another one */
  draw(mirror: Mirror, oldest: number, isComplete: boolean): void {
    this.#mirror = mirror;
    this.#oldest = oldest;
    this.#isOther ||= isComplete;
    if (this.#isHeld) return;
    const isNew = this.#prepare(mirror);
    this.replacing(() => {
      if (isNew) this.#rows.redraw();
      this.#rows.draw(mirror.rows, mirror.firstLine, !this.#isOther);
      this.#rows.trim(oldest);
    });
    this.#isOther = false;
    this.#placeCursor(mirror);
    this.#place(mirror, isNew);
    this.onDrawn();
    for (const follow of this.moved) follow();
  }

  /** In another room, theme or size. */
  redraw(): void {
    this.#align();
    this.sight.forget();
    if (this.#mirror !== undefined) this.draw(this.#mirror, this.#oldest, false);
    this.onView();
  }

  /** @param corner from there on cards hide the page; the cursor moves out of it. CSS pixels of the page */
  cover(corner: Corner | undefined): void {
    const { left, top } = this.scroller.getBoundingClientRect();
    const own = corner && { left: corner.left - left, top: corner.top - top };
    if (this.sight.cover(own) && this.#mirror !== undefined) this.draw(this.#mirror, this.#oldest, false);
  }

  /** Rows of the scrollback, from a line on. */
  showPast(rows: readonly MirrorRow[], first: number): void {
    const { first: from, last: to } = this.sight.view;
    const keep = { from: Math.max(this.#oldest, from - KEPT), to: Math.min(this.first, to + KEPT) };
    this.replacing(() => this.#rows.showPast(rows, first, keep));
    this.#placePast();
    this.onDrawn();
  }

  /** Lasting number of the line of a drawn row; undefined for what is none. */
  lineOf(row: Element): number | undefined {
    return this.#rows.lineOf(row);
  }

  /** From the top. */
  rowElements(): Element[] {
    return this.#rows.elements();
  }

  /** @returns the element of that line, or the edge of what is drawn beside it */
  elementAt(line: number): { readonly row: Element } | { readonly edge: Element } {
    const row = this.#rows.elementOf(line);
    if (row !== undefined) return { row };
    return { edge: line < this.#rows.pastFirst ? this.#edges.above : this.#edges.between };
  }

  /** @param text that an input method has so far; empty at its end */
  compose(text: string): void {
    this.#cursor.compose(text, this.styles.palette);
  }

  toEnd(): void {
    if (this.isAtEnd) return;
    this.sight.toEnd();
    this.onView();
  }

  /** The cell at a place of the window; undefined beside the screen. */
  cellAt(x: number, y: number): { readonly row: number; readonly col: number } | undefined {
    const place = this.#rows.screen.getBoundingClientRect();
    const { width, height } = this.cell;
    const [col, row] = [Math.floor((x - place.left) / width), Math.floor((y - place.top) / height)];
    const isInside = row >= 0 && col >= 0 && row < this.#rows.count && col < (this.#mirror?.state.cols ?? 0);
    return isInside ? { row, col } : undefined;
  }

  /** Class and grid for the present room, theme and colors. @returns whether all rows must be drawn */
  #prepare(mirror: Mirror): boolean {
    const { cols, colors, modes } = mirror.state;
    const room = { ...this.room, width: this.#wholeWidth, dpr: devicePixelRatio };
    this.#cell = cellSize(room, { cols, rows: mirror.rows.length }, this.zoom);
    const reverseScreen = modes['reverse_screen'] === true;
    const isNew = this.styles.use({ theme: this.theme, colors, reverseScreen, cell: this.#cell });
    const { screen, past } = this.#rows;
    for (const one of [screen, past]) one.style.width = `${cols * this.#cell.width}px`;
    screen.style.height = `${mirror.rows.length * 2 * this.#cell.width}px`;
    return isNew;
  }

  /** @param isNew the cells are others: they may be as large as before, of more device pixels each */
  #place({ rows, cursor, state, firstLine }: Mirror, isNew: boolean): void {
    const used = rows.findLastIndex(({ runs }) => runs.some(([text]) => text.trim() !== '')) + 1;
    const isMoved = this.sight.place({
      oldest: this.#oldest,
      first: firstLine,
      rows: rows.length,
      cols: state.cols,
      cell: this.cell,
      cursor: cursor.visible && state.alive ? cursor : undefined,
      usedRows: Math.max(used, cursor.row + 1),
    });
    if (!isMoved && !isNew) return;
    this.#rows.screen.style.transform = this.#transformAt(firstLine - this.#oldest);
    this.#placePast();
  }

  #placePast(): void {
    this.#rows.past.style.transform = this.#transformAt(this.#rows.pastFirst - this.#oldest);
  }

  /** Device pixels become CSS pixels; half a pixel of the page's layout is taken back. */
  #transformAt(line: number): string {
    const { dpr } = this.#cell;
    const { left, top } = this.#extent.getBoundingClientRect();
    const { scrollLeft, scrollTop } = this.scroller;
    const offset = (place: number): number => (Math.round(place * dpr) - place * dpr) / dpr;
    const y = line * this.cell.height + offset(top + scrollTop);
    return `translate(${offset(left + scrollLeft)}px,${y}px) scale(${1 / dpr})`;
  }

  #watchRatio(): void {
    this.#ratio?.removeEventListener('change', this.#onRatio);
    this.#ratio = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    this.#ratio.addEventListener('change', this.#onRatio);
  }

  /** Begins on a whole pixel of the device: browsers draw a part that scrolls by itself, and blend the edges of its cells otherwise. */
  #align(): void {
    const { left = 0, top = 0 } = this.scroller.parentElement?.getBoundingClientRect() ?? {};
    const [x, y] = [toPixel(left), toPixel(top)];
    const { style } = this.scroller;
    const place = `${y}px 0 0 ${x}px`;
    if (style.margin === place) return;
    style.margin = place;
    style.width = `calc(100% - ${x}px)`;
    style.height = `calc(100% - ${y}px)`;
  }

  #placeCursor(mirror: Mirror): void {
    const { cursor } = mirror;
    this.#cursor.place(mirror, this.#cell.width, this.styles.palette);
    // Where the browser shows the candidates of an input method.
    const { width: w, height: h } = this.cell;
    this.field.style.transform = `translate(${cursor.col * w}px,${(this.#rows.first - this.#oldest + cursor.row) * h}px)`;
    this.field.style.height = `${h}px`;
  }

  #scrolled(): void {
    this.sight.scrolled();
    this.onView();
    for (const follow of this.moved) follow();
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

function element(name: string, classes: string): HTMLElement {
  const made = document.createElement(name);
  made.className = classes;
  return made;
}

/** CSS pixels from there to the next pixel of the device. */
function toPixel(place: number): number {
  return Math.ceil(place * devicePixelRatio - 0.01) / devicePixelRatio - place;
}
