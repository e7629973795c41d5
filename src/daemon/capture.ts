/**
 * What a picture will show, taken from a terminal in one step: everything that depends on the terminal's present state.
 * Drawing it may then take its time.
 */
import { T4aError, quote } from '../protocol/errors.js';
import type { PictureParams } from '../protocol/picture.js';
import type { Region } from '../render/view.js';
import type { Screen } from '../vt/screen.js';
import type { Snapshot } from '../vt/snapshot.js';
import { compilePattern } from './pattern.js';
import type { Terminal } from './terminal.js';
import { searchViewport } from './viewport-search.js';

export interface Capture {
  /** Stands for the terminal: pictures of the same one share what they can. */
  readonly terminal: object;
  /** The viewport, and the lines above it that were asked for. */
  readonly snapshot: Snapshot;
  /** In rows of the snapshot. */
  readonly region: Region | undefined;
  readonly marks: readonly Region[];
  readonly unchangedRows: ReadonlySet<number> | undefined;
}

type Mark = PictureParams['mark'][number];

/** @throws T4aError region_outside, bad_regex, revision_unknown */
export function capture(terminal: Terminal, params: PictureParams): Capture {
  const { screen } = terminal;
  const above = Math.min(params.scrollback, screen.scrollbackLines);
  const snapshot = withScrollback(screen, terminal.snapshot(), above);
  const changed = (since: number): Set<number> => changedRows(screen, snapshot, above, since);
  return {
    terminal,
    snapshot,
    region: params.region && within(shifted(params.region, above), snapshot, 'region'),
    marks: params.mark.flatMap((mark, i) => regionsOf(mark, i, snapshot, above, changed)),
    unchangedRows: params.since === undefined ? undefined : others(snapshot, changed(params.since)),
  };
}

function withScrollback(screen: Screen, snapshot: Snapshot, above: number): Snapshot {
  if (above === 0) return snapshot;
  const lines = [...snapshot.lines];
  for (let i = 1; i <= above; i++) {
    const row = screen.row(screen.scrollbackLines - i);
    if (row !== undefined) lines.unshift(row);
  }
  const cursor = { ...snapshot.cursor, row: snapshot.cursor.row + above };
  return { ...snapshot, rows: lines.length, lines, cursor };
}

function regionsOf(
  mark: Mark,
  index: number,
  snapshot: Snapshot,
  above: number,
  changed: (since: number) => Set<number>,
): Region[] {
  if (typeof mark !== 'string' && 'row' in mark) return [within(shifted(mark, above), snapshot, `mark.${index}`)];
  if (typeof mark !== 'string' && 'changed_since' in mark) {
    return runsOf(changed(mark.changed_since)).map(({ row, rows }) => ({ row, rows, col: 0, cols: snapshot.cols }));
  }
  const fixed = typeof mark === 'string';
  const text = fixed ? mark : mark.regex;
  const pattern = compilePattern({ text, fixed, ignoreCase: false, field: `mark.${index}` });
  return searchViewport(snapshot, pattern).flatMap(({ spans }) => spans.map((span) => ({ ...span, rows: 1 })));
}

function shifted(region: Region, above: number): Region {
  return { ...region, row: region.row + above };
}

function within(region: Region, { rows, cols }: Snapshot, field: string): Region {
  const { row, col } = region;
  if (row >= 0 && row + region.rows <= rows && col + region.cols <= cols) return region;
  const what = `${region.rows} rows and ${region.cols} columns from row ${row}, column ${col}`;
  throw new T4aError('region_outside', `"${field}" reaches outside of the screen of ${cols}x${rows}: ${what}.`, {
    field,
    hint: `There are ${rows} rows and ${cols} columns; "scrollback" shows more rows, with negative numbers.`,
  });
}

/** Rows of the snapshot that changed after that revision; all of them where that is not known any more. */
function changedRows(screen: Screen, snapshot: Snapshot, above: number, since: number): Set<number> {
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
