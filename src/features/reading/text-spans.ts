/** Spans of a line that stand out: highlighted text and hyperlinks. */
import type { Work } from '../../search/work.js';
import { rowRuns, type Run } from '../../vt/rows/row-runs.js';
import { rowCols } from '../../vt/rows/row-text.js';
import { ATTR_INVERSE, COLOR_DEFAULT, type SnapshotRow } from '../../vt/snapshot.js';
import { namedColor } from './line-formats.js';

export interface RowAt {
  readonly row: SnapshotRow;
  /** Lasting number of the line. */
  readonly number: number;
}

export interface TextSpan {
  readonly number: number;
  readonly col: number;
  readonly cols: number;
  readonly text: string;
}

export interface Highlight extends TextSpan {
  readonly inverse: boolean;
  readonly bg?: number | string;
}

/**
 * Runs whose background differs from that of most cells of the viewport: a selected entry, a button, a status line.
 * Inverse text has its own colour as background. Blank runs are left out.
 */
export function* highlightsIn(rows: readonly RowAt[], viewport: readonly SnapshotRow[]): Work<Highlight[]> {
  const common = yield* commonGround(viewport);
  const highlights: Highlight[] = [];
  for (const { row, number } of rows) {
    const groups = joined(rowRuns(row), (run) => {
      const ground = groundOf(run);
      return ground === common ? undefined : ground;
    });
    for (const runs of groups) {
      const [first] = runs;
      const inverse = first !== undefined && (first.style.attributes & ATTR_INVERSE) !== 0;
      const place = extent(runs);
      if (place.text.trim() === '') continue;
      highlights.push({ number, ...place, inverse, ...namedColor('bg', first?.style.bg ?? COLOR_DEFAULT) });
    }
    yield 1;
  }
  return highlights;
}

export interface TextLink extends TextSpan {
  readonly url: string;
}

export function* linksIn(rows: readonly RowAt[]): Work<TextLink[]> {
  const links: TextLink[] = [];
  for (const { row, number } of rows) {
    for (const runs of joined(rowRuns(row), ({ link }) => link)) {
      links.push({ number, ...extent(runs), url: runs[0]?.link ?? '' });
    }
    yield 1;
  }
  return links;
}

/** Inverse default colours count as a background of their own. */
const INVERSE_DEFAULT = -1;

export function groundOf({ style }: Run): number {
  if ((style.attributes & ATTR_INVERSE) === 0) return style.bg;
  return style.fg === COLOR_DEFAULT ? INVERSE_DEFAULT : style.fg;
}

function* commonGround(rows: readonly SnapshotRow[]): Work<number> {
  const cells = new Map<number, number>([[COLOR_DEFAULT, 0]]);
  const count = (ground: number, cols: number): void => void cells.set(ground, (cells.get(ground) ?? 0) + cols);
  for (const row of rows) {
    const runs = rowRuns(row);
    for (const run of runs) count(groundOf(run), run.cols);
    // Cells after the runs are blank.
    count(COLOR_DEFAULT, rowCols(row) - runs.reduce((sum, { cols }) => sum + cols, 0));
    yield 1;
  }
  return [...cells].reduce((most, entry) => (entry[1] > most[1] ? entry : most))[0];
}

/** Joins neighbouring runs with the same key; runs without a key are left out. */
function joined(runs: readonly Run[], keyOf: (run: Run) => number | string | undefined): Run[][] {
  const groups: Run[][] = [];
  let open: number | string | undefined;
  for (const run of runs) {
    const key = keyOf(run);
    if (key !== undefined && key === open) groups.at(-1)?.push(run);
    else if (key !== undefined) groups.push([run]);
    open = key;
  }
  return groups;
}

function extent(runs: readonly Run[]): { col: number; cols: number; text: string } {
  const col = runs[0]?.col ?? 0;
  return {
    col,
    cols: runs.reduce((sum, run) => sum + run.cols, 0),
    text: runs.map(({ graphemes }) => graphemes.join('')).join(''),
  };
}

/** @param top lasting number of row 0 */
export function* placed<T extends { readonly number: number }>(
  spans: readonly T[],
  top: number,
): Work<(T & { row: number })[]> {
  const all: (T & { row: number })[] = [];
  for (const [i, span] of spans.entries()) {
    all.push({ ...span, row: span.number - top });
    if (i % SPANS_A_PIECE === 0) yield SPANS_A_PIECE;
  }
  return all;
}

const SPANS_A_PIECE = 500;
