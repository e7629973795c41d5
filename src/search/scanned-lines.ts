/**
 * The lines of a screen that have appeared or changed since an earlier scan. A screen has many readers (waits, triggers) that
 * scan it in the same step: what one of them has read, those that stood at the same state have, too. To build the rows
 * of a flood for each of 32 triggers takes four times as long as to parse it.
 */
import { logicalLine, wholeText } from '../vt/rows/logical-line.js';
import type { Snapshot, SnapshotRow } from '../vt/snapshot.js';
import { LineText, type TextSource } from './line-text.js';

/** The part of a screen that is scanned; vt's Screen implements it. */
export interface ScannedScreen extends TextSource {
  readonly rev: number;
  snapshot(): Snapshot;
  /** Any line of the buffer in use, 0 being the oldest of the scrollback. */
  row(index: number): SnapshotRow | undefined;
  readonly scrollbackLines: number;
  /** Lasting number of the line with index 0. */
  readonly firstLineNumber: number;
  /** Whether the line was printed as one with the line above it (soft wrap). */
  continuesLine(index: number): boolean;
}

/** State of a reader by what it has seen: the same object for all that have scanned in one step. */
export interface ScanState {
  readonly rev: number;
  /** Number of the viewport's top line. */
  readonly top: number;
  readonly altScreen: boolean;
  /** Rows seen, by the lasting number of their line: equal rows are one object wherever they are. */
  readonly read: ReadonlyMap<number, SnapshotRow>;
  /** Lasting number of the line that the cursor was in. */
  readonly cursorNumber: number;
}

export interface Scanned {
  readonly news: LineText;
  readonly state: ScanState;
}

/** Lines per scan; of a flood that scrolls more between two scans, the newest. */
const MAX_LINES = 20_000;
/** Rows that a logical line is followed upwards. */
const MAX_WRAPPED_ROWS = 200;

/** State of a reader that has seen nothing, and reads from the viewport on. */
export function unscanned(screen: ScannedScreen): ScanState {
  const { altScreen } = screen.snapshot();
  return { rev: -1, top: topOf(screen), altScreen, read: new Map(), cursorNumber: -1 };
}

/** Scans of this step, by the state that they began with. */
interface Step {
  readonly rev: number;
  readonly top: number;
  readonly scans: Map<ScanState, Scanned>;
}

const steps = new WeakMap<ScannedScreen, Step>();

export function linesSince(screen: ScannedScreen, before: ScanState): Scanned {
  let step = steps.get(screen);
  const top = topOf(screen);
  if (step === undefined || step.rev !== screen.rev || step.top !== top) {
    step = { rev: screen.rev, top, scans: new Map() };
    steps.set(screen, step);
    // All waits of a screen are checked in one step; later the lines of a flood would only be held.
    queueMicrotask(() => steps.delete(screen));
  }
  const known = step.scans.get(before);
  if (known !== undefined) return known;
  const [other] = step.scans.values();
  const scanned = scan(screen, before, other?.state);
  step.scans.set(before, scanned);
  return scanned;
}

/** @param reached by another scan of this step: the screen alone decides what it is */
function scan(screen: ScannedScreen, before: ScanState, reached: ScanState | undefined): Scanned {
  const { altScreen, cursor, cols } = screen.snapshot();
  const top = topOf(screen);
  const isSameScreen = altScreen === before.altScreen;
  const from = altScreen || before.altScreen ? top : Math.min(before.top, top);
  const known = new KnownRows(screen, isSameScreen ? before : { ...before, read: new Map() });
  const read = new Map<number, SnapshotRow>();
  const news = LineText.gather((add) => {
    for (const { index, count } of extents(screen, from)) {
      const number = screen.firstLineNumber + index;
      const isAbove = number + count <= top;
      if (isAbove && known.haveStayed(number, count)) continue;
      // Nearly all lines of a flood: no row is built of them.
      if (isAbove && known.nothingMoved) {
        add.rowsOf(screen, index, count, cols, number);
        continue;
      }
      const rows = rowsAt(screen, index, count);
      if (!isAbove) rows.forEach((row, i) => read.set(number + i, row));
      if (rows.map((row, i) => known.take(number + i, row)).every(Boolean)) continue;
      add.line(number, logicalLine(rows).text, rows);
    }
  });
  const cursorNumber = top + cursor.row;
  return { news, state: reached ?? { rev: screen.rev, top, altScreen, read, cursorNumber } };
}

/** Rows that were there at the last scan, or have moved from their former place: as often as they have left one. */
class KnownRows {
  readonly #read: ReadonlyMap<number, SnapshotRow>;
  /** Numbers of those that have scrolled off, and say what they said. */
  readonly #stayed = new Set<number>();
  readonly #moved = new Map<SnapshotRow, number>();
  #movedCount = 0;

  constructor(screen: ScannedScreen, before: ScanState) {
    const top = topOf(screen);
    this.#read = before.read;
    for (const [number, row] of before.read) {
      const index = number - screen.firstLineNumber;
      if (index < 0) continue;
      const present = number < top ? undefined : rowsAt(screen, index, 1)[0];
      if (present === row) continue;
      const was = wholeText(row);
      const is =
        present === undefined ? screen.lineText(index, { trim: false })?.padEnd(was.length) : wholeText(present);
      if (is === undefined) continue;
      if (present === undefined && is === was) this.#stayed.add(number);
      // A prompt that was answered has not moved: an equal one below it is new.
      else if (number !== before.cursorNumber || !isExtended(was, is)) {
        this.#moved.set(row, (this.#moved.get(row) ?? 0) + 1);
        this.#movedCount++;
      }
    }
  }

  get nothingMoved(): boolean {
    return this.#movedCount === 0;
  }

  haveStayed(number: number, count: number): boolean {
    for (let i = number; i < number + count; i++) if (!this.#stayed.has(i)) return false;
    return true;
  }

  /** Whether it is known; a moved row is taken from those that have left their place. */
  take(number: number, row: SnapshotRow): boolean {
    if (this.#read.get(number) === row || this.#stayed.has(number)) return true;
    const left = this.#moved.get(row) ?? 0;
    if (left === 0) return false;
    this.#moved.set(row, left - 1);
    this.#movedCount--;
    return true;
  }
}

function isExtended(before: string, after: string): boolean {
  const text = before.trimEnd();
  return text !== '' && after.startsWith(text);
}

/** Rows from the line with this number on, in lines that were wrapped. */
export function* logicalRows(
  screen: ScannedScreen,
  from: number,
): IterableIterator<{ number: number; rows: SnapshotRow[] }> {
  for (const { index, count } of extents(screen, from)) {
    yield { number: screen.firstLineNumber + index, rows: rowsAt(screen, index, count) };
  }
}

interface Extent {
  /** Index of its first row. */
  readonly index: number;
  readonly count: number;
}

function* extents(screen: ScannedScreen, from: number): IterableIterator<Extent> {
  const { firstLineNumber, scrollbackLines } = screen;
  const total = scrollbackLines + screen.snapshot().rows;
  let index = Math.max(0, from - firstLineNumber, total - MAX_LINES);
  for (let up = 0; up < MAX_WRAPPED_ROWS && index > 0 && screen.continuesLine(index); up++) index--;
  while (index < total) {
    const first = index++;
    while (index < total && screen.continuesLine(index)) index++;
    yield { index: first, count: index - first };
  }
}

/** The rows from this index on. Those of the viewport stay the same objects while they stay the same. */
export function rowsAt(screen: ScannedScreen, index: number, count: number): SnapshotRow[] {
  const { lines } = screen.snapshot();
  const rows: SnapshotRow[] = [];
  for (let i = index; i < index + count; i++) {
    const row = i < screen.scrollbackLines ? screen.row(i) : lines[i - screen.scrollbackLines];
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

export function topOf(screen: ScannedScreen): number {
  return screen.firstLineNumber + screen.scrollbackLines;
}
