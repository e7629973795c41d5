/** Writer of what a person's terminal shows: rows that stand there already are not written again. */

import { cursorTo, OUTER } from './outer-sequences.js';

/** Bell that goes with a frame in which one has rung. */
export const BELL = OUTER.bell.on;

const { clearScreen, eraseRow, hiddenCursor, resetStyle, synchronizedUpdate } = OUTER;

/** Terminals that know it show the whole frame at once. */
const BEGIN = `${synchronizedUpdate.on}${hiddenCursor.on}`;
const END = synchronizedUpdate.off;

export interface OuterFrame {
  /** One for each row of the terminal, with default attributes at both ends, and no wider than the terminal. */
  readonly lines: readonly string[];
  /** Undefined if the cursor is not to be seen. */
  readonly cursor: { readonly row: number; readonly col: number } | undefined;
}

export class FrameWriter {
  #drawn: readonly string[] = [];
  #isStale = true;

  /** The next frame is written as a whole: the terminal has another size, or somebody else has written to it. */
  forget(): void {
    this.#isStale = true;
  }

  /** Text that makes the frame of the one before. To be written in one piece. */
  write({ lines, cursor }: OuterFrame): string {
    const all = this.#isStale || lines.length !== this.#drawn.length;
    const changed = lines.flatMap((line, row) => (all || line !== this.#drawn[row] ? [rowOf(row, line)] : []));
    this.#drawn = lines;
    this.#isStale = false;
    const shown = cursor === undefined ? '' : `${cursorTo(cursor.row, cursor.col)}${hiddenCursor.off}`;
    return `${BEGIN}${all ? clearScreen.on : ''}${changed.join('')}${shown}${END}`;
  }
}

/** The rest of the row is erased first: what the row's own last cell holds would go with it otherwise. */
function rowOf(row: number, line: string): string {
  return `${cursorTo(row, 0)}${resetStyle.on}${eraseRow.on}${line}`;
}
