/**
 * Reads each line of a screen once it has appeared or changed, including those that have scrolled off the top since the
 * last scan. One instance for each reader: it remembers what it has read.
 *
 * A reader that acts first (sends input, then looks for an answer) starts as `fresh`: the present content of the screen
 * and the echo of the input do not count as an answer.
 */
import { cellsOf, logicalLine } from '../vt/rows/logical-line.js';
import type { LineText, ReadLine } from './line-text.js';
import {
  linesSince,
  logicalRows,
  rowsAt,
  type ScannedScreen,
  type ScanState,
  topOf,
  unscanned,
} from './scanned-lines.js';

export type { ScannedScreen };

export interface FreshLine extends ReadLine {
  /** Only text beyond this index is new. */
  readonly knownLength: number;
}

/** Lines that have appeared or changed. */
export interface Changed extends Iterable<FreshLine> {
  /** All of them, also those without any new text. */
  readonly text: string;
  /** Lines from the one on that this place of the text is in. */
  from(place: number): IterableIterator<FreshLine>;
}

/** The screen before input was sent. */
interface ScreenBefore {
  readonly altScreen: boolean;
  readonly texts: ReadonlyMap<number, string>;
  readonly cursorLine: number;
  /** The line that input is typed on, up to the cursor, followed by the input's first line. */
  readonly withEcho: string;
}

export class LineScan {
  readonly #screen: ScannedScreen;
  readonly #baseline: ScreenBefore | undefined;
  #state: ScanState;

  /** @param echo the input to come, if the present content is to be skipped */
  constructor(screen: ScannedScreen, echo?: string) {
    this.#screen = screen;
    this.#state = unscanned(screen);
    if (echo !== undefined) this.#baseline = takeBaseline(screen, echo);
  }

  /** Place of a character of a line: negative rows have scrolled off. */
  placeOf({ number, text, rows }: ReadLine, at: number): { readonly row: number; readonly col: number } {
    const { cols } = this.#screen.snapshot();
    const index = number - this.#screen.firstLineNumber;
    const present = rows ?? rowsAt(this.#screen, index, Math.ceil((2 * text.length) / cols) + 1);
    const [cell] = cellsOf({ rows: present, firstRow: 0, text }, at, at + 1);
    // The line may be gone by now.
    const { row, col } = cell ?? { row: Math.floor(at / cols), col: at % cols };
    return { row: index - this.#screen.scrollbackLines + row, col };
  }

  /** Lines that appeared or changed since the last call (at first: all that are visible), top to bottom. */
  changed(): Changed {
    // A question that is asked again below its answered copies may leave a grid of the same rows: only its line is new.
    if (this.#screen.rev === this.#state.rev && topOf(this.#screen) === this.#state.top) return NOTHING;
    const { news, state } = linesSince(this.#screen, this.#state);
    this.#state = state;
    const from = (place: number): IterableIterator<FreshLine> => this.#fresh(news, place, state.altScreen);
    return { text: news.text, from, [Symbol.iterator]: () => from(0) };
  }

  *#fresh(news: LineText, place: number, altScreen: boolean): IterableIterator<FreshLine> {
    const { lines } = news;
    for (let i = news.lineAt(place); i < lines.length; i++) {
      const line = lines[i] as ReadLine;
      const knownLength = this.#knownLength(line.number, line.text, altScreen);
      if (line.text.length > knownLength) yield { ...line, knownLength };
    }
  }

  #knownLength(number: number, text: string, altScreen: boolean): number {
    const baseline = this.#baseline;
    if (baseline === undefined || baseline.altScreen !== altScreen) return 0;
    const before = baseline.texts.get(number);
    if (before === undefined) return 0;
    if (before === text) return text.length;
    const echoed = number === baseline.cursorLine ? commonLength(baseline.withEcho, text) : 0;
    return Math.max(echoed, commonLength(before, text));
  }
}

const NOTHING: Changed = { text: '', from: () => [].values(), [Symbol.iterator]: () => [].values() };

function takeBaseline(screen: ScannedScreen, echo: string): ScreenBefore {
  const { altScreen, cursor, cols } = screen.snapshot();
  const top = topOf(screen);
  const texts = new Map<number, string>();
  let cursorLine = -1;
  let withEcho = '';
  for (const { number, rows } of logicalRows(screen, top)) {
    const { text } = logicalLine(rows);
    texts.set(number, text);
    const cursorRow = top + cursor.row - number;
    if (cursorRow < 0 || cursorRow >= rows.length) continue;
    cursorLine = number;
    // Columns stand for characters here: wide ones before the cursor only make the known part shorter.
    withEcho = text.padEnd(cursorRow * cols + cursor.col).slice(0, cursorRow * cols + cursor.col) + firstLine(echo);
  }
  return { altScreen, texts, cursorLine, withEcho };
}

function firstLine(input: string): string {
  return /^\P{Cc}*/u.exec(input)?.[0] ?? '';
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
