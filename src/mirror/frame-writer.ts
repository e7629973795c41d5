/** What a person's terminal shows: rows that stand there already are not written again. */

/** Terminals that know it show the whole frame at once. */
const BEGIN = '\x1b[?2026h\x1b[?25l';
const END = '\x1b[?2026l';

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

  /** What makes the frame of the one before. To be written in one piece. */
  write({ lines, cursor }: OuterFrame): string {
    const all = this.#isStale || lines.length !== this.#drawn.length;
    const changed = lines.flatMap((line, row) => (all || line !== this.#drawn[row] ? [rowOf(row, line)] : []));
    this.#drawn = lines;
    this.#isStale = false;
    const shown = cursor === undefined ? '' : `\x1b[${cursor.row + 1};${cursor.col + 1}H\x1b[?25h`;
    return `${BEGIN}${all ? '\x1b[2J' : ''}${changed.join('')}${shown}${END}`;
  }
}

/** The rest of the row is erased first: what the row's own last cell holds would go with it otherwise. */
function rowOf(row: number, line: string): string {
  return `\x1b[${row + 1};1H\x1b[0m\x1b[K${line}`;
}
