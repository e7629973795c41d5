/**
 * Save and restore of the cursor's row (DECSC, DECRC and their likes), as xterm has it: a row of the screen. The library
 * saves a line of the buffer, so that the row comes back elsewhere after scrolling and once the scrollback is erased (CSI 3 J).
 */
import type { RawBuffer } from './internals.js';
import type { PatchTarget } from './patch-target.js';

/** Saved rows by buffer; a reset makes new ones. Absent: the top row. */
const savedRows = new WeakMap<object, number>();

export function savedRowOf(buffer: object): number {
  return savedRows.get(buffer) ?? 0;
}

export function setSavedRow(buffer: object, row: number): void {
  savedRows.set(buffer, row);
}

export function saveByRow(emulator: PatchTarget): void {
  const { buffers, _inputHandler: input } = emulator.internals;
  const save = input.saveCursor.bind(input);
  const restore = input.restoreCursor.bind(input);
  input.saveCursor = () => {
    savedRows.set(buffers.active, buffers.active.y);
    return save();
  };
  input.restoreCursor = () => {
    placeSavedLine(buffers.active);
    return restore();
  };
  // A soft reset (DECSTR) saves the top row; the library does the rest of it.
  emulator.onCsi({ intermediates: '!', final: 'p' }, () => {
    savedRows.delete(buffers.active);
    return false;
  });
}

export function placeSavedLine(buffer: RawBuffer): void {
  buffer.savedY = buffer.ybase + (savedRows.get(buffer) ?? 0);
}

/** The program has saved a cursor there since the last reset. */
export function hasSavedRow(buffer: object): boolean {
  return savedRows.has(buffer);
}
