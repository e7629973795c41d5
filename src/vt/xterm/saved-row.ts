/**
 * Save and restore of the cursor's row (DECSC, DECRC and their likes), as xterm has it: a row of the screen. The library
 * saves a line of the buffer, so that the row comes back elsewhere after scrolling and once the scrollback is erased (CSI 3 J).
 * Across a change of size the saved cursor follows its text; in the library its row does, and its column does not.
 */
import type { Internals, RawBuffer, RawLine } from './internals.js';
import type { PatchTarget } from './patch-target.js';
import { RAW_CODE_POINT, RAW_COMBINED, RAW_WIDTH_SHIFT, RAW_WORDS } from './row-builder.js';

/** By buffer; a reset makes new ones. Absent: the top row. */
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

/** `resize` lays the buffers out anew. */
export function keepSavedRows({ buffers }: Internals, rows: number, resize: () => void): void {
  const both = [buffers.normal, buffers.alt];
  for (const buffer of both) placeSavedLine(buffer);
  const follow = followText(buffers.normal);
  resize();
  follow();
  for (const buffer of both) savedRows.set(buffer, Math.min(Math.max(buffer.savedY - buffer.ybase, 0), rows - 1));
}

function placeSavedLine(buffer: RawBuffer): void {
  buffer.savedY = buffer.ybase + (savedRows.get(buffer) ?? 0);
}

/** The returned function sets the saved cursor to where its text is then. A new layout keeps the object of a line's first row. */
function followText(buffer: RawBuffer): () => void {
  const { savedX: col, savedY: row } = buffer;
  const before = buffer.lines.get(row);
  if (before === undefined || !savedRows.has(buffer)) return () => {};
  let head = row;
  while (head > 0 && buffer.lines.get(head)?.isWrapped === true) head--;
  let cells = col;
  for (let index = head; index < row; index++) cells += colsOf(buffer, index);
  const first = buffer.lines.get(head);
  const cols = before.length;
  return () => {
    let index = 0;
    while (index < buffer.lines.length && buffer.lines.get(index) !== first) index++;
    // Lost with the scrollback, or not laid out anew.
    if (index === buffer.lines.length || first?.length === cols) return;
    let left = cells;
    while (buffer.lines.get(index + 1)?.isWrapped === true && left >= colsOf(buffer, index)) {
      left -= colsOf(buffer, index);
      index++;
    }
    buffer.savedY = index;
    buffer.savedX = Math.min(left, (first?.length ?? cols) - 1);
  };
}

/** Cells of a row that the next one continues: without the one that stayed empty before a wide character. */
function colsOf({ lines }: RawBuffer, index: number): number {
  const line = lines.get(index);
  if (line === undefined) return 0;
  const last = wordOf(line, line.length - 1);
  const isLeftOut = (last & (RAW_CODE_POINT | RAW_COMBINED)) === 0 && last >>> RAW_WIDTH_SHIFT === 1;
  const next = lines.get(index + 1);
  return isLeftOut && next !== undefined && wordOf(next, 0) >>> RAW_WIDTH_SHIFT === 2 ? line.length - 1 : line.length;
}

function wordOf({ _data: words }: RawLine, col: number): number {
  return words[col * RAW_WORDS] ?? 0;
}
