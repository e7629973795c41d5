/** The part of a terminal's lines that the person sees: it moves at once, and is drawn when its rows are read. */
import type { Mirror } from '../mirror/mirror.js';
import type { Size } from '../mirror/fit.js';
import type { ScrollbackRows } from './scrollback-rows.js';
import { between } from './selection.js';

export interface ViewOptions {
  readonly mirror: Mirror;
  readonly rows: ScrollbackRows;
  readonly top: number;
  readonly left: number;
  /** Room of the person's terminal. */
  readonly window: () => Size;
  readonly onRead: () => void;
  readonly onError: (error: unknown) => void;
}

export class ScrollbackView {
  readonly #options: ViewOptions;
  #top: number;
  #left: number;
  #shownTop: number;
  readonly #firstTop: number;

  constructor(options: ViewOptions) {
    this.#options = options;
    this.#top = Math.max(0, options.top);
    this.#left = options.left;
    this.#shownTop = Math.max(this.#top, options.mirror.firstLine);
    this.scrollTo(this.#top);
    this.#firstTop = this.#top;
  }

  /** Lasting number of the first row. */
  get top(): number {
    return this.#top;
  }

  /** Top of the rows that are drawn: of the last place that has been read. */
  get shownTop(): number {
    return this.#shownTop;
  }

  get left(): number {
    return this.#left;
  }

  get window(): Size {
    return this.#options.window();
  }

  /** Whether the end of the screen is seen. */
  get isAtEnd(): boolean {
    return this.#top >= this.#lowest;
  }

  /** The row after the last one: of the whole screen, until the person has moved. */
  get end(): number {
    const { firstLine, rows } = this.#options.mirror;
    return this.#top === this.#firstTop ? firstLine + rows.length : this.#top + this.window.rows;
  }

  has(line: number): boolean {
    return line >= this.#top && line < this.#top + this.window.rows;
  }

  pan(left: number): void {
    this.#left = Math.max(0, Math.min(left, this.#options.mirror.state.cols - this.window.cols));
  }

  scrollTo(top: number): void {
    const { rows, onError } = this.#options;
    this.#top = Math.max(rows.oldest, Math.min(top, this.#lowest));
    if (rows.covers(this.#top, this.window.rows)) this.#shownTop = this.#top;
    this.#read().catch(onError);
  }

  /** No further than needed. */
  follow(line: number, col: number): void {
    const { rows, cols } = this.window;
    this.pan(between(col - cols + 1, this.#left, col));
    this.scrollTo(between(line - rows + 1, this.#top, line));
  }

  /** Shows a line with some rows above it, unless it is seen. Resolves once its rows are read. @throws T4aError */
  async reveal(line: number): Promise<void> {
    if (!this.has(line)) this.#top = Math.max(0, Math.min(line - Math.floor(this.window.rows / 3), this.#lowest));
    await this.#read();
  }

  get #lowest(): number {
    const { firstLine, rows } = this.#options.mirror;
    return firstLine + Math.max(0, rows.length - this.window.rows);
  }

  async #read(): Promise<void> {
    const { rows, onRead } = this.#options;
    const count = Math.max(1, this.window.rows);
    await rows.read(this.#top, count);
    // What was to be read has been dropped. In a flood that may happen again: the next key or frame reads anew.
    if (this.#top < rows.oldest) {
      this.#top = rows.oldest;
      await rows.read(this.#top, count);
    }
    this.#shownTop = this.#top;
    onRead();
  }
}
