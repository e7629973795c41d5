/** Differences between two screens, cell by cell. Rows are compared by identity first, which settles most of them. */
import { CELL_WORDS, type SnapshotRow } from '../vt/snapshot.js';

export interface RowChange {
  readonly row: number;
  /** Columns whose grapheme, colours or attributes differ, ascending. */
  readonly changedCols: readonly number[];
}

/** The part of a snapshot that is compared. */
export interface ScreenFrame {
  readonly cols: number;
  readonly rows: number;
  readonly altScreen: boolean;
  readonly lines: readonly SnapshotRow[];
  /** Lasting number of the top line: output that scrolls changes it, even if the lines look the same. */
  readonly topLine: number;
  /** Changes of size so far: a screen that had another size in between is another one. */
  readonly resizes: number;
}

export type FrameChanges =
  /** Another size or another screen: not comparable. */
  | { readonly kind: 'replaced' }
  /** Rows moved: output at the end, not in place. */
  | { readonly kind: 'scrolled' }
  | { readonly kind: 'in_place'; readonly changes: readonly RowChange[] };

export function compareFrames(before: ScreenFrame, after: ScreenFrame): FrameChanges {
  if (before.resizes !== after.resizes) return { kind: 'replaced' };
  if (before.cols !== after.cols || before.rows !== after.rows || before.altScreen !== after.altScreen) {
    return { kind: 'replaced' };
  }
  if (before.topLine !== after.topLine) return { kind: 'scrolled' };
  const changes: RowChange[] = [];
  const [linesBefore, linesAfter] = [before.lines, after.lines];
  for (let row = 0; row < linesAfter.length; row++) {
    const [previous, line] = [linesBefore[row], linesAfter[row]];
    if (previous === undefined || line === undefined || previous === line) continue;
    const changedCols = compareCells(previous, line, after.cols);
    if (changedCols.length > 0) changes.push({ row, changedCols });
  }
  return hasMoved(before, after, changes) ? { kind: 'scrolled' } : { kind: 'in_place', changes };
}

function compareCells(before: SnapshotRow, after: SnapshotRow, cols: number): number[] {
  const changed: number[] = [];
  // Indexes into `clusters` are not comparable between rows.
  const clustersDiffer = before.clusters.length > 0 || after.clusters.length > 0;
  for (let col = 0; col < cols; col++) {
    const at = col * CELL_WORDS;
    for (let word = 0; word < CELL_WORDS; word++) {
      if (before.cells[at + word] === after.cells[at + word]) continue;
      changed.push(col);
      break;
    }
    if (!clustersDiffer || changed.at(-1) === col) continue;
    if (clusterAt(before, at) !== clusterAt(after, at)) changed.push(col);
  }
  return changed;
}

function clusterAt(row: SnapshotRow, at: number): string {
  const word = row.cells[at] ?? 0;
  return word >= GRAPHEME_CLUSTER ? (row.clusters[word - GRAPHEME_CLUSTER] ?? '') : '';
}

/** See vt/snapshot.ts: tested by comparison, because bit operations are signed. */
const GRAPHEME_CLUSTER = 0x8000_0000;

/**
 * For programs that scroll by drawing: at least two changed rows, at least half of them with content that was elsewhere
 * on the screen before. Programs that redraw a moving list create new row objects of equal content, so content is
 * compared, not identity.
 */
function hasMoved(before: ScreenFrame, after: ScreenFrame, changes: readonly RowChange[]): boolean {
  if (changes.length < 2) return false;
  const wasAt = new Map<string, number>();
  for (const [row, line] of before.lines.entries()) wasAt.set(contentKey(line), row);
  let moved = 0;
  let inked = 0;
  for (const { row } of changes) {
    const line = after.lines[row];
    if (line === undefined || isBlank(line)) continue;
    inked++;
    const previousRow = wasAt.get(contentKey(line));
    if (previousRow !== undefined && previousRow !== row) moved++;
  }
  return moved > 0 && moved * 2 >= inked;
}

const contentKeys = new WeakMap<SnapshotRow, string>();

function contentKey(line: SnapshotRow): string {
  let key = contentKeys.get(line);
  if (key === undefined) {
    key = `${Buffer.from(line.cells.buffer, line.cells.byteOffset, line.cells.byteLength).toString('latin1')}${line.clusters.join('\0')}`;
    contentKeys.set(line, key);
  }
  return key;
}

function isBlank(line: SnapshotRow): boolean {
  for (let at = 0; at < line.cells.length; at += CELL_WORDS) {
    const grapheme = line.cells[at] ?? 0;
    if (grapheme !== 0 && grapheme !== 0x20) return false;
  }
  return true;
}
