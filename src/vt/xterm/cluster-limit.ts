/**
 * A bound on the characters of one cell. Marks without end in one place are as much memory as is printed: lines of
 * scrollback do not bound that. No language stacks more than a few; what Unicode calls stream-safe text has at most 30.
 */
import type { Internals } from './internals.js';
import { replaceLineMethod } from './line-class.js';
import { RAW_COMBINED, RAW_WORDS } from './row-builder.js';

/** UTF-16 code units of a cell; the longest emoji sequence has 23. */
export const MAX_CLUSTER_LENGTH = 64;

export function limitClusters(core: Internals): void {
  replaceLineMethod(
    core,
    'addCodepointToCell',
    (add) =>
      function (col, codePoint, width) {
        // The library leaves the text of a cell where it is when something plain is written over it.
        const isCombined = ((this._data[col * RAW_WORDS] ?? 0) & RAW_COMBINED) !== 0;
        if (isCombined && (this._combined[col] ?? '').length >= MAX_CLUSTER_LENGTH) return;
        add.call(this, col, codePoint, width);
      },
  );
}
