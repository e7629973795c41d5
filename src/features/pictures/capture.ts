/**
 * What a picture will show, taken from a terminal in one step: everything that depends on the terminal's present state.
 * Looking for what is to be marked, and drawing it, may then take their time.
 */
import type { HasParts } from '../../base/parts.js';
import type { WorkSchedule } from '../../search/work-schedule.js';
import { T4aError, quote } from '../../protocol/errors.js';
import type { PictureParams } from '../../protocol/picture.js';
import type { ViewRegion } from '../../render/view.js';
import type { ReadableScreen } from '../../vt/readable-screen.js';
import type { Snapshot, SnapshotRow } from '../../vt/snapshot.js';
import { compilePattern, type Pattern } from '../../search/pattern.js';
import { revisionAt } from '../past/log-of.js';
import type { ReadableTerminal } from '../../terminal/readable-terminal.js';
import { searchViewport } from '../../search/viewport-search.js';
import type { Themes } from './themes.js';

export interface Capture {
  /** Stands for the terminal: pictures of the same one share what they can. */
  readonly terminal: HasParts;
  /** The viewport, and the lines above it that were asked for. */
  readonly snapshot: Snapshot;
  /** Lines above the viewport. */
  readonly above: number;
  /** Up to so many rows above the snapshot, in which a secret of it may begin. */
  readonly over?: (count: number) => readonly SnapshotRow[];
  /** In rows of the snapshot. */
  readonly region: ViewRegion | undefined;
  /** Regions of the snapshot, and what is still to be looked for in it. */
  readonly marks: readonly (ViewRegion | Sought)[];
  readonly unchangedRows: ReadonlySet<number> | undefined;
}

/** One in which everything has been found. */
export interface MarkedCapture extends Capture {
  readonly marks: readonly ViewRegion[];
}

/** What is to be marked wherever it is. */
interface Sought {
  readonly pattern: Pattern;
  /** The request's field that named the cells, for errors. */
  readonly field: string;
}

type MarkRequest = PictureParams['mark'][number];

/** @throws T4aError region_outside, bad_regex, revision_unknown, moment_lost, moment_unknown */
export function capture(terminal: ReadableTerminal, params: PictureParams): Capture {
  const { screen } = terminal;
  const above = Math.min(params.scrollback, screen.scrollbackLines);
  const snapshot = withScrollback(screen, terminal.snapshot(), above);
  const changed = (since: number | string, field: string): Set<number> =>
    changedRows(screen, snapshot, above, revisionAt(terminal, since, field));
  return {
    terminal: terminal.pictures ?? terminal,
    snapshot,
    above,
    over: rowsOver(screen, above),
    region: params.region && within(shifted(params.region, above), snapshot, 'region'),
    marks: params.mark.flatMap((mark, i) => marksOf(mark, i, snapshot, above, changed)),
    unchangedRows: params.since === undefined ? undefined : others(snapshot, changed(params.since, 'since')),
  };
}

/** Bytes of a cell in a row, as measured. */
const CELL_BYTES = 10;

/** Bytes that {@link capture} keeps of the lines above the viewport, whose rows are its own. */
export function aboveBytes({ screen }: ReadableTerminal, { scrollback }: Pick<PictureParams, 'scrollback'>): number {
  return Math.min(scrollback, screen.scrollbackLines) * screen.cols * CELL_BYTES;
}

/** @param above lines over the viewport that are shown, too */
export function rowsOver(screen: ReadableScreen, above = 0): NonNullable<Capture['over']> {
  return (count) => {
    const end = screen.scrollbackLines - above;
    const rows = Math.min(count, end);
    return Array.from({ length: rows }, (_, i) => screen.row(end - rows + i)).filter((row) => row !== undefined);
  };
}

/** Most boxes of one picture, as many as `find` returns matches. Each box is compared with each row. */
const MAX_BOXES = 10_000;

/** @throws T4aError invalid_field; the signal's reason */
export async function findMarks(capture: Capture, work: WorkSchedule, signal: AbortSignal): Promise<MarkedCapture> {
  const marks: ViewRegion[] = [];
  for (const mark of capture.marks) {
    if (!('pattern' in mark)) marks.push(mark);
    else {
      const found = await work.finish(searchViewport(capture.snapshot, mark.pattern), signal);
      for (const { spans } of found) for (const span of spans) marks.push({ ...span, rows: 1 });
      if (marks.length > MAX_BOXES) throw tooManyBoxes(mark.field, found.length);
    }
  }
  return { ...capture, marks };
}

/**
 * Refuses what is wrong on any screen, for requests that wait first. @param size of the screen, where it is known
 * @throws T4aError bad_regex, invalid_field, region_outside
 */
export function checkPicture(
  { mark, theme, region, scrollback }: Pick<PictureParams, 'mark' | 'theme' | 'region' | 'scrollback'>,
  themes: Themes,
  size?: Pick<Snapshot, 'cols' | 'rows'>,
): void {
  if (region !== undefined && size !== undefined) {
    within(shifted(region, scrollback), { ...size, rows: size.rows + scrollback }, 'region');
  }
  for (const [index, each] of mark.entries()) patternOf(each, index);
  if (theme !== undefined) themes.named(theme);
}

function tooManyBoxes(field: string, matches: number): T4aError {
  return new T4aError('invalid_field', `"${field}" has ${matches} matches: more than ${MAX_BOXES} boxes in all.`, {
    field,
    hint: 'Mark a longer text, or a region of the screen.',
  });
}

function withScrollback(screen: ReadableScreen, snapshot: Snapshot, above: number): Snapshot {
  if (above === 0) return snapshot;
  const lines = [...snapshot.lines];
  for (let i = 1; i <= above; i++) {
    const row = screen.row(screen.scrollbackLines - i);
    if (row !== undefined) lines.unshift(row);
  }
  const cursor = { ...snapshot.cursor, row: snapshot.cursor.row + above };
  return { ...snapshot, rows: lines.length, lines, cursor };
}

function marksOf(
  mark: MarkRequest,
  index: number,
  snapshot: Snapshot,
  above: number,
  changed: (since: number | string, field: string) => Set<number>,
): (ViewRegion | Sought)[] {
  if (typeof mark !== 'string' && 'row' in mark) return [within(shifted(mark, above), snapshot, `mark.${index}`)];
  if (typeof mark !== 'string' && 'changed_since' in mark) {
    return runsOf(changed(mark.changed_since, `mark.${index}.changed_since`)).map(({ row, rows }) => ({
      row,
      rows,
      col: 0,
      cols: snapshot.cols,
    }));
  }
  const sought = patternOf(mark, index);
  return sought === undefined ? [] : [sought];
}

function patternOf(mark: MarkRequest, index: number): Sought | undefined {
  const fixed = typeof mark === 'string';
  if (!fixed && !('regex' in mark)) return undefined;
  const text = fixed ? mark : mark.regex;
  const field = `mark.${index}`;
  return { pattern: compilePattern({ text, fixed, ignoreCase: false, field }), field };
}

function shifted(region: ViewRegion, above: number): ViewRegion {
  return { ...region, row: region.row + above };
}

function within(region: ViewRegion, { rows, cols }: Pick<Snapshot, 'cols' | 'rows'>, field: string): ViewRegion {
  const { row, col } = region;
  if (row >= 0 && row + region.rows <= rows && col + region.cols <= cols) return region;
  const what = `${region.rows} rows and ${region.cols} columns from row ${row}, column ${col}`;
  throw new T4aError('region_outside', `"${field}" reaches outside of the screen of ${cols}x${rows}: ${what}.`, {
    field,
    hint: `There are ${rows} rows and ${cols} columns; "scrollback" shows more rows, with negative numbers.`,
  });
}

/** Rows of the snapshot that changed after that revision; all of them where that is not known any more. */
function changedRows(screen: ReadableScreen, snapshot: Snapshot, above: number, since: number): Set<number> {
  if (since > screen.rev) {
    throw new T4aError(
      'revision_unknown',
      `Revision ${quote(since)} is not there yet: the screen is at ${screen.rev}.`,
      {
        hint: 'Give the "rev" of an earlier reply for this terminal.',
      },
    );
  }
  const first = screen.firstShownNumber + screen.scrollbackLines - above;
  const known = since >= screen.revisionFloor;
  const rows = snapshot.lines.keys();
  return new Set([...rows].filter((row) => !known || screen.lineRevision(first + row) > since));
}

function others(snapshot: Snapshot, rows: ReadonlySet<number>): Set<number> {
  return new Set([...snapshot.lines.keys()].filter((row) => !rows.has(row)));
}

/** Neighbours together. */
function runsOf(rows: ReadonlySet<number>): { row: number; rows: number }[] {
  const runs: { row: number; rows: number }[] = [];
  for (const row of [...rows].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && last.row + last.rows === row) last.rows++;
    else runs.push({ row, rows: 1 });
  }
  return runs;
}
