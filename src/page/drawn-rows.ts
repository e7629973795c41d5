/**
 * The elements of a terminal's rows, by the lasting numbers of their lines: those of the screen, and those of the scrollback that
 * are drawn above it. A line that moves up keeps its element, and a row that has not changed is not touched.
 */
import type { MirrorRow } from '../mirror/mirror.js';
import { fillRow, refillRow } from './row-element.js';
import type { StyleSheet } from './style-sheet.js';

/** Rows that have left the screen are kept until the scrollback is asked for; more than a few windows are not. */
const MAX_LEFT = 500;

export class DrawnRows {
  readonly screen = grid('grid');
  readonly past = grid('grid past');
  /** Lasting number of the top row of the screen. */
  first = 0;
  /** Of the first drawn row of the scrollback. */
  pastFirst = 0;
  readonly #styles: StyleSheet;
  #rows: HTMLElement[] = [];

  constructor(styles: StyleSheet) {
    this.#styles = styles;
  }

  get count(): number {
    return this.#rows.length;
  }

  /** @param moves false after a change of the size or of the screen: no row is where it was */
  draw(rows: readonly MirrorRow[], first: number, moves: boolean): void {
    const up = first - this.first;
    if (moves && rows.length === this.#rows.length && up > 0 && up < rows.length) this.#moveUp(up);
    this.first = first;
    while (this.#rows.length > rows.length) this.#rows.pop()?.remove();
    while (this.#rows.length < rows.length) this.#add();
    for (const [i, row] of rows.entries()) fillRow(this.#rows[i] as HTMLElement, row, this.#styles);
    while (this.#pastEnd > first && this.past.lastChild !== null) this.past.lastChild.remove();
  }

  /** With the classes of a new sheet. */
  redraw(): void {
    for (const element of this.elements()) refillRow(element as HTMLElement, this.#styles);
  }

  /** @param keep lasting numbers; rows of the scrollback outside are dropped */
  showPast(rows: readonly MirrorRow[], first: number, keep: { readonly from: number; readonly to: number }): void {
    const { past } = this;
    if (first > this.#pastEnd || first + rows.length < this.pastFirst || past.childElementCount === 0) {
      past.replaceChildren();
      this.pastFirst = first;
    }
    const { children } = past;
    const before = Math.max(0, this.pastFirst - first);
    const added = Array.from({ length: before }, () => grid('row'));
    past.prepend(...added);
    this.pastFirst -= before;
    for (const [i, row] of rows.entries()) {
      if (first + i >= this.#pastEnd) past.append(grid('row'));
      fillRow(children[first + i - this.pastFirst] as HTMLElement, row, this.#styles);
    }
    this.trim(keep.from, keep.to);
  }

  /** Drops rows of the scrollback before a line, and from another on. */
  trim(from: number, to = Number.POSITIVE_INFINITY): void {
    const { past } = this;
    for (; this.pastFirst < from && past.firstChild !== null; this.pastFirst++) past.firstChild.remove();
    while (this.#pastEnd > to && past.lastChild !== null) past.lastChild.remove();
  }

  /** Lasting number of the line of a row; undefined for what is none. */
  lineOf(row: Element): number | undefined {
    const at = Array.prototype.indexOf.call(this.past.children, row);
    if (at !== -1) return this.pastFirst + at;
    const now = Array.prototype.indexOf.call(this.#rows, row);
    return now === -1 ? undefined : this.first + now;
  }

  elementOf(line: number): Element | undefined {
    return this.#rows[line - this.first] ?? this.past.children[line - this.pastFirst];
  }

  elements(): Element[] {
    return [...this.past.children, ...this.#rows];
  }

  get #pastEnd(): number {
    return this.pastFirst + this.past.childElementCount;
  }

  /** Rows that leave the screen stand above it as they were, until the scrollback is asked for. */
  #moveUp(lines: number): void {
    const { past } = this;
    if (past.childElementCount === 0) this.pastFirst = this.first;
    const isNext = this.#pastEnd === this.first && past.childElementCount + lines <= MAX_LEFT;
    for (const row of this.#rows.splice(0, lines)) {
      if (isNext) past.append(row);
      else row.remove();
    }
    for (let i = 0; i < lines; i++) this.#add();
  }

  #add(): void {
    const row = grid('row');
    const last = this.#rows.at(-1);
    if (last === undefined) this.screen.prepend(row);
    else last.after(row);
    this.#rows.push(row);
  }
}

function grid(classes: string): HTMLElement {
  const made = document.createElement('div');
  made.className = classes;
  return made;
}
