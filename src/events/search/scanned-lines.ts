/**
 * The lines of a screen that have appeared or changed since an earlier scan. A screen has many readers (waits, triggers) that
 * scan it in the same step: what one of them has read, those that stood at the same state have, too. To build the rows
 * of a flood for each of 32 triggers takes four times as long as to parse it.
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

export interface ScannedLine {
  readonly line: LogicalLine;
  /** Lasting number of the line's first row. */
  readonly number: number;
}

/** What a reader has seen: the same object for all that have scanned in one step. */
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
  /** Top to bottom. */
  readonly lines: readonly ScannedLine[];
  readonly state: ScanState;
}

/** Lines per scan; of a flood that scrolls more between two scans, the newest. */
const MAX_LINES = 20_000;
/** Rows that a logical line is followed upwards. */
const MAX_WRAPPED_ROWS = 200;

/** Of a reader that has seen nothing, and reads from the viewport on. */
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
  const { altScreen, cursor } = screen.snapshot();
  const top = topOf(screen);
  const isSameScreen = altScreen === before.altScreen;
  const from = altScreen || before.altScreen ? top : Math.min(before.top, top);
  const isKnown = knownRows(screen, isSameScreen ? before : { ...before, read: new Map() });
  const read = new Map<number, SnapshotRow>();
  const lines: ScannedLine[] = [];
  for (const { number, rows } of logicalRows(screen, from)) {
    if (number + rows.length > top) rows.forEach((row, i) => read.set(number + i, row));
    if (rows.map((row, i) => isKnown(number + i, row)).every(Boolean)) continue;
    lines.push({ line: logicalLine(rows), number });
  }
  const cursorNumber = top + cursor.row;
  return { lines, state: reached ?? { rev: screen.rev, top, altScreen, read, cursorNumber } };
}

/** Whether a row was there at the last scan, or has moved from its former place: as often as it has left one. */
function knownRows(screen: ScannedScreen, before: ScanState): (number: number, row: SnapshotRow) => boolean {
  const { firstLineNumber } = screen;
  const moved = new Map<SnapshotRow, number>();
  for (const [number, row] of before.read) {
    const isGone = number < firstLineNumber;
    const present = isGone ? undefined : screen.row(number - firstLineNumber);
    if (present === undefined || present === row) continue;
    // A prompt that was answered has not moved: an equal one below it is new.
    if (number === before.cursorNumber && isExtended(row, present)) continue;
    moved.set(row, (moved.get(row) ?? 0) + 1);
  }
  return (number, row) => {
    if (before.read.get(number) === row) return true;
    const left = moved.get(row) ?? 0;
    if (left > 0) moved.set(row, left - 1);
    return left > 0;
  };
}

function isExtended(before: SnapshotRow, after: SnapshotRow): boolean {
  const text = logicalLine([before]).text.trimEnd();
  return text !== '' && logicalLine([after]).text.startsWith(text);
}

/** From the line with this number on, in lines that were wrapped. */
export function* logicalRows(
  screen: ScannedScreen,
  from: number,
): IterableIterator<{ number: number; rows: SnapshotRow[] }> {
  const { firstLineNumber, scrollbackLines } = screen;
  const total = scrollbackLines + screen.snapshot().rows;
  let index = Math.max(0, from - firstLineNumber, total - MAX_LINES);
  for (let up = 0; up < MAX_WRAPPED_ROWS && index > 0 && screen.row(index)?.wrapped === true; up++) index--;
  while (index < total) {
    const number = firstLineNumber + index;
    const rows: SnapshotRow[] = [];
    do {
      const row = screen.row(index++);
      if (row !== undefined) rows.push(row);
    } while (index < total && screen.row(index)?.wrapped === true);
    if (rows.length > 0) yield { number, rows };
  }
}

export function topOf(screen: ScannedScreen): number {
  return screen.firstLineNumber + screen.scrollbackLines;
}
