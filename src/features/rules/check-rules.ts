/** What rules would find on a terminal, without any effect: entries with their cells, and what differs from those of now. */
import { entryScope } from '../past/persisted.js';
import type { Block } from '../../activity/blocks.js';
import { type EntryDifference, differences } from '../../activity/differences.js';
import { Engine } from '../../activity/engine.js';
import type { Entry } from '../../activity/entry.js';
import type { Look } from '../../activity/look.js';
import { type Profile, within } from '../../activity/rule.js';
import type { Work } from '../../search/work.js';
import { cellWidth, rowCols, rowText } from '../../vt/rows/row-text.js';
import { graphemeAt, type SnapshotRow } from '../../vt/snapshot.js';
import type { WatchedTerminal } from './activity-watch.js';
import { takeLook } from './take-look.js';

/** Of the scrollback. */
const LINES_A_CHECK = 5000;

/** Cells of one row of the viewport. */
interface Span {
  readonly row: number;
  readonly col: number;
  readonly cols: number;
}

export interface CheckedEntry extends Entry {
  /** Of the viewport; negative above it, null for what is no line. */
  readonly row: number | null;
  /** Where it stands, as far as that is in the viewport. */
  readonly cells: readonly Span[];
}

export interface Checked {
  readonly entries: readonly CheckedEntry[];
  /** The viewport that cells are of. */
  readonly snapshot: {
    readonly rev: number;
    readonly cols: number;
    readonly rows: number;
    readonly lines: readonly string[];
  };
  readonly differences: readonly EntryDifference[];
}

/** @param present entries that the terminal has */
export function* checkRules(
  profile: Profile,
  terminal: WatchedTerminal,
  present: readonly Entry[],
  now: () => number,
): Work<Checked> {
  const { screen } = terminal;
  const engine = new Engine(profile, entryScope(terminal));
  const found = new Map<string, Entry>();
  const from = screen.firstLineNumber + Math.max(0, screen.normalScrollbackLines - LINES_A_CHECK);
  engine.skipTo(from);
  let look: Look;
  do {
    look = takeLook(screen, { from: engine.from, maxLines: 500, ts: now(), renumbered: false });
    for (const { op, entry } of yield* engine.look(look)) {
      if (op === 'delete') found.delete(entry.id);
      else found.set(entry.id, entry);
    }
  } while (engine.isBehind);
  const { top, altScreen, viewport, rev } = look;
  const blocks = new Map(engine.shown.map(({ entry, block }) => [entry.id, block]));
  const entries = [...found.values()].map((entry): CheckedEntry => {
    const block = blocks.get(entry.id);
    const row = entry.line === null ? null : entry.line - top;
    return { ...entry, row, cells: block === undefined ? [] : cellsOf(block, look) };
  });
  const isCovered = ({ line, open }: Entry): boolean => (line === null ? open : !altScreen && line >= from);
  return {
    entries,
    snapshot: {
      rev,
      cols: viewport[0] === undefined ? 0 : rowCols(viewport[0]),
      rows: viewport.length,
      lines: viewport.map((row) => rowText(row).trimEnd()),
    },
    differences: differences(present.filter(isCovered), entries),
  };
}

function cellsOf({ rule: { region }, number, endNumber }: Block, { top, viewport }: Look): Span[] {
  return viewport.flatMap((line, row): Span[] => {
    if (row < number - top || row >= endNumber - top) return [];
    const cols = rowCols(line);
    const span = written(line, within(region?.left ?? 0, cols), within(region?.right ?? cols, cols));
    return span === undefined ? [] : [{ row, ...span }];
  });
}

/** From the first cell with text to the last. */
function written(row: SnapshotRow, from: number, to: number): { col: number; cols: number } | undefined {
  let first: number | undefined;
  let end = from;
  for (let col = from; col < to; col++) {
    if (graphemeAt(row, col).trim() === '') continue;
    first ??= col;
    end = Math.min(to, col + Math.max(1, cellWidth(row, col)));
  }
  return first === undefined ? undefined : { col: first, cols: end - first };
}
