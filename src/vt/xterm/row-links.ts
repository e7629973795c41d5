/**
 * A bound on the targets of one row. A cell costs a number, however long its target is; but every format writes the target
 * for each run of cells that look the same, so that two targets of 2,000 characters in turn made 1.6 GB out of 10,000 lines.
 */
import { ATTR_WIDTH_MASK, CELL_ATTRS, CELL_BG, CELL_FG, CELL_WORDS, type SnapshotRow } from '../snapshot.js';

/** A longer target makes no link, since half of one leads elsewhere. The bound is VTE's. */
export const MAX_TARGET_LENGTH = 2083;

/** UTF-16 code units, counted for each run. Usual targets fit in every cell of 80; runs beyond the bound have no link. */
export const MAX_ROW_TARGETS_LENGTH = 2 * MAX_TARGET_LENGTH;

type CellStyles = Pick<SnapshotRow, 'cells' | 'underlineColors'>;

/** @param links by column, in ascending order; those that do not fit are removed */
export function limitRowLinks(links: Map<number, string>, styles: CellStyles): void {
  let length = 0;
  let before: { readonly col: number; readonly target: string } | undefined;
  for (const [col, target] of links) {
    const continues = before?.col === col - 1 && before.target === target && haveSameStyle(styles, before.col, col);
    if (!continues) length += target.length;
    if (length > MAX_ROW_TARGETS_LENGTH) links.delete(col);
    before = { col, target };
  }
}

function haveSameStyle({ cells, underlineColors }: CellStyles, a: number, b: number): boolean {
  const at = a * CELL_WORDS;
  const to = b * CELL_WORDS;
  return (
    cells[at + CELL_FG] === cells[to + CELL_FG] &&
    cells[at + CELL_BG] === cells[to + CELL_BG] &&
    (((cells[at + CELL_ATTRS] ?? 0) ^ (cells[to + CELL_ATTRS] ?? 0)) & ~ATTR_WIDTH_MASK) === 0 &&
    underlineColors?.get(a) === underlineColors?.get(b)
  );
}
