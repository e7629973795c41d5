/**
 * Save and restore of the cursor (DECSC, DECRC and their likes), with the whole pen. The library keeps colours and flags, and
 * leaves style and colour of the underline as they happen to be: a curly underline came back as none, and the next
 * sequence about underlines drew one that was never asked for.
 */
import type { PatchTarget } from './patch-target.js';

export function saveWholePen(emulator: PatchTarget): void {
  const { buffers, _inputHandler: input } = emulator.internals;
  // The pen of a terminal in which nothing has been printed yet.
  const plain = input._curAttrData.extended.clone();
  // The library's own handlers call these by name.
  const save = input.saveCursor.bind(input);
  const restore = input.restoreCursor.bind(input);
  input.saveCursor = () => {
    buffers.active.savedCurAttrData.extended = input._curAttrData.extended.clone();
    return save();
  };
  input.restoreCursor = () => {
    const isDone = restore();
    const pen = input._curAttrData;
    // A link is no part of what is saved: it is open until it is closed.
    const extended = buffers.active.savedCurAttrData.extended.clone();
    extended.urlId = pen.extended.urlId;
    pen.extended = extended;
    pen.updateExtended();
    return isDone;
  };
  // A soft reset (DECSTR) saves the plain pen; the library does the rest of it.
  emulator.onCsi({ intermediates: '!', final: 'p' }, () => {
    buffers.active.savedCurAttrData.extended = plain;
    return false;
  });
}
