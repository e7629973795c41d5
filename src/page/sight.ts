/**
 * The part of a terminal that the window shows. At the end, the cursor is in view: the part moves as little as the cursor needs,
 * and blank rows below it are no end. Elsewhere, the line under the eye stays where it is. CSS pixels.
 */

export interface Scene {
  /** Lasting number of the oldest line that can be read. */
  readonly oldest: number;
  /** Of the top row of the screen. */
  readonly first: number;
  readonly rows: number;
  readonly cols: number;
  readonly cell: { readonly width: number; readonly height: number };
  /** Undefined if it is hidden. */
  readonly cursor: { readonly row: number; readonly col: number } | undefined;
  /** Rows of the screen up to the last one with text. */
  readonly usedRows: number;
}

/** From there to the right and down, cards hide the window. */
export interface Corner {
  readonly left: number;
  readonly top: number;
}

/** Nearer to the end, new output keeps the end in view. */
const STICKY = 4;

export class Sight {
  /** Called when the end has come into view, or has left it. */
  onEnd: () => void = () => {};
  readonly #scroller: HTMLElement;
  readonly #extent: HTMLElement;
  #scene: Scene | undefined;
  #sticks = true;
  /** Between the top of the screen and that of the window; undefined before it is chosen. */
  #pan: number | undefined;
  /** Where the end was put last. */
  #endTop = 0;
  /** How far to the right the page itself has gone, after the cursor; a person who goes elsewhere stays there. */
  #leftForCursor = 0;
  /** Window and place as they were used last: as long as they are the same, a row changes without a layout of the page. */
  #window = { width: 0, height: 0 };
  #placed = '';
  #covered: Corner | undefined;

  constructor(scroller: HTMLElement, extent: HTMLElement) {
    this.#scroller = scroller;
    this.#extent = extent;
  }

  get sticks(): boolean {
    return this.#sticks;
  }

  /** The window is another: the end is chosen anew. */
  forget(): void {
    const { clientWidth: width, clientHeight: height } = this.#scroller;
    this.#window = { width, height };
    this.#pan = undefined;
    this.#placed = '';
  }

  /** @returns whether it is another corner than before */
  cover(corner: Corner | undefined): boolean {
    if (corner?.left === this.#covered?.left && corner?.top === this.#covered?.top) return false;
    this.#covered = corner;
    this.#placed = '';
    return true;
  }

  /** @returns whether the screen stands elsewhere now */
  place(scene: Scene): boolean {
    const before = this.#scene;
    this.#scene = scene;
    const { cell, oldest, first, rows, cols, cursor } = scene;
    const key = `${oldest} ${first} ${rows} ${cols} ${cell.width} ${this.#doesFit(scene) || `${cursor?.row},${cursor?.col}`}`;
    if (key === this.#placed) return false;
    this.#placed = key;
    if (before?.rows !== rows) this.#pan = undefined;
    if (this.#sticks && this.#hasLeft()) this.#stick(false);
    this.#extent.style.width = `${cols * cell.width}px`;
    if (this.#sticks) {
      this.#toCursor(scene);
      return true;
    }
    const isSame = before === undefined || (before.oldest === oldest && before.cell.height === cell.height);
    const under = isSame ? 0 : this.#scroller.scrollTop / before.cell.height + before.oldest;
    this.#extent.style.height = `${(first - oldest + rows) * cell.height}px`;
    if (isSame) return true;
    this.#scroller.scrollTop = Math.max(0, (under - oldest) * cell.height);
    this.scrolled();
    return true;
  }

  toEnd(): void {
    this.#stick(true);
    this.#pan = undefined;
    this.#endTop = 0;
    this.#placed = '';
    if (this.#scene !== undefined) this.place(this.#scene);
  }

  /** A line that is in view already moves nothing, and is held there: later output leaves it. */
  toLine(line: number): void {
    if (this.#scene === undefined) return;
    const { height } = this.#scene.cell;
    const { scrollTop, clientHeight } = this.#scroller;
    const top = (line - this.#scene.oldest) * height;
    this.#stick(false);
    if (top >= scrollTop && top + height <= scrollTop + clientHeight) return;
    this.#scroller.scrollTop = Math.max(0, Math.round(top - clientHeight / 3));
    this.scrolled();
  }

  /** The line is the first of the window, or as near to that as the end of the text allows. */
  toTop(line: number): void {
    if (this.#scene === undefined) return;
    this.#stick(false);
    this.#scroller.scrollTop = Math.max(0, (line - this.#scene.oldest) * this.#scene.cell.height);
    this.scrolled();
  }

  /** Lasting numbers of the lines in view. */
  get view(): { readonly first: number; readonly last: number } {
    const { oldest, cell } = this.#scene ?? { oldest: 0, cell: { height: 1 } };
    const { scrollTop, clientHeight } = this.#scroller;
    const first = Math.floor(scrollTop / cell.height + 0.01);
    return { first: oldest + first, last: oldest + first + Math.ceil(clientHeight / cell.height) + 1 };
  }

  /** A person, or the page itself, has scrolled. */
  scrolled(): void {
    if (this.#scene === undefined) return;
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    // Where the page itself has put it: in a window of another size since, or of none yet, that is not the end, and the next frame goes there.
    if (this.#sticks && scrollTop === this.#endTop && clientHeight !== this.#window.height) return;
    const { first, oldest, cell, cursor, rows } = this.#scene;
    const screenTop = (first - oldest) * cell.height;
    const isFit = rows * cell.height <= clientHeight;
    const end = Math.min(scrollHeight - clientHeight, isFit ? Infinity : screenTop + (this.#pan ?? 0));
    const at = cursor === undefined ? scrollTop : screenTop + cursor.row * cell.height;
    const isSeen = isFit || (at >= scrollTop - STICKY && at + cell.height <= scrollTop + clientHeight + STICKY);
    this.#stick(scrollTop >= end - STICKY && isSeen);
    if (!this.#sticks) return;
    this.#pan = scrollTop - screenTop;
    this.#endTop = scrollTop;
  }

  #doesFit({ rows, cols, cell }: Scene): boolean {
    const { width, height } = this.#window;
    return rows * cell.height <= height && cols * cell.width <= width && this.#covered === undefined;
  }

  #toCursor(scene: Scene): void {
    const { first, oldest, rows, cell, cursor, usedRows } = scene;
    const { width, height } = this.#window;
    const above = (first - oldest) * cell.height;
    const all = rows * cell.height;
    let pan = all - height;
    if (pan > 0) pan = Math.max(0, Math.min(pan, this.#pan ?? usedRows * cell.height - height));
    let left = this.#scroller.scrollLeft;
    if (cursor !== undefined) {
      const x = cursor.col * cell.width;
      const isOwn = this.#leftForCursor > 0 && Math.abs(left - this.#leftForCursor) <= 1;
      const nearest = Math.max(Math.min(left, x), x + cell.width - width);
      left = isOwn && x + cell.width <= width ? 0 : nearest;
      const covered = this.#covered;
      const isUnder = covered !== undefined && x + cell.width - left > covered.left;
      const free = isUnder ? Math.max(cell.height, covered.top) : height;
      pan = Math.min(Math.max(pan, (cursor.row + 1) * cell.height - free), Math.max(0, cursor.row * cell.height));
    }
    this.#pan = pan;
    const top = Math.max(0, above + pan);
    this.#extent.style.height = `${Math.max(above + all, top === 0 ? 0 : top + height)}px`;
    // The window may have a part of a pixel more than it says.
    this.#scroller.scrollTop = pan === all - height ? this.#scroller.scrollHeight : top;
    if (left !== this.#scroller.scrollLeft) {
      this.#scroller.scrollLeft = left;
      this.#leftForCursor = this.#scroller.scrollLeft;
    }
    this.#endTop = this.#scroller.scrollTop;
  }

  /** Whether a person has scrolled away and the browser has not reported it yet: it does so with its next frame. */
  #hasLeft(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    return scrollTop < Math.min(this.#endTop, scrollHeight - clientHeight) - STICKY;
  }

  #stick(sticks: boolean): void {
    if (sticks === this.#sticks) return;
    this.#sticks = sticks;
    this.onEnd();
  }
}
