/** The difference between two snapshots of a terminal, by the identity of rows. Pauses after each row that is drawn. */
import type { Work } from '../../search/work.js';
import { rowOfSpans, type RowOfSpans } from '../../vt/rows/row-spans.js';
import type { Snapshot, SnapshotRow } from '../../vt/snapshot.js';

export interface FrameDiff {
  /** All rows are new; those that are not drawn are blank. */
  readonly complete: boolean;
  /** Target row, source row in the frame before, number of rows. */
  readonly copied: [to: number, from: number, count: number][];
  readonly drawn: (RowOfSpans & { readonly row: number })[];
}

/** @param before the frame that the reader has, if it is known */
export function* frameDiff(before: Snapshot | undefined, now: Snapshot): Work<FrameDiff> {
  if (before === undefined || !sameLayout(before, now)) return yield* completeFrame(now);
  if (before === now) return { complete: false, copied: [], drawn: [] };
  const copied: FrameDiff['copied'] = [];
  const drawn: FrameDiff['drawn'] = [];
  const places = placesOf(before.lines);
  for (const [row, line] of now.lines.entries()) {
    if (before.lines[row] === line) continue;
    const last = copied.at(-1);
    // Equal rows may be one object: the one that goes on with the last copy is best.
    if (last !== undefined && last[0] + last[2] === row && before.lines[last[1] + last[2]] === line) {
      last[2]++;
      continue;
    }
    const from = places.get(line);
    if (from !== undefined) copied.push([row, from, 1]);
    else {
      drawn.push({ row, ...rowOfSpans(line) });
      yield 1;
    }
  }
  return { complete: false, copied, drawn };
}

function* completeFrame({ lines }: Snapshot): Work<FrameDiff> {
  const drawn: (RowOfSpans & { readonly row: number })[] = [];
  for (const [row, line] of lines.entries()) {
    const spans = rowOfSpans(line);
    if (isBlank(spans)) continue;
    drawn.push({ row, ...spans });
    yield 1;
  }
  return { complete: true, copied: [], drawn };
}

function isBlank({ runs, wrapped, size }: RowOfSpans): boolean {
  return runs.length === 0 && wrapped === undefined && size === undefined;
}

function sameLayout(a: Snapshot, b: Snapshot): boolean {
  return a.cols === b.cols && a.rows === b.rows && a.altScreen === b.altScreen;
}

/** The first place of each row. */
function placesOf(lines: readonly SnapshotRow[]): Map<SnapshotRow, number> {
  const places = new Map<SnapshotRow, number>();
  for (const [row, line] of lines.entries()) if (!places.has(line)) places.set(line, row);
  return places;
}
