/** The screen of a terminal as a look of its rules, taken in one step. */
import type { Engine } from '../../activity/engine.js';
import type { Look, LookLine } from '../../activity/look.js';
import { textEnd, trimmedText } from '../../vt/rows/row-text.js';
import type { ReadableScreen } from '../../vt/readable-screen.js';
import type { SnapshotRow } from '../../vt/snapshot.js';

export interface LookOptions {
  /** Number of the first line to read on the normal screen; the viewport is read in any case. */
  readonly from: number;
  /** Beyond, lines are left for the next look. */
  readonly maxLines: number;
  readonly ts: number;
  readonly renumbered: boolean;
}

/** Rows that a line is followed upwards, or read. */
const MAX_WRAPPED_ROWS = 200;

/** Lines of a look, above the viewport. */
const LINES_A_LOOK = 500;
/** Unread lines; of more, the oldest are skipped. */
const MAX_BACKLOG = 5000;

export interface FrozenLooker {
  readonly cols: number | undefined;
  readonly skippedLines: number;
}

/** Takes the looks of one engine, one after another: what an engine finds depends on the screens and times of its looks alone. */
export class Looker {
  #cols: number | undefined;
  /** That came too fast to be read. */
  skippedLines = 0;

  freeze(): FrozenLooker {
    return { cols: this.#cols, skippedLines: this.skippedLines };
  }

  restore({ cols, skippedLines }: FrozenLooker): void {
    this.#cols = cols;
    this.skippedLines = skippedLines;
  }

  take(
    screen: ReadableScreen,
    engine: Engine,
    { ts, isLast, report = '' }: { readonly ts: number; readonly isLast: boolean; readonly report?: string },
  ): Look {
    const kept = screen.normalScrollbackLines;
    const unread = screen.firstLineNumber + kept - engine.from;
    const skipped = unread - Math.min(MAX_BACKLOG, kept);
    if (skipped > 0) {
      this.skippedLines += skipped;
      engine.skipTo(engine.from + skipped);
    }
    const renumbered = this.#cols !== undefined && this.#cols !== screen.cols;
    this.#cols = screen.cols;
    const look = { ...takeLook(screen, { from: engine.from, maxLines: LINES_A_LOOK, ts, renumbered }), report };
    return isLast ? { ...look, unfinished: false, cursor: Infinity } : look;
  }
}

export function takeLook(screen: ReadableScreen, { from, maxLines, ts, renumbered }: LookOptions): Look {
  const snapshot = screen.snapshot();
  const viewport = snapshot.lines;
  const first = screen.firstShownNumber;
  const top = first + screen.scrollbackLines;
  let start = Math.max(0, Math.min(snapshot.altScreen ? top : from, top) - first);
  for (let up = 0; up < MAX_WRAPPED_ROWS && start > 0 && screen.continuesLine(start); up++) start--;
  const end = screen.scrollbackLines + writtenRows(viewport);
  const lines: LookLine[] = [];
  let index = start;
  // A viewport is read as a whole: the budget is for what is above it.
  const budget = Math.max(maxLines, snapshot.rows);
  while (index < end && lines.length < budget) {
    const row = viewport[index - screen.scrollbackLines];
    const isWhole = row !== undefined && !(index + 1 < end && screen.continuesLine(index + 1));
    // Most lines are one row of the viewport, whose text is known while it stays.
    const { rows, text } = isWhole ? { rows: 1, text: trimmedText(row) } : lineAt(screen, index, end);
    lines.push({ number: first + index, rows, text });
    index += rows;
  }
  const { rev, altScreen, title, cursor } = snapshot;
  const ofCursor = viewport[cursor.row];
  const isLast = screen.scrollbackLines + cursor.row === end - 1;
  const unfinished = isLast && ofCursor !== undefined && cursor.col >= textEnd(ofCursor);
  const shared = { rev, ts, altScreen, renumbered, title, report: '', top, cursor: top + cursor.row, unfinished };
  return { ...shared, lines, more: index < end, viewport };
}

function lineAt(screen: ReadableScreen, first: number, end: number): { rows: number; text: string } {
  let text = '';
  let rows = 0;
  do {
    // Blanks at its end are within the line if it goes on. To read those of every row takes rules three times as long.
    const goesOn = first + rows + 1 < end && screen.continuesLine(first + rows + 1);
    if (rows < MAX_WRAPPED_ROWS) text += screen.lineText(first + rows, { trim: !goesOn }) ?? '';
    rows++;
  } while (first + rows < end && screen.continuesLine(first + rows));
  return { rows, text: text.trimEnd() };
}

/** Rows of the viewport to the last one with text. */
function writtenRows(viewport: readonly SnapshotRow[]): number {
  return viewport.findLastIndex((row) => trimmedText(row) !== '') + 1;
}
