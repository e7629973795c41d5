/**
 * Cursors across a change of size: the present one and the saved one follow their text, and nothing of the normal screen is cut. The
 * library leaves the line of the cursor to the program, which is right for the editor of a command line (it draws it again,
 * in bracketed paste mode) and cuts the questions and progress lines of all others; it follows rows and not columns.
 */
import type { Internals, RawBuffer, RawLine } from './internals.js';
import { RAW_CODE_POINT, RAW_COMBINED, RAW_WIDTH_SHIFT, RAW_WORDS } from './row-builder.js';
import { hasSavedRow, placeSavedLine, setSavedRow } from './saved-row.js';

/**
 * `resize` lays the buffers out anew.
 *
 * @param isEdited the line of the cursor is that of an editor, which draws it again
 */
export function keepCursors(
  { buffers, optionsService }: Internals,
  rows: number,
  isEdited: boolean,
  resize: () => void,
): void {
  const both = [buffers.normal, buffers.alt];
  const { normal } = buffers;
  for (const buffer of both) placeSavedLine(buffer);
  const options = optionsService.rawOptions;
  options.reflowCursorLine = !isEdited;
  const saved = hasSavedRow(normal) ? follow(normal, { row: normal.savedY, col: normal.savedX }) : undefined;
  const cursor = isEdited ? undefined : follow(normal, { row: normal.ybase + normal.y, col: normal.x });
  // The library cuts rows below the cursor.
  if (cursor !== undefined) normal.y = lastTextRow(normal);
  resize();
  const savedPlace = saved?.();
  if (savedPlace !== undefined) {
    normal.savedY = savedPlace.row;
    normal.savedX = savedPlace.col;
  }
  if (cursor !== undefined) place(normal, cursor(), rows);
  for (const buffer of both) setSavedRow(buffer, Math.min(Math.max(buffer.savedY - buffer.ybase, 0), rows - 1));
}

/** A line of the buffer, and a column; behind the last one the next character wraps. */
interface Place {
  readonly row: number;
  readonly col: number;
}

/** Place of the cursor in tmux: one whose text has left the screen is at its top. */
function place(buffer: RawBuffer, to: Place | undefined, rows: number): void {
  if (to === undefined) return;
  const row = to.row - buffer.ybase;
  buffer.y = Math.min(Math.max(row, 0), rows - 1);
  buffer.x = row < 0 ? 0 : to.col;
}

/**
 * The returned function finds the text again, undefined if it is lost. A new layout keeps the object of a line's first row.
 */
function follow(buffer: RawBuffer, { row, col }: Place): () => Place | undefined {
  const { lines } = buffer;
  if (lines.get(row) === undefined) return () => undefined;
  let head = row;
  while (head > 0 && lines.get(head)?.isWrapped === true) head--;
  let cells = col;
  for (let index = head; index < row; index++) cells += cellsOf(buffer, index);
  const first = lines.get(head);
  return () => {
    let index = 0;
    while (index < lines.length && lines.get(index) !== first) index++;
    // Lost with the scrollback.
    if (index === lines.length) return undefined;
    let left = cells;
    // The list keeps lines behind its end.
    while (index + 1 < lines.length && lines.get(index + 1)?.isWrapped === true && left >= cellsOf(buffer, index)) {
      left -= cellsOf(buffer, index);
      index++;
    }
    const cols = colsOf(buffer);
    const isBehindText = left === cols && lines.get(index)?.getTrimmedLength() === cols;
    return { row: index, col: isBehindText ? cols : Math.min(left, cols - 1) };
  };
}

function lastTextRow({ lines, ybase, y }: RawBuffer): number {
  let row = lines.length - 1;
  while (row > ybase + y && lines.get(row)?.getTrimmedLength() === 0) row--;
  return row - ybase;
}

function colsOf({ lines }: RawBuffer): number {
  return lines.get(0)?.length ?? 0;
}

/** Cells of a row that the next one continues: without the one that stayed empty before a wide character. */
function cellsOf({ lines }: RawBuffer, index: number): number {
  const line = lines.get(index);
  if (line === undefined) return 0;
  const last = wordOf(line, line.length - 1);
  const isLeftOut = (last & (RAW_CODE_POINT | RAW_COMBINED)) === 0 && last >>> RAW_WIDTH_SHIFT === 1;
  const next = index + 1 < lines.length ? lines.get(index + 1) : undefined;
  return isLeftOut && next !== undefined && wordOf(next, 0) >>> RAW_WIDTH_SHIFT === 2 ? line.length - 1 : line.length;
}

function wordOf({ _data: words }: RawLine, col: number): number {
  return words[col * RAW_WORDS] ?? 0;
}
