/**
 * A bound on the characters of one cell. Marks without end in one place are as much memory as is printed: lines of
 * scrollback do not bound that. No language stacks more than a few; what Unicode calls stream-safe text has at most 30.
 */
import type { Internals, RawLine } from './internals.js';
import { RAW_COMBINED, RAW_WORDS } from './row-builder.js';

/** UTF-16 code units of a cell; the longest emoji sequence has 23. */
export const MAX_CLUSTER_LENGTH = 64;

type AddCodePoint = (this: RawLine, col: number, codePoint: number, width: number) => void;

const changed = new WeakSet<object>();

/** For all lines of the process: they are of one class. */
export function limitClusters(core: Internals): void {
  const lines = Object.getPrototypeOf(core.buffers.active.lines.get(0)) as { addCodepointToCell: AddCodePoint };
  if (changed.has(lines)) return;
  changed.add(lines);
  const { addCodepointToCell } = lines;
  lines.addCodepointToCell = function (col, codePoint, width) {
    // The library leaves the text of a cell where it is when something plain is written over it.
    const isCombined = ((this._data[col * RAW_WORDS] ?? 0) & RAW_COMBINED) !== 0;
    if (isCombined && (this._combined[col] ?? '').length >= MAX_CLUSTER_LENGTH) return;
    addCodepointToCell.call(this, col, codePoint, width);
  };
}
