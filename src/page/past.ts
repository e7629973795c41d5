/** The scrollback in view: only the rows around it are asked for and drawn. */
import { mirrorRow } from '../mirror/mirror.js';
import type { DaemonLink } from './daemon-link.js';
import type { TerminalScreen } from './terminal-screen.js';

/** Rows above and below the view that are drawn as well. */
const MARGIN = 60;

export class Past {
  /** Lasting number of the oldest line that can be read. */
  #oldest = 0;
  /** Of the top row of the screen. */
  #firstLine = 0;
  #limit = Number.POSITIVE_INFINITY;
  #shown = { from: 0, to: 0 };
  #isAsking = false;
  readonly #link: DaemonLink;
  readonly #id: string;
  readonly #screen: TerminalScreen;

  constructor(link: DaemonLink, id: string, screen: TerminalScreen) {
    this.#link = link;
    this.#id = id;
    this.#screen = screen;
  }

  /** What there is to read, once at the beginning and after a change of the width. */
  async measure(): Promise<void> {
    const {
      scrollback_lines: lines,
      scrollback_limit: limit,
      alt_screen: isAlternate,
    } = await this.#link.ask('status', {
      id: this.#id,
    });
    this.#limit = limit;
    this.#oldest = isAlternate ? this.#firstLine : Math.max(0, this.#firstLine - lines);
    this.forget();
    this.#screen.linesAbove = this.#firstLine - this.#oldest;
    this.#screen.redraw();
  }

  /** To be called before the frame is drawn. @returns whether the lines are others than before: {@link measure} then */
  frame(firstLine: number, isAlternate: boolean): boolean {
    const isBack = firstLine < this.#firstLine;
    this.#firstLine = firstLine;
    this.#oldest = isAlternate ? firstLine : Math.max(Math.min(this.#oldest, firstLine), firstLine - this.#limit);
    this.#screen.linesAbove = firstLine - this.#oldest;
    return isBack;
  }

  forget(): void {
    this.#shown = { from: 0, to: 0 };
  }

  /** Lasting number of the oldest line that can be read. */
  get oldest(): number {
    return this.#oldest;
  }

  index(line: number): number {
    return line - this.#oldest;
  }

  /** Draws what is in view, if it is not there yet. */
  async show(): Promise<void> {
    const { first, last } = this.#screen.view;
    const from = Math.max(this.#oldest, this.#oldest + first);
    const to = Math.min(this.#firstLine, this.#oldest + last);
    if (from >= to || (from >= this.#shown.from && to <= this.#shown.to) || this.#isAsking) return;
    this.#isAsking = true;
    try {
      const start = Math.max(this.#oldest, from - MARGIN);
      const lines = Math.min(this.#firstLine, to + MARGIN) - start;
      const fields = { id: this.#id, format: 'runs', from_line: start, max_lines: lines } as const;
      const { rows = [], first_line: firstLine } = await this.#link.ask('text', fields);
      this.#shown = { from: firstLine, to: firstLine + rows.length };
      this.#screen.showPast(rows.map(mirrorRow), firstLine - this.#oldest);
    } finally {
      this.#isAsking = false;
    }
    // The view may have moved on.
    if (this.#screen.view.first !== first) await this.show();
  }
}
