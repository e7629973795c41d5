/**
 * Reads each line of a screen once it has appeared or changed, including those that have scrolled off the top since the
 * last scan. One instance for each reader: it remembers what it has read.
 *
 * A reader that acts first (sends input, then looks for an answer) starts as `fresh`: the present content of the screen
 * and the echo of the input do not count as an answer.
 */
import { type LogicalLine, logicalLine } from '../../vt/rows/logical-line.js';
import type { Snapshot, SnapshotRow } from '../../vt/snapshot.js';

/** The part of a screen that is scanned; vt's Screen implements it. */
export interface ScannedScreen {
  readonly rev: number;
  snapshot(): Snapshot;
  /** Any line of the buffer in use, 0 being the oldest of the scrollback. */
  row(index: number): SnapshotRow | undefined;
  readonly scrollbackLines: number;
  /** Lasting number of the line with index 0. */
  readonly firstLineNumber: number;
}

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

/** Lines per scan; of a flood that scrolls more between two scans, the newest. */
const MAX_LINES = 20_000;
/** Rows that a logical line is followed upwards. */
const MAX_WRAPPED_ROWS = 200;

export class LineScan {
  readonly #screen: ScannedScreen;
  readonly #baseline: ScreenBefore | undefined;
  /** Number of the viewport's top line at the last scan. */
  #top = 0;
  #altScreen = false;
  #rev = -1;
  /** Rows seen last, by the lasting number of their line: equal rows are one object wherever they are. */
  #read = new Map<number, SnapshotRow>();
  /** Lasting number of the line that the cursor was in at the last scan. */
  #cursorNumber = -1;

  /** @param echo the input to come, if the present content is to be skipped */
  constructor(screen: ScannedScreen, echo?: string) {
    this.#screen = screen;
    this.#top = screen.firstLineNumber + screen.scrollbackLines;
    this.#altScreen = screen.snapshot().altScreen;
    if (echo !== undefined) this.#baseline = this.#takeBaseline(echo);
  }

  /** Row of the viewport of the line with this lasting number; negative if it has scrolled off. */
  rowOf(number: number): number {
    return number - this.#screen.firstLineNumber - this.#screen.scrollbackLines;
  }

  /** Lines that appeared or changed since the last call (at first: all that are visible), top to bottom. */
  *changed(): IterableIterator<FreshLine> {
    const { rev } = this.#screen;
    if (rev === this.#rev) return;
    this.#rev = rev;
    const { altScreen, cursor } = this.#screen.snapshot();
    const top = this.#screen.firstLineNumber + this.#screen.scrollbackLines;
    if (altScreen !== this.#altScreen) this.#read.clear();
    const from = altScreen || this.#altScreen ? top : Math.min(this.#top, top);
    this.#top = top;
    this.#altScreen = altScreen;
    const isKnown = this.#knownRows();
    const read = new Map<number, SnapshotRow>();
    for (const { number, rows } of this.#logicalRows(from)) {
      if (number + rows.length > top) rows.forEach((row, i) => read.set(number + i, row));
      if (rows.map((row, i) => isKnown(number + i, row)).every(Boolean)) continue;
      const line = logicalLine(rows);
      const knownLength = this.#knownLength(number, line.text, altScreen);
      if (line.text.length > knownLength) yield { line, number, knownLength };
    }
    this.#read = read;
    this.#cursorNumber = top + cursor.row;
  }

  /** Whether a row was there at the last scan, or has moved from its former place: as often as it has left one. */
  #knownRows(): (number: number, row: SnapshotRow) => boolean {
    const { firstLineNumber } = this.#screen;
    const moved = new Map<SnapshotRow, number>();
    for (const [number, row] of this.#read) {
      const isGone = number < firstLineNumber;
      const present = isGone ? undefined : this.#screen.row(number - firstLineNumber);
      if (present === undefined || present === row) continue;
      // A prompt that was answered has not moved: an equal one below it is new.
      if (number === this.#cursorNumber && isExtended(row, present)) continue;
      moved.set(row, (moved.get(row) ?? 0) + 1);
    }
    return (number, row) => {
      if (this.#read.get(number) === row) return true;
      const left = moved.get(row) ?? 0;
      if (left > 0) moved.set(row, left - 1);
      return left > 0;
    };
  }

  *#logicalRows(from: number): IterableIterator<{ number: number; rows: SnapshotRow[] }> {
    const { firstLineNumber, scrollbackLines } = this.#screen;
    const total = scrollbackLines + this.#screen.snapshot().rows;
    let index = Math.max(0, from - firstLineNumber, total - MAX_LINES);
    for (let up = 0; up < MAX_WRAPPED_ROWS && index > 0 && this.#screen.row(index)?.wrapped === true; up++) index--;
    while (index < total) {
      const number = firstLineNumber + index;
      const rows: SnapshotRow[] = [];
      do {
        const row = this.#screen.row(index++);
        if (row !== undefined) rows.push(row);
      } while (index < total && this.#screen.row(index)?.wrapped === true);
      if (rows.length > 0) yield { number, rows };
    }
  }

  #takeBaseline(echo: string): ScreenBefore {
    const { altScreen, cursor, cols } = this.#screen.snapshot();
    const top = this.#screen.firstLineNumber + this.#screen.scrollbackLines;
    const texts = new Map<number, string>();
    let cursorLine = -1;
    let withEcho = '';
    for (const { number, rows } of this.#logicalRows(top)) {
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

function isExtended(before: SnapshotRow, after: SnapshotRow): boolean {
  const text = logicalLine([before]).text.trimEnd();
  return text !== '' && logicalLine([after]).text.startsWith(text);
}

function firstLine(input: string): string {
  return /^\P{Cc}*/u.exec(input)?.[0] ?? '';
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
