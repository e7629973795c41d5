/**
 * The elements of a terminal's rows, by the lasting numbers of their lines: those of the screen, and those of the scrollback that
 * are drawn above it. A line that moves up keeps its element, and a row that has not changed is not touched.
 */
import type { MirrorRow } from '../mirror/mirror.js';
import { linkAcross } from './links.js';
import { fillRow, isWrapped, refillRow } from './row-element.js';
import type { StyleSheet } from './style-sheet.js';

/** Rows that have left the screen are kept until the scrollback is asked for; more than a few windows are not. */
const MAX_LEFT = 500;

/** Rows of a line, before and after one that has changed, over which addresses are looked for. */
const MAX_WRAPPED = 30;

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
    const changed = [];
    for (const [i, row] of rows.entries())
      if (fillRow(this.#rows[i] as HTMLElement, row, this.#styles)) changed.push(first + i);
    while (this.#pastEnd > first && this.past.lastChild !== null) this.past.lastChild.remove();
    this.#link(changed);
  }

  /** With the classes of a new sheet. */
  redraw(): void {
    for (const element of this.elements()) refillRow(element as HTMLElement, this.#styles);
    this.#link([
      ...Array.from({ length: this.past.childElementCount }, (_, i) => this.pastFirst + i),
      ...this.#rows.map((_, i) => this.first + i),
    ]);
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
    const changed = [];
    for (const [i, row] of rows.entries()) {
      if (first + i >= this.#pastEnd) past.append(grid('row'));
      const element = children[first + i - this.pastFirst] as HTMLElement;
      if (fillRow(element, row, this.#styles)) changed.push(first + i);
    }
    this.trim(keep.from, keep.to);
    this.#link(changed);
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

  /** Of the scrollback, from the first drawn row up to, and without, the row below the last one. */
  get pastLines(): { readonly from: number; readonly to: number } {
    return { from: this.pastFirst, to: this.#pastEnd };
  }

  get #pastEnd(): number {
    return this.pastFirst + this.past.childElementCount;
  }

  /** @param changed lasting numbers, from the top */
  #link(changed: readonly number[]): void {
    let last = -1;
    for (const line of changed) {
      if (line <= last || this.elementOf(line) === undefined) continue;
      let [from, to] = [line, line];
      while (line - from < MAX_WRAPPED && this.#continues(from)) from--;
      while (to - line < MAX_WRAPPED && this.#continues(to + 1)) to++;
      last = to;
      const rows = from === to ? [] : Array.from({ length: to - from + 1 }, (_, i) => this.elementOf(from + i));
      if (rows.length > 0) linkAcross(rows as HTMLElement[]);
    }
  }

  /** The row goes on from the one above, which is drawn, too. */
  #continues(line: number): boolean {
    const row = this.elementOf(line);
    return row !== undefined && isWrapped(row) && this.elementOf(line - 1) !== undefined;
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
