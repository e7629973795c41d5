/** Marks the matches of a search in the drawn rows. Elements stay as they are: the browser draws the marks over their text. */
import { isWrapped } from './row-element.js';
import type { TerminalScreen } from './terminal-screen.js';

const ALL = 't4a-found';
const CURRENT = 't4a-found-now';

/** Marks in a page are for the eye: one letter in a large terminal has no use for all of them. */
const MAX_MARKS = 5000;

export class Marks {
  readonly #screen: TerminalScreen;
  #words = '';
  /** Lasting number of the first row of the line that is shown. */
  #line: number | undefined;
  #row: Element | undefined;

  constructor(screen: TerminalScreen) {
    this.#screen = screen;
  }

  /** @param words empty for no marks @param line lasting number of the match that is shown */
  show(words: string, line?: number): void {
    this.#words = words;
    this.#line = line;
    this.refresh();
  }

  /** To be called when rows were drawn. */
  refresh(): void {
    if (this.#words === '' && this.#row === undefined && !isMarked()) return;
    const found: Range[] = [];
    const now: Range[] = [];
    this.#row?.removeAttribute('data-found');
    this.#row = undefined;
    for (const rows of this.#words === '' ? [] : linesOf(this.#screen.rowElements())) {
      const isNow = this.#line !== undefined && this.#screen.lineOf(rows[0] as Element) === this.#line;
      const ranges = rangesIn(rows, this.#words);
      (isNow ? now : found).push(...ranges);
      if (isNow) this.#row = ranges[0]?.startContainer.parentElement?.closest('.row') ?? rows[0];
      if (found.length > MAX_MARKS) break;
    }
    // For browsers that draw no marks, the row has a ground of its own.
    this.#row?.setAttribute('data-found', '');
    if (!('highlights' in CSS)) return;
    CSS.highlights.set(ALL, new Highlight(...found));
    const current = new Highlight(...now);
    current.priority = 1;
    CSS.highlights.set(CURRENT, current);
    if (this.#words === '') for (const name of [ALL, CURRENT]) CSS.highlights.delete(name);
  }
}

function isMarked(): boolean {
  return 'highlights' in CSS && CSS.highlights.has(ALL);
}

/** Rows that were printed as one line stand together. */
function linesOf(rows: readonly Element[]): Element[][] {
  const lines: Element[][] = [];
  for (const row of rows) {
    const last = lines.at(-1);
    if (last !== undefined && isWrapped(row)) last.push(row);
    else lines.push([row]);
  }
  return lines;
}

interface Place {
  readonly node: Text;
  readonly from: number;
}

function rangesIn(rows: readonly Element[], words: string): Range[] {
  const text = folded(rows.map((row) => row.textContent).join(''));
  const wanted = folded(words);
  let at = text.indexOf(wanted);
  if (at === -1) return [];
  const places = placesIn(rows);
  const ranges: Range[] = [];
  for (; at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    const first = places.findLast(({ from }) => from <= at);
    const last = places.findLast(({ from }) => from < end);
    if (first === undefined || last === undefined) break;
    const range = document.createRange();
    range.setStart(first.node, at - first.from);
    range.setEnd(last.node, end - last.from);
    ranges.push(range);
  }
  return ranges;
}

function placesIn(rows: readonly Element[]): Place[] {
  const places: Place[] = [];
  let from = 0;
  for (const row of rows) {
    const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      places.push({ node: node as Text, from });
      from += (node as Text).length;
    }
  }
  return places;
}

/** Without case; characters whose lower case is longer keep theirs, so that places stay. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (one) => (one.toLowerCase().length === one.length ? one.toLowerCase() : one)).join('');
}
