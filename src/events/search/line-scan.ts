/**
 * Reads each line of a screen once it has appeared or changed, including those that have scrolled off the top since the
 * last scan. One instance for each reader: it remembers what it has read.
 *
 * A reader that acts first (sends input, then looks for an answer) starts as `fresh`: the present content of the screen
 * and the echo of the input do not count as an answer.
 */
import { type LogicalLine, logicalLine } from '../../vt/rows/logical-line.js';
import { linesSince, logicalRows, type ScannedScreen, type ScanState, topOf, unscanned } from './scanned-lines.js';

export type { ScannedScreen };

export interface FreshLine {
  readonly line: LogicalLine;
  /** Lasting number of the line's first row. */
  readonly number: number;
  /** Only text beyond this index is new. */
  readonly knownLength: number;
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

  /** Row of the viewport of the line with this lasting number; negative if it has scrolled off. */
  rowOf(number: number): number {
    return number - this.#screen.firstLineNumber - this.#screen.scrollbackLines;
  }

  /** Lines that appeared or changed since the last call (at first: all that are visible), top to bottom. */
  *changed(): IterableIterator<FreshLine> {
    // A question that is asked again below its answered copies may leave a grid of the same rows: only its line is new.
    if (this.#screen.rev === this.#state.rev && topOf(this.#screen) === this.#state.top) return;
    const { lines, state } = linesSince(this.#screen, this.#state);
    this.#state = state;
    for (const { line, number } of lines) {
      const knownLength = this.#knownLength(number, line.text, state.altScreen);
      if (line.text.length > knownLength) yield { line, number, knownLength };
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
