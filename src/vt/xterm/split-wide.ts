/**
 * Blanks inserted in the middle of a wide character (ICH, insert mode, SR, DECIC), and text that without wrapping is written over its right
 * half in the last column. Both halves become blank; the library blanks one alone, and a half without its other is no column in text.
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
  const { _inputHandler: input, buffers, coreService } = core;
  const print = input.print.bind(input);
  input.print = (codes, start, end) => {
    print(codes, start, end);
    if (coreService.decPrivateModes.wraparound) return;
    const { active } = buffers;
    const line = active.lines.get(active.ybase + active.y);
    const last = core.cols - 1;
    const isSplit = line?.getWidth(last - 1) === WIDE && line.getWidth(last) > 0;
    if (isSplit) line.setCellFromCodepoint(last - 1, 0, 1, input._curAttrData);
  };
}
