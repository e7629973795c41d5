/**
 * SU (CSI S) from the top row of the normal screen moves rows into the scrollback, and SD (CSI T) fills with the background
 * of the pen, both as xterm does. In the library the rows of SU are gone, and those of SD have the default background.
 */
import type { Internals, RawBuffer } from './internals.js';
import type { PatchTarget } from './patch-target.js';

export function scrollAsXterm({ internals }: PatchTarget): void {
  const { buffers, _inputHandler: input, _bufferService: service } = internals;
  const up = input.scrollUp.bind(input);
  const down = input.scrollDown.bind(input);
  const replaced = input as { -readonly [Name in 'scrollUp' | 'scrollDown']: typeof up };
  replaced.scrollUp = (params) => {
    if (!keepsScrolledRows(internals)) return up(params);
    const { scrollBottom } = buffers.active;
    const count = Math.min(params.params[0] || 1, scrollBottom + 1);
    for (let row = 0; row < count; row++) service.scroll(input._eraseAttrData(), false);
    return true;
  };
  replaced.scrollDown = (params) => {
    const isDone = down(params);
    const buffer = buffers.active;
    const { ybase, scrollTop, scrollBottom } = buffer;
    const count = Math.min(params.params[0] || 1, scrollBottom - scrollTop + 1);
    const fill = (buffer as RawBuffer & { getNullCell(pen: object): ReturnType<RawBuffer['getNullCell']> }).getNullCell(
      input._eraseAttrData(),
    );
    for (let row = 0; row < count; row++) {
      const line = buffer.lines.get(ybase + scrollTop + row);
      line?.replaceCells(0, line.length, fill);
    }
    return isDone;
  };
}

/** Whether the rows that SU moves out are kept above the screen. */
export function keepsScrolledRows({ buffers }: Internals): boolean {
  return buffers.active === buffers.normal && buffers.active.scrollTop === 0;
}
