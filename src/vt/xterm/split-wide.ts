/**
 * Blanks inserted in the middle of a wide character (ICH, insert mode, SR, DECIC). Both halves become blank; the library blanks
 * the left one alone and moves the right one along, and a half without its other is no column in text.
 */
import type { Internals } from './internals.js';
import { replaceLineMethod } from './line-class.js';
import { RAW_WIDTH_SHIFT, RAW_WORDS } from './row-builder.js';

const WIDE = 2;

export function blankSplitCharacters(core: Internals): void {
  replaceLineMethod(
    core,
    'insertCells',
    (insert) =>
      function (col, count, fill) {
        const widthBefore = (this._data[(col - 1) * RAW_WORDS] ?? 0) >>> RAW_WIDTH_SHIFT;
        if (widthBefore === WIDE) this.setCellFromCodepoint(col, 0, 1, fill);
        insert.call(this, col, count, fill);
      },
  );
}
