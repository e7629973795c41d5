/**
 * Erase above (CSI 1 J and CSI ? 1 J) from the last column. The library then marks the line below as no longer wrapped, but
 * takes it by its row in place of its index: it throws on the last row of a screen that has not scrolled, and
 * forgets a wrap in the scrollback otherwise. Here it erases all but the last cell, which marks nothing, and the cell is erased as
 * part of its line.
 */
import type { PatchTarget } from './patch-target.js';

const ABOVE = 1;

export function eraseAboveWithinScreen(emulator: PatchTarget): void {
  for (const prefix of ['', '?']) {
    emulator.onCsi({ final: 'J', ...(prefix === '' ? {} : { prefix }) }, ([mode]) => {
      const { buffer, internals } = emulator;
      const { x, y, ybase } = buffer;
      const { cols } = emulator.terminal;
      if (mode !== ABOVE || x + 1 < cols) return false;
      const input = internals._inputHandler;
      const params = { params: [ABOVE], length: 1 };
      const spareProtected = prefix === '?';
      buffer.x = cols - 2;
      input.eraseInDisplay(params, spareProtected);
      buffer.x = x;
      input.eraseInLine(params, spareProtected);
      const index = ybase + y + 1;
      // Beyond its length a full list begins anew, with its oldest line.
      const below = index < buffer.lines.length ? buffer.lines.get(index) : undefined;
      if (below !== undefined) below.isWrapped = false;
      return true;
    });
  }
}
