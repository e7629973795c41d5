/** Finds the output of a shell command in the buffer. */
import type { Disposable } from '../base/lifetime.js';
import type { Feed } from './feed.js';
import type { CommandLog, CommandRecord } from './shell/command-log.js';
import { type FrozenRunningPlace, type OutputPlace, placeAfter, RunningPlace } from './shell/output-place.js';
import { cellWidth, rowCols } from '../vt/rows/row-text.js';
import { ATTR_INVERSE, CELL_ATTRS, CELL_WORDS, graphemeAt, type RowShift, type SnapshotRow } from '../vt/snapshot.js';
import { T4aError } from '../protocol/errors.js';
import type { Screen } from '../vt/screen.js';

/** The part of a terminal that finding a command's output needs. */
export interface CommandTerminal {
  readonly id: string;
  readonly screen: Screen;
  readonly detectors: {
    readonly shell: { readonly name: string | undefined; readonly commands: Pick<CommandLog, 'find'> };
  };
}

export interface CommandRange {
  /** 0 = oldest line of the buffer. */
  readonly first: number;
  readonly end: number;
  /** Lines before `first` that the scrollback has lost. */
  readonly lost: number;
  /** Columns of the last line that are output, if not all are. */
  readonly endCol: number | undefined;
  /** What stands before the output in its first line, unless the output has overwritten it. */
  readonly lead?: string | undefined;
  /** Its end was marked: all of its rows are output, blank ones too. */
  readonly isTold?: boolean;
}

/** Columns of the output's last line that are output, if not all are. */
export function outputEndCol({ screen, detectors }: CommandTerminal, { output }: CommandRecord): number | undefined {
  if (output?.end === undefined || detectors.shell.name !== 'zsh') return output?.endCol;
  const isEmpty = output.first === undefined || output.end <= output.first;
  const row = isEmpty ? undefined : screen.row(output.end - 1 - screen.firstMarkedNumber);
  return output.endCol ?? (row === undefined ? undefined : zshMarkColumn(row));
}

/** For a command that still runs the range ends at the cursor. @throws T4aError command_not_found */
export function commandRange(terminal: CommandTerminal, n: number): CommandRange {
  const { id, screen, detectors } = terminal;
  const fail = (why: string): T4aError =>
    new T4aError('command_not_found', why, { field: 'command', hint: `t4a commands ${id}` });
  const record = detectors.shell.commands.find(n);
  if (record === undefined) throw fail(`Terminal "${id}" has no shell command ${n}.`);
  const { output } = record;
  if (output === undefined) throw fail(`The start of the output of shell command ${record.n} is unknown.`);
  if (screen.altScreen !== (output.alternate === true)) {
    const other = screen.altScreen ? 'the alternate screen' : 'the normal screen';
    throw fail(`Terminal "${id}" shows ${other}, which does not have the output of shell command ${record.n}.`);
  }
  const end = output.end ?? cursorNumber(screen) + 1;
  return shownRange(
    screen,
    { first: output.first ?? end, end, lost: output.lost ?? 0, lead: output.lead },
    outputEndCol(terminal, record),
  );
}

/** How much of the output from now on the terminal does not have any more. */
export interface FollowedOutput extends Disposable {
  /** Lines; null if it is not known. */
  readonly lost: number | null;
}

/** A typed line whose command no mark starts: where it stands, and where its output is. */
export interface TypedLineFollowed extends Disposable {
  /** Lasting number of the row in which it begins; undefined once it is lost. */
  readonly line: number | undefined;
  /** The output's, once the line has gone: all was erased, or it has left the rows of a scroll region. */
  readonly place: OutputPlace | undefined;
  freeze(): FrozenTypedLine;
}

export interface FrozenTypedLine {
  /** Lasting numbers. */
  readonly line: number | undefined;
  readonly below: number;
  readonly running: FrozenRunningPlace | undefined;
}

/** To be called before the line is written, or for one that was followed in another process. */
export function followLine(
  { screen, feed }: Pick<CommandTerminal, 'screen'> & { readonly feed: Feed },
  from: FrozenTypedLine,
): TypedLineFollowed {
  let anchor: { readonly line: number | undefined; dispose(): void } =
    from.line === undefined ? { line: undefined, dispose: () => {} } : screen.anchorLine(from.line);
  let { below } = from;
  let running = from.running && RunningPlace.thaw(from.running);
  const shift = ({ top, bottom, count }: RowShift): void => {
    const { line } = anchor;
    if (line === undefined || line < top || line > bottom) return;
    anchor.dispose();
    anchor = screen.anchorLine(line - count);
    below -= count;
    if (line - count >= top) return;
    const lost = Math.max(0, top - below);
    running = new RunningPlace({ first: Math.max(top, below), end: undefined, ...(lost > 0 ? { lost } : {}) });
  };
  const following = feed.add({
    onEffect(effect) {
      if (effect.kind !== 'rows') return;
      const { change } = effect;
      const isWhole = change.change === 'reset' || (change.change === 'erased' && change.left !== undefined);
      if (running === undefined && isWhole) running = placeAfter(below, []);
      if (running !== undefined) running.apply(change);
      else if (change.change === 'shifted') shift(change);
    },
    // Lines have other numbers.
    onResize: () => (running = undefined),
  });
  return {
    get line() {
      return anchor.line;
    },
    get place() {
      return running?.place;
    },
    freeze: () => ({ line: anchor.line, below, running: running?.freeze() }),
    dispose() {
      following.dispose();
      anchor.dispose();
    },
  };
}

/** To be called before anything is printed. */
export function outputFromNow({
  screen,
  feed,
}: Pick<CommandTerminal, 'screen'> & { readonly feed: Feed }): FollowedOutput {
  screen.watchRows();
  let running: RunningPlace | undefined = placeAfter(screen.firstMarkedNumber, []);
  const following = feed.add({
    onEffect: (effect) => {
      if (effect.kind === 'rows') running?.apply(effect.change);
    },
    // Lines have other numbers.
    onResize: () => (running = undefined),
  });
  return {
    get lost() {
      const place = running?.place;
      if (place === undefined) return null;
      const { first = screen.firstMarkedNumber, lost = 0 } = place;
      return lost + Math.max(0, screen.firstMarkedNumber - first);
    },
    dispose: () => following.dispose(),
  };
}

/** Lasting number of the line of the cursor, of the screen that is shown. */
export function cursorNumber(screen: Screen): number {
  return screen.firstMarkedNumber + screen.scrollbackLines + screen.snapshot().cursor.row;
}

/** Lines by their numbers as a range of the buffer. */
export function shownRange(
  screen: Screen,
  { first: begun, end, lost, lead }: Pick<CommandRange, 'first' | 'end' | 'lost' | 'lead'>,
  endCol: number | undefined,
): CommandRange {
  const { firstMarkedNumber: oldest } = screen;
  // All of it may be lost.
  const last = Math.max(end, oldest);
  const first = Math.min(last, Math.max(begun, oldest));
  const above = Math.max(0, Math.min(first, end) - begun);
  return {
    first: first - oldest,
    end: last - oldest,
    lost: lost + above,
    endCol,
    ...(lead === undefined || above > 0 ? {} : { lead }),
  };
}

/**
 * Column of the mark that zsh writes after output that does not end its last line: an inverse `%` (for root `#`), and blanks up to the end
 * of the row and beyond, before any of its hooks could report where the output ends (PROMPT_SP in zshoptions(1)).
 */
export function zshMarkColumn(row: SnapshotRow): number | undefined {
  const cols = rowCols(row);
  let col = cols - 1;
  while (col >= 0 && graphemeAt(row, col) === ' ' && cellWidth(row, col) === 1) col--;
  if (col < 0 || !['%', '#'].includes(graphemeAt(row, col))) return undefined;
  return ((row.cells[col * CELL_WORDS + CELL_ATTRS] ?? 0) & ATTR_INVERSE) === 0 ? undefined : col;
}
